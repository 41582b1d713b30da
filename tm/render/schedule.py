"""Scheduled tasks: a table of when they run, and what became of runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from tm.records import record
from tm.render.lines import Line, Span, columns, line
from tm.runner.tasks import TaskOutcome


@record
class TaskRow:
    """A task as `tm schedule list` shows it.

    Attributes:
        timezone: name of the zone in which the expression is meant.
        next: when it is due, in its zone; None: never, or its declaration is wrong.
        last: when it began to run last, in UTC; None: never.
    """

    tenant: str
    name: str
    cron: str | None
    timezone: str | None
    next: datetime | None
    last: datetime | None

    def to_json(self) -> dict[str, Any]:
        """Return the row in the shape of `tm schedule list --json`."""
        return {
            "name": self.name,
            "tenant": self.tenant,
            "cron": self.cron,
            "timezone": self.timezone,
            "next": None if self.next is None else self.next.isoformat(),
            "last": None if self.last is None else self.last.isoformat(timespec="seconds"),
        }


def task_lines(rows: Sequence[TaskRow]) -> Iterator[Line]:
    """Yield the table of tasks, with a head where there is something in it."""
    cells = [
        (
            row.tenant,
            row.name,
            row.cron or "-",
            _moment(row.next) if row.next else "never",
            row.timezone or "-",
            _moment(row.last) if row.last else "never",
        )
        for row in rows
    ]
    if not cells:
        return
    head, *body = columns([("tenant", "task", "cron", "next", "zone", "last (UTC)"), *cells])
    yield line(Span("".join(head), "dim"))
    for tenant, name, *rest in body:
        yield line(Span(tenant, "dim"), Span(name, "cyan"), *rest)


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M")


def task_outcome_line(outcome: TaskOutcome) -> Line:
    """Return the line that says what became of a task."""
    state = Span("ok", "green") if outcome.ok else Span("failed", "bold red")
    code = "" if outcome.error is None else f"  {outcome.error.code}"
    log = "" if outcome.log_id is None else f", log {outcome.log_id}"
    return line(state, f"  {outcome.task}", Span(f"  {outcome.tenant}{log}", "dim"), code)
