"""One past run with all that is known of it, and its nested runs as a tree."""

from __future__ import annotations

from tm.render.lines import Line, Span, duration, indented, line
from tm.render.log_line import log_lines
from tm.render.log_table import STYLES, started
from tm.render.result import json_text
from tm.render.steps import step_line
from tm.runner.events import LogLine, Step
from tm.store.rows import Row


def run_lines(row: Row, depth: int = 0) -> list[Line]:
    """Return the run as rows; each nested run follows, further in.

    Args:
        row: with its detail.
        depth: how far in it stands.
    """
    indent = "  " * depth
    rows = [_head(row), *_facts(row), *_values(row)]
    if row.detail:
        steps = (Step(**step) for step in row.detail.steps)
        rows += [step_line(step) for step in steps if step.status != "skipped"]
        rows += [part for entry in row.detail.log for part in log_lines(LogLine(**entry))]
    shown = [[Span(indent), *found] for found in rows]
    for child in row.detail.children if row.detail else ():
        shown += run_lines(child, depth + 1)
    return shown


def _head(row: Row) -> Line:
    took = "" if row.duration_ms is None else f", {duration(row.duration_ms)}"
    return line(
        Span(str(row.id), "bold"),
        "  ",
        Span(row.tool_name, "bold cyan"),
        "  ",
        Span(row.state, STYLES[row.state]),
        Span(f"  {row.tenant}, {started(row)}{took}, {row.entry_type}", "dim"),
        Span(", dry run" if row.dry_run else "", "yellow"),
    )


def _facts(row: Row) -> list[Line]:
    """Return what ties the run to others and to its API; only what is there."""
    request = (
        row.request_url and f"{row.request_url}  {row.http_status}, {row.response_bytes} bytes"
    )
    known = {
        "request": request,
        "chat": row.chat_id,
        "user": row.user_id,
        "assistant": row.assistant,
        "called by": row.parent_id and str(row.parent_id),
    }
    return [line(Span(f"  {name}: ", "cyan"), text) for name, text in known.items() if text]


def _values(row: Row) -> list[Line]:
    rows = [line(Span("  arguments:", "cyan")), *indented(json_text(row.args), "    ")]
    if row.error:
        return [*rows, line("  ", Span(row.error.code, "bold red"), f" {row.error.message}")]
    return [*rows, line(Span("  result:", "cyan")), *indented(json_text(row.result), "    ")]
