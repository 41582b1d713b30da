"""The steps of a run with their times, and its HTTP exchanges."""

from __future__ import annotations

from tm.render.lines import Line, Span, Unbroken, duration, line
from tm.runner.events import HttpCall, Report, Step, StepStatus

_STYLES: dict[StepStatus, str] = {
    "ok": "green",
    "skipped": "dim",
    "failed": "bold red",
    "stubbed": "yellow",
}


def step_lines(report: Report) -> list[Line]:
    """Return the steps that ran, the exchanges below `request`, and one line that sums up."""
    rows: list[Line] = []
    for step in report.steps:
        if step.status != "skipped":
            rows.append(step_line(step))
        if step.name == "request":
            rows += [_exchange(call) for call in report.http]
    if all(step.name != "request" for step in report.steps):
        rows += [_exchange(call) for call in report.http]
    skipped = ", ".join(step.name for step in report.steps if step.status == "skipped")
    rows += [line(Span(f"  skipped: {skipped}", "dim"))] if skipped else []
    return [*rows, verdict(report)]


def verdict(report: Report) -> Line:
    """Return the line that says how the run ended."""
    word, style = ("ok", "bold green") if report.ok else ("failed", "bold red")
    notes: list[str] = [report.mode] if report.mode != "live" else []
    notes += ["dry run: no write was sent"] if report.dry_run else []
    notes += [f"log {report.log_id}"] if report.log_id is not None else []
    tail = "".join(f", {note}" for note in notes)
    return line(
        Span(word, style),
        f"  {report.tool}",
        Span(f" [{report.case}]" if report.case else "", "dim"),
        Span(f"  {report.tenant}, {duration(report.duration_ms)}{tail}", "dim"),
    )


def step_line(step: Step) -> Line:
    """Return one step with its status and its time."""
    return line(
        f"  {step.name:<12}  ",
        Span(f"{step.status:<7}", _STYLES[step.status]),
        Span(f"  {duration(step.ms):>8}", "dim"),
    )


def _exchange(call: HttpCall) -> Line:
    """Return one exchange; the address comes last, because it may be long."""
    if call.stubbed:
        outcome = "not sent"
    else:
        status = "no answer" if call.status is None else str(call.status)
        outcome = f"{status}, {call.bytes} bytes, {duration(call.ms)}"
    tries = f", {call.attempts} attempts" if call.attempts > 1 else ""
    return Unbroken(line(Span(f"    {outcome}{tries}  {call.method} {call.url}", "dim")))
