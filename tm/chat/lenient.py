"""JSON as models write it: with trailing commas, and with Python's words and quotes.

What lives here: reading. Nothing is ever completed: text that stops in the middle is an error.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from tm.model import Json

_MAX_DEPTH: Final = 100
_BLANKS: Final = re.compile(r"\s*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORD: Final = re.compile(r"[A-Za-z]+")
_WORDS: Final[dict[str, Json]] = {
    "true": True, "True": True, "false": False, "False": False, "null": None, "None": None,
}  # fmt: skip
_TEXTS: Final = {
    '"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL),
    "'": re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL),
}
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class UnreadableError(ValueError):
    """The text is no JSON, not even as models write it.

    Attributes:
        is_cut: it stops in the middle; what is there was right.
    """

    def __init__(self, message: str, *, is_cut: bool = False) -> None:
        super().__init__(message)
        self.is_cut = is_cut


def read_lenient(text: str) -> Json:
    """Return the one JSON value of the text.

    Raises:
        UnreadableError: with the reason and the character where reading stopped.
    """
    try:
        return json.loads(
            text,
            strict=False,
            object_pairs_hook=_object_once,
            parse_constant=_refuse,
            parse_float=_finite,
        )
    except OverflowError as error:
        raise UnreadableError("a number in it is too large") from error
    except RecursionError as error:
        raise UnreadableError("it is nested too deep") from error
    except UnreadableError:
        raise
    except ValueError:
        return _Reader(text).whole()


def read_prefix(text: str, start: int) -> tuple[Json, int]:
    """Return the value that begins at a position, and the position behind it.

    Raises:
        UnreadableError: there is none, or it stops in the middle.
    """
    reader = _Reader(text)
    reader.at = start
    return reader.value(0), reader.at


def _object_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UnreadableError(f"the key {twice!r} stands twice")
    return read


def _refuse(word: str) -> Json:
    raise UnreadableError(f"{word} is no JSON")


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Json:
        value = self.value(0)
        if self._peek():
            raise self._wrong("something stands behind the value")
        return value

    def value(self, depth: int) -> Json:
        """Read the value that begins here.

        Args:
            depth: lists and objects around it.

        Raises:
            UnreadableError: it is none, or nested too deep.
        """
        if depth > _MAX_DEPTH:
            raise UnreadableError("it is nested too deep")
        char = self._peek()
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._list(depth)
        if char in _TEXTS:
            return self._text(char)
        return self._number() if char == "-" or char.isdigit() else self._word()

    def _object(self, depth: int) -> dict[str, Json]:
        pairs: list[tuple[str, Json]] = []
        self.at += 1
        while self._peek() != "}":
            quote = self._peek()
            if quote not in _TEXTS:
                raise self._wrong("a key in quotes is missing")
            key = self._text(quote)
            self._take(":")
            pairs.append((key, self.value(depth + 1)))
            self._comma_before("}")
        self.at += 1
        return _object_once(pairs)

    def _list(self, depth: int) -> list[Json]:
        items: list[Json] = []
        self.at += 1
        while self._peek() != "]":
            items.append(self.value(depth + 1))
            self._comma_before("]")
        self.at += 1
        return items

    def _comma_before(self, end: str) -> None:
        """Pass over a comma; the last one before the end may be there or not."""
        if self._peek() != end:
            self._take(",")

    def _text(self, quote: str) -> str:
        hit = _TEXTS[quote].match(self.text, self.at)
        if hit is None:
            self.at = len(self.text)
            raise self._wrong("a text has no end")
        self.at = hit.end()
        return _unescaped(hit[1])

    def _number(self) -> Any:
        hit = _NUMBER.match(self.text, self.at)
        if hit is None or len(hit[0]) > 1000:
            raise self._wrong("a number can't be read")
        self.at = hit.end()
        try:
            return json.loads(hit[0], parse_float=_finite)
        except OverflowError as error:
            raise self._wrong("a number is too large") from error

    def _word(self) -> Json:
        hit = _WORD.match(self.text, self.at)
        word = hit[0] if hit else ""
        if hit and word in _WORDS:
            self.at = hit.end()
            return _WORDS[word]
        if hit and hit.end() == len(self.text) and any(w.startswith(word) for w in _WORDS):
            self.at = hit.end()
        raise self._wrong("a value is missing")

    def _take(self, char: str) -> None:
        if self._peek() != char:
            raise self._wrong(f"'{char}' is missing")
        self.at += 1

    def _peek(self) -> str:
        """Return the next character that is no blank; an empty text at the end."""
        hit = _BLANKS.match(self.text, self.at)
        self.at = hit.end() if hit else self.at
        return self.text[self.at : self.at + 1]

    def _wrong(self, what: str) -> UnreadableError:
        is_cut = self.at >= len(self.text)
        where = "where it stops" if is_cut else "at"
        return UnreadableError(f"{what} {where}, character {self.at + 1}", is_cut=is_cut)


def _finite(digits: str) -> float:
    value = float(digits)
    if value in {float("inf"), float("-inf")}:
        raise OverflowError
    return value


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_char, text)
    try:
        plain.encode()
    except UnicodeEncodeError:  # halves of a pair, each written as \uXXXX
        plain = plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return plain


def _char(hit: re.Match[str]) -> str:
    code = hit[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return _ESCAPES.get(code, code)
