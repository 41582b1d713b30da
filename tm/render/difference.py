"""What a case expects beside what came, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tm.model import Json
from tm.render.lines import Line, Span, line
from tm.render.result import json_text

_MAX_LINES: Final = 60
_STYLES: Final = {"-": "red", "+": "green", "@": "cyan"}


def difference_lines(wanted: Json, got: Json) -> list[Line]:
    """Return both as JSON: `-` expected and missing, `+` there and not expected."""
    rows = list(_rows(wanted, got))
    if len(rows) <= _MAX_LINES:
        return rows
    return [*rows[:_MAX_LINES], line(Span(f"  ... {len(rows) - _MAX_LINES} more lines", "dim"))]


def _rows(wanted: Json, got: Json) -> Iterator[Line]:
    from difflib import unified_diff  # noqa: PLC0415  only a mismatch needs it

    yield line("  ", Span("- expected", "red"), "  ", Span("+ result", "green"))
    lines = unified_diff(_lines(wanted), _lines(got), lineterm="", n=2)
    for number, row in enumerate(lines):
        if number > 1 and not row.startswith("@@"):
            yield line("  ", Span(row, _STYLES.get(row[:1], "")))
        elif number > 2:
            yield line(Span("    ...", "dim"))


def _lines(value: Json) -> list[str]:
    """Return a value's lines without the comma at their ends, which follows from the next one."""
    return [text.removesuffix(",") for text in json_text(value).split("\n")]
