"""Runs of several tools: a line for each, the slowest of them, and one line that sums up."""

from __future__ import annotations

from collections.abc import Mapping

from tm.render.annotation import annotation
from tm.render.lines import Line, Span, columns, duration, line
from tm.render.steps import verdict
from tm.runner.suite.outcomes import Outcome, Tally


def outcome_line(outcome: Outcome) -> Line:
    """Return the line that says what became of one check."""
    if outcome.report is not None:
        found = verdict(outcome.report)
        code = outcome.report.error.code if outcome.report.error else ""
        return [*found, Span(f"  {code}", "bold red")] if code else found
    check = outcome.check
    if check.error is not None:
        return line(Span("failed", "bold red"), f"  {check.tool}", f"  {check.error.code}")
    return line(Span("skipped", "yellow"), f"  {check.tool}", Span(f"  {check.skipped}", "dim"))


def outcome_annotation(outcome: Outcome, prefix: str) -> str:
    """Return what GitHub Actions shows of a failure beside the tool's file.

    Args:
        prefix: leads from the repository's top to the root.
    """
    check, error = outcome.check, outcome.error
    properties: dict[str, str] = {}
    at = check.at or (error.at if error else None)
    if at is not None:
        properties["file"] = prefix + at.path
        properties |= {"line": str(at.line)} if at.line else {}
    case = f" [{check.case}]" if check.case else ""
    properties["title"] = f"{check.tenant}: {check.tool}{case}"
    message = f"{error.code} {error}" if error else "failed"
    return annotation("error", properties, message)


def slowest_lines(tally: Tally) -> list[Line]:
    """Return the slowest runs, slowest first; nothing where there was only one."""
    rows = tally.slowest()
    if len(rows) < 2:
        return []
    cells = [
        (f"  {duration(ms):>8}", f"{tool}{f' [{case}]' if case else ''}", tenant)
        for tenant, tool, case, ms in rows
    ]
    return [
        line(Span("slowest:", "dim")),
        *(line(ms, name, Span(code, "dim")) for ms, name, code in columns(cells)),
    ]


def summary_line(tally: Tally) -> Line:
    """Return `2 ok, 1 failed, 1 skipped in 1.25 s`."""
    counts: Mapping[str, tuple[int, str]] = {
        "ok": (tally.passed, "green"),
        "failed": (tally.failed, "bold red"),
        "skipped": (tally.skipped, "yellow"),
        "not run": (tally.left_out, "yellow"),
    }
    parts = [
        Span(f"{number} {word}", style)
        for word, (number, style) in counts.items()
        if number or word == "ok"
    ]
    joined = [span for part in parts for span in (Span(", "), part)][1:]
    return line(*joined, Span(f" in {duration(tally.duration_ms)}", "dim"))
