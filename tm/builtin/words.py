"""Words as the knowledge search compares them, in German and English.

What lives here: pure functions on text. What must not: documents, databases.

A word is letters and digits, without case, accents and umlaut dots. What is searched for is
shortened to its stem and found as a beginning (`Rechnungen` finds `Rechnungsnummer`), an exact word
counts more. `ü` and `ue` find each other. Nothing that a query holds is part of the database's
language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from tm.records import record

MAX_QUERY_WORDS: Final = 32
"""Of a longer query the first ones count."""

_MAX_LETTERS: Final = 64
_MIN_STEM: Final = 4
_MIN_BEGINNING: Final = 3
"""Letters that a word has at least to be found as the beginning of another."""

_WORD: Final = re.compile(r"[^\W_]+")
_DOTTED: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SPELLED: Final = re.compile("([aou])e")
# The longest first; what both languages put at the end of nouns and verbs.
_ENDINGS: Final = (
    "ungen", "ings", "ung", "ing", "ies", "en", "er", "es", "em", "ed", "e", "n", "s", "y",
)  # fmt: skip
# As fold() writes them.
_GERMAN: Final = (
    "aber alle als am an auch auf aus bei bin bis bitte da damit dann das dass dem den der des die "
    "dies diese dieser doch du durch ein eine einem einen einer eines er es fur gibt habe haben "
    "hat ich ihr ihre im in ist ja kann konnen man mein meine mich mir mit muss nach nicht noch "
    "nur ob oder sein sich sie sind so um und uns vom von vor wann warum was welche welcher wenn "
    "wer werden wie wieviel will wir wird wo wurde zu zum zur uber"
)
_ENGLISH: Final = (
    "a about and any are as at be by can could did do does for from had has have he her his how i "
    "if into is it its me much my no not of on or our please she should that the their them then "
    "there they this those to us was we were what when where which who why with would you your"
)
_STOP_WORDS: Final = frozenset([*_GERMAN.split(), *_ENGLISH.split()])


@record
class QueryWord:
    """One word of a query.

    Attributes:
        exact: spellings of the whole word.
        beginnings: what a word of a document may begin with to count.
    """

    exact: tuple[str, ...]
    beginnings: tuple[str, ...]

    def count_in(self, words: Sequence[str]) -> float:
        """Return how many of these words fit; the whole word counts twice what a beginning does."""
        return sum(
            1.0 if word in self.exact else 0.5
            for word in words
            if word in self.exact or word.startswith(self.beginnings)
        )


def fold(text: str) -> str:
    """Return the text without case, accents and umlaut dots; `ß` is `ss`."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


def folded_words(text: str) -> list[str]:
    """Return the words of a text, folded, in their order."""
    return [word[:_MAX_LETTERS] for word in _WORD.findall(fold(text))]


def query_words(query: str) -> list[QueryWord]:
    """Return the words that are to be searched for: no stop words, unless there are no others."""
    text = unicodedata.normalize("NFC", query).casefold()
    spoken = list(dict.fromkeys(word for word in _WORD.findall(text) if fold(word)))
    telling = [word for word in spoken if fold(word) not in _STOP_WORDS]
    return [_query_word(word[:_MAX_LETTERS]) for word in (telling or spoken)[:MAX_QUERY_WORDS]]


def match_expression(words: Sequence[QueryWord]) -> str:
    """Return what FTS5 is asked: any of the words, each within quotes."""
    exact = [f'"{text}"' for word in words for text in word.exact]
    beginnings = [f'"{text}" *' for word in words for text in word.beginnings]
    return " OR ".join([*exact, *beginnings])


def _query_word(word: str) -> QueryWord:
    spellings = [fold(word), fold(word.translate(_DOTTED)), _SPELLED.sub(r"\1", fold(word))]
    exact = tuple(dict.fromkeys(spellings))
    if any(char.isdigit() for char in word):
        return QueryWord(exact, ())  # 30 is not the beginning of 300
    stems = (_stem(text) for text in exact)
    return QueryWord(
        exact, tuple(dict.fromkeys(stem for stem in stems if len(stem) >= _MIN_BEGINNING))
    )


def _stem(word: str) -> str:
    """Return the word without one ending, where enough of it is left."""
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _MIN_STEM:
            is_doubled = ending == "ing" and stem[-1] == stem[-2]
            return stem[:-1] if is_doubled and len(stem) > _MIN_STEM else stem
    return word
