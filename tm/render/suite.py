"""Runs of several tools: a line for each, and one that sums up."""

from __future__ import annotations

from tm.render.lines import Line, Span, line
from tm.render.steps import duration, verdict
from tm.runner.suite import Outcome, Summary


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


def summary_line(summary: Summary) -> Line:
    """Return `2 ok, 1 failed, 1 skipped in 1.25 s`."""
    counts = (
        (summary.count(True), "ok", "green"),
        (summary.count(False), "failed", "bold red"),
        (summary.count(None), "skipped", "yellow"),
    )
    parts = [Span(f"{n} {word}", style) for n, word, style in counts if n or word == "ok"]
    joined = [span for part in parts for span in (Span(", "), part)][1:]
    return line(*joined, Span(f" in {duration(summary.duration_ms)}", "dim"))
