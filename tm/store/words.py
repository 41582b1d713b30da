"""Search for words in arguments and results.

What lives here: SQL of the word index, and what typed words mean. In SQLite it is a table of its
own, filled when rows are settled: to write it with each row would cost more than the row. Nothing
a person types is syntax: each piece between blanks is a row of words, found in that order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sqlite3 import Connection

_MOST: Final = 100_000  # characters of a value that are searched; of 10 MB the first tell enough


def _clean(column: str) -> str:
    """Return SQL of a JSON text without its escapes, whose letters would become part of words."""
    text = f"substr(coalesce({column}, ''), 1, {_MOST})"
    for escape in ("\\\\", "\\n", "\\t", "\\r", '\\"'):
        text = f"replace({text}, '{escape}', ' ')"
    return text


_COLUMNS: Final = f"id, tenant, {_clean('args')}, {_clean('result')}"
_NO_WORD: Final = re.compile('["\0\ud800-\udfff]')  # ends a text for SQLite, or is none
_OF_FTS5: Final = "tenant, args, result, tokenize = 'unicode61 remove_diacritics 0'"

MAKE_WORDS: Final = f"""
CREATE VIRTUAL TABLE log_words USING fts5({_OF_FTS5}, content = '');
INSERT INTO log_words (rowid, tenant, args, result)
    SELECT {_COLUMNS} FROM task_log_entries WHERE settled = 1;
"""  # noqa: S608  no value is in it

ADD_WORDS: Final = f"""
INSERT INTO log_words (rowid, tenant, args, result)
SELECT {_COLUMNS} FROM task_log_entries WHERE settled = 0 AND state <> 'running'
"""  # noqa: S608  as above
"""Puts the words of rows that are about to be settled into the index."""

FORGET_WORDS: Final = f"""
INSERT INTO log_words (log_words, rowid, tenant, args, result)
SELECT 'delete', {_COLUMNS} FROM task_log_entries WHERE settled = 1 AND id IN
"""  # noqa: S608  as above
"""Takes the words of rows out again; the ids follow. The index itself does not keep its texts."""

_UNSETTLED: Final = f"""
INSERT INTO temp.new_words (rowid, tenant, args, result)
SELECT {_COLUMNS} FROM task_log_entries WHERE settled = 0
"""  # noqa: S608  as above
# PostgreSQL's parser knows addresses, paths and signed numbers; with blanks only it sees words.
_PUNCTUATION: Final = r"[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+"


def _vector(text: str) -> str:
    plain = f"regexp_replace({text}, '{_PUNCTUATION}', ' ', 'g')"
    return f'lower({plain} COLLATE "und-x-icu")'


_TEXT: Final = " || ' ' || ".join((_clean("args"), _clean("result")))
_SEARCHED: Final = f"to_tsvector('simple', {_vector(_TEXT)})"
WORDS_IN_POSTGRES: Final = f"""
CREATE INDEX log_words ON task_log_entries USING gin ({_SEARCHED}) WHERE settled = 1;
"""


def pieces(typed: str) -> list[str]:
    """Return what must be found: the pieces between blanks that hold a letter or digit."""
    return [piece for piece in _NO_WORD.sub(" ", typed).split() if any(map(str.isalnum, piece))]


def postgres_condition(typed: str) -> tuple[str, list[Any]]:
    """Return the condition for PostgreSQL, and its values."""
    found = pieces(typed)
    one = f"{_SEARCHED} @@ phraseto_tsquery('simple', {_vector('?')})"
    return " AND ".join([one] * len(found)), list(found)


def match_of(typed: str, tenant: str | None) -> str:
    """Return the query for SQLite's index.

    Args:
        tenant: a code, which narrows the search but is not exact: `a-b` is in `x-a-b` too.
    """
    words = " AND ".join(f'"{piece}"' for piece in pieces(typed))
    query = f"{{args result}} : ({words})"
    return query if tenant is None else f'(tenant : "{_NO_WORD.sub(" ", tenant)}") AND ({query})'


def index_unsettled(connection: Connection) -> None:
    """Make a table of this connection with the words of the few rows that are not settled."""
    connection.execute("DROP TABLE IF EXISTS temp.new_words")
    connection.execute(f"CREATE VIRTUAL TABLE temp.new_words USING fts5({_OF_FTS5}, content = '')")
    connection.execute(_UNSETTLED)
