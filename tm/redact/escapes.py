"""Undoes the escapes of URLs, JSON, HTML, Python and POSIX shells, keeping track of places.

What lives here: one round of undoing, and the way back to the text that was given. What must
not: anything about secrets.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import Final, NamedTuple, TypeAlias

Span: TypeAlias = tuple[int, int]

ROUNDS: Final = 6
"""Layers of escapes that are undone: JSON in JSON in a URL is three."""

_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}

# One escaped character. A byte is `%C3` or, in Python's repr of bytes, `\xc3`; two to four of
# them are one character in UTF-8. The last two alternatives are a quote inside a quoted word of
# a POSIX shell.
_BYTE: Final = r"(?:%|\\x)"
_ESCAPE: Final = (
    rf"{_BYTE}[cd][0-9a-f]{_BYTE}[89ab][0-9a-f]"
    rf"|{_BYTE}e[0-9a-f](?:{_BYTE}[89ab][0-9a-f]){{2}}"
    rf"|{_BYTE}f[0-7](?:{_BYTE}[89ab][0-9a-f]){{3}}"
    rf"|{_BYTE}[0-9a-f]{{2}}"
    r"|(?-i:\\U)(?:000[0-9a-f]{5}|0010[0-9a-f]{4})"
    r"|(?-i:\\u)d[89ab][0-9a-f]{2}(?-i:\\u)d[c-f][0-9a-f]{2}|(?-i:\\u)[0-9a-f]{4}"
    r"|&\#[0-9]{1,8};?|&\#x[0-9a-f]{1,7};?|&[a-z][a-z0-9]{1,30};"
    r"""|'\\''|'"'"'"""
    r"|\\[\\\"'/nrtbf]"
)


class Mark(NamedTuple):
    """An escape that was undone: where its character is now, and where it was."""

    at: int
    length: int
    start: int
    end: int


def unescaped(text: str) -> tuple[str, list[Mark]]:
    """Undo one round of escapes; the marks lead back to where each one stood."""
    if "%" not in text and "\\" not in text and "&" not in text and "'\"'" not in text:
        return text, []
    parts: list[str] = []
    marks: list[Mark] = []
    done = length = 0
    for hit in _escapes().finditer(text):
        plain = _character(hit[0])
        length += hit.start() - done
        parts += text[done : hit.start()], plain
        marks.append(Mark(length, len(plain), hit.start(), hit.end()))
        length += len(plain)
        done = hit.end()
    parts.append(text[done:])
    return "".join(parts), marks


@cache
def _escapes() -> re.Pattern[str]:
    # Compiled when the first text has one: that takes a millisecond, and many runs have none.
    return re.compile(_ESCAPE, re.IGNORECASE)


def _character(escape: str) -> str:
    """Return what one escape stands for; itself where it stands for nothing."""
    if escape[0] == "&":
        return _reference(escape)
    if escape[0] == "'":
        return "'"
    if escape[0] == "%" or escape[1] == "x":
        raw = bytes.fromhex(escape.replace("%", "").replace("\\x", "").replace("\\X", ""))
        try:
            return raw.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return raw.decode("latin-1")
    if escape[1] == "U":
        return bytes.fromhex(escape[2:]).decode("utf-32-be", "surrogatepass")
    if escape[1] == "u":  # one code unit, or the two of a surrogate pair
        return bytes.fromhex(escape.replace("\\u", "")).decode("utf-16-be", "surrogatepass")
    return _LETTERS.get(escape[1], escape[1])


def _reference(escape: str) -> str:
    """Return the character of an HTML reference, by the rules of HTML 5."""
    from html import unescape  # noqa: PLC0415  its table of names takes a millisecond to load

    return unescape(escape)


def traced(span: Span, layers: list[list[Mark]]) -> Span:
    """Follow a span in the innermost view back to the text that was given."""
    start, end = span
    for marks in reversed(layers):
        start, end = _source(marks, start)[0], _source(marks, end - 1)[1]
    return start, end


def _source(marks: list[Mark], at: int) -> Span:
    """Return from where to where the character at this place of a view stood one layer below."""
    index = bisect_right(marks, at, key=lambda mark: mark.at) - 1
    if index < 0:
        return at, at + 1
    mark = marks[index]
    if at < mark.at + mark.length:
        return mark.start, mark.end
    start = mark.end + at - mark.at - mark.length
    return start, start + 1


def plain_text(value: str) -> str:
    """Return the value with its own escapes undone, as the innermost view of a text has it."""
    for _ in range(ROUNDS):
        value, marks = unescaped(value)
        if not marks:
            break
    return value
