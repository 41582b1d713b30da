"""Lines of styled text, before it is known where they are shown; and text made safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

# C0 but tab and newline, DEL, C1, bidirectional controls, lone surrogates: a terminal would obey
# the first, a reader would be misled by the second, and UTF-8 can't hold the last.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Span(NamedTuple):
    """A piece of a line; `style` is a space-separated list of Rich's style words, or empty."""

    text: str
    style: str = ""


Line: TypeAlias = list[Span]


class Unbroken(list[Span]):
    """A line that people copy, such as a command: on a terminal it never gets a newline inside.

    The terminal itself goes on in the next row, and gives the line back whole when it is copied.
    """


def line(*parts: str | Span) -> Line:
    """Return a line of the parts, made safe to show; plain texts have no style."""
    spans = (part if isinstance(part, Span) else Span(part) for part in parts)
    return [Span(visible(span.text), span.style) for span in spans if span.text]


def plain(spans: Line) -> str:
    """Return the line's text alone, without blanks at its end."""
    return "".join(span.text for span in spans).rstrip(" ")


def visible(text: str) -> str:
    r"""Return the text with control characters as escapes (`\x1b`), tab and newline kept."""
    if text.isascii() and text.isprintable():  # most texts; a search takes five times as long
        return text
    return _CONTROL.sub(_escape, text)


def _escape(hit: re.Match[str]) -> str:
    number = ord(hit.group())
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def indented(text: str, indent: str, style: str = "") -> list[Line]:
    """Return the text's lines, each with the indent in front."""
    return [line(indent, Span(part, style)) for part in text.split("\n")]


def duration(ms: float) -> str:
    """Return a time as people read it: `0.4 ms`, `12 ms`, `1.25 s`."""
    if ms < 9.95:
        return f"{ms:.1f} ms"
    return f"{ms:.0f} ms" if ms < 999.5 else f"{ms / 1000:.2f} s"


def columns(rows: Iterable[tuple[str, ...]], gap: str = "  ") -> list[tuple[str, ...]]:
    """Return the rows with every cell but the last padded to its column's width."""
    table = [tuple(visible(cell) for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        (*(cell.ljust(width) + gap for cell, width in zip(row[:-1], widths, strict=False)), row[-1])
        for row in table
    ]


def pairs(context: Mapping[str, Any]) -> str:
    """Return a log line's context as compact JSON, or an empty text where it has none."""
    from tm.render.result import compact_json  # noqa: PLC0415  a line without context needs none

    return compact_json(context) if context else ""
