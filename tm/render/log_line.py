"""One line of a run's log, as a person reads it."""

from __future__ import annotations

import time

from tm.render.lines import Line, Span, line, pairs, visible
from tm.runner.events import Level, LogLine

_STYLES: dict[Level, str] = {
    "debug": "dim",
    "info": "",
    "success": "green",
    "warning": "yellow",
    "error": "bold red",
}
_LEVEL_WIDTH = max(map(len, _STYLES))


def log_lines(entry: LogLine) -> list[Line]:
    """Return the rows of one log line: local time, level, tool by depth, message, context."""
    style = _STYLES[entry.level]
    head, *rest = entry.message.rstrip("\n").split("\n")
    indent = "  " * entry.depth
    first = line(
        Span(local_time(entry.time), "dim"),
        " ",
        Span(entry.level.ljust(_LEVEL_WIDTH), style),
        f" {indent}",
        Span(entry.tool, "cyan"),
        "  ",
        Span(head, style),
    )
    rows = [first, *(line(f"    {indent}", Span(part, style)) for part in rest)]
    context = pairs(entry.context)
    if context:
        rows[-1].append(Span(f"  {visible(context)}", "dim"))
    return rows


def local_time(stamp: str) -> str:
    """Return `HH:MM:SS.mmm` in the time zone of this machine for an ISO stamp in UTC.

    Done by hand: `datetime` would cost more than the whole line.
    """
    seconds = int(stamp[11:13]) * 3600 + int(stamp[14:16]) * 60 + int(stamp[17:19])
    local = (seconds + time.localtime().tm_gmtoff) % 86400
    return f"{local // 3600:02}:{local // 60 % 60:02}:{local % 60:02}{stamp[19:23]}"
