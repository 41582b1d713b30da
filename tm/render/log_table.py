"""Past runs as a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tm.render.lines import Line, Span, columns, duration, line
from tm.render.result import compact_json
from tm.store.rows import Row
from tm.store.statistics import ToolStatistics

STYLES: dict[str, str] = {
    "running": "cyan",
    "ok": "green",
    "failed": "bold red",
    "killed": "bold red",
}
_MIN_ARGS = 20
_HEAD = ("id", "started", "tenant", "tool", "state", "ms", "http", "arguments")


def row_lines(rows: Sequence[Row], width: int | None) -> list[Line]:
    """Return one line for each run, below a line of headings; one that says so where none is.

    Args:
        rows: in the order to be shown.
        width: columns of the terminal, at which arguments are cut; None: whole, for pipes.
    """
    if not rows:
        return [line(Span("no runs that fit", "dim"))]
    cells = columns([_HEAD, *(_cells(row) for row in rows)])
    styles = ["dim", *(STYLES[row.state] for row in rows)]
    return [
        line(
            *(Span(cell, "dim" if style == "dim" else "") for cell in row[:4]),
            Span(row[4], style),
            *row[5:7],
            Span(_cut(row[7], width, sum(map(len, row[:7]))), "dim"),
        )
        for row, style in zip(cells, styles, strict=True)
    ]


def tail_lines(rows: Sequence[Row], width: int | None) -> list[Line]:
    """Return one line for each run, in columns of a fixed width: later ones come one by one.

    Args:
        width: as `row_lines`.
    """
    return [_tail_line(row, width) for row in rows]


def _tail_line(row: Row, width: int | None) -> Line:
    _, _, tenant, tool, state, ms, http, args = _cells(row)
    before = f"{row.id:>6}  {started(row)[11:]}  {tenant:<8}  {tool:<18}  "
    after = f"  {ms:>7}  {http:>3}  "
    used = len(before) + max(len(state), 6) + len(after)
    return line(
        Span(before),
        Span(f"{state:<6}", STYLES[row.state]),
        after,
        Span(_cut(args, width, used), "dim"),
    )


def statistics_lines(tools: Sequence[ToolStatistics]) -> list[Line]:
    """Return one line for each tool, below a line of headings; one that says so where none is."""
    if not tools:
        return [line(Span("no runs that fit", "dim"))]
    cells = columns(
        [
            ("tool", "runs", "failures", "p50", "p95"),
            *(
                (tool.tool, str(tool.runs), str(tool.failures), _ms(tool.p50_ms), _ms(tool.p95_ms))
                for tool in tools
            ),
        ]
    )
    head, *rows = cells
    return [
        line(Span("".join(head), "dim")),
        *(
            line(*row[:2], Span(row[2], "bold red" if tool.failures else ""), *row[3:])
            for row, tool in zip(rows, tools, strict=True)
        ),
    ]


def _ms(value: float | None) -> str:
    return "" if value is None else duration(value)


def started(row: Row) -> str:
    """Return when a run began, in the time zone of this machine: `2026-05-04 14:30:05`."""
    return f"{datetime.fromisoformat(row.started_at).astimezone():%Y-%m-%d %H:%M:%S}"


def _cells(row: Row) -> tuple[str, ...]:
    state = f"{row.state} {row.error.code}" if row.error else row.state
    return (
        str(row.id),
        started(row),
        row.tenant,
        ("  " if row.parent_id else "") + row.tool_name,
        f"{state}, dry run" if row.dry_run else state,
        "" if row.duration_ms is None else duration(row.duration_ms),
        "" if row.http_status is None else str(row.http_status),
        compact_json(row.args),
    )


def _cut(text: str, width: int | None, used: int) -> str:
    if width is None:
        return text
    room = max(width - used, _MIN_ARGS)
    return text if len(text) <= room else text[: room - 1] + "…"
