"""A source line with carets below it, as wide as a terminal shows it."""

from __future__ import annotations

import unicodedata
from typing import Final

from tm.render.lines import visible

TAB: Final = 4
MAX_COLUMNS: Final = 160
"""A longer line is shown around the caret only."""

_LEAD: Final = 40
_CUT: Final = "…"


def marked(text: str, col: int, end_col: int) -> tuple[str, str]:
    """Return the line as it is shown, and the carets below it.

    Args:
        text: of the line, without its end.
        col: of the first character that is marked, from 1.
        end_col: behind the last one; at least one caret is shown.
    """
    begin, end = col - 1, max(end_col - 1, col)
    first = max(0, begin - _LEAD) if len(text) > MAX_COLUMNS else 0
    last = min(len(text), first + MAX_COLUMNS)
    shown, before, below = [], 0, 0
    used = 0
    if first:
        shown, before, used = [_CUT], 1, 1
    for index in range(first, last):
        piece = _shown(text[index], used)
        width = sum(map(_width, piece))
        shown.append(piece)
        used += width
        if index < begin:
            before += width
        elif index < end:
            below += width
    if last < len(text):
        shown.append(_CUT)
    return "".join(shown).rstrip(), " " * before + "^" * max(below, 1)


def _shown(char: str, used: int) -> str:
    if char == "\t":
        return " " * (TAB - used % TAB)
    return visible(char)


def _width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
