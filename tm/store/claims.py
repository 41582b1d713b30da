"""Which minute of a scheduled task is taken: two processes that ask at once get it once.

What lives here: the rows of tasks. What must not: cron expressions, running anything.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from tm.store.tables import Tables
from tm.store.times import iso


class TaskState(NamedTuple):
    """What is known of a task.

    Attributes:
        done_until: the last minute that needs no run any more, in UTC.
        last_run_at: when it began to run last; None: never.
    """

    done_until: datetime
    last_run_at: datetime | None


class Claims:
    """The tasks' rows in the workspace's database."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def state(self, tenant: str, task: str) -> TaskState | None:
        """Return what is known of a task; None: it was never looked at."""
        sql = "SELECT done_until, last_run_at FROM scheduled_tasks WHERE tenant = ? AND task = ?"
        for done_until, last_run_at in self._tables.execute(sql, (tenant, task)):
            last = None if last_run_at is None else datetime.fromisoformat(last_run_at)
            return TaskState(datetime.fromisoformat(done_until), last)
        return None

    def note(self, tenant: str, task: str, minute: datetime) -> None:
        """Note that a task is known from this minute on: what it misses later is caught up."""
        sql = (
            "INSERT INTO scheduled_tasks (tenant, task, done_until) VALUES (?, ?, ?)"
            " ON CONFLICT (tenant, task) DO NOTHING"
        )
        self._tables.execute(sql, (tenant, task, iso(minute)))

    def claim(self, tenant: str, task: str, minute: datetime, now: datetime) -> bool:
        """Take a minute, with everything missed before it; False: somebody has taken it.

        Args:
            tenant: code.
            task: name.
            minute: the present one, in UTC.
            now: noted as the time of the run.
        """
        sql = (
            "INSERT INTO scheduled_tasks (tenant, task, done_until, last_run_at)"
            " VALUES (?, ?, ?, ?)"
            " ON CONFLICT (tenant, task) DO UPDATE SET"
            " done_until = excluded.done_until, last_run_at = excluded.last_run_at"
            " WHERE scheduled_tasks.done_until < excluded.done_until"
            " RETURNING task"
        )
        return bool(self._tables.execute(sql, (tenant, task, iso(minute), iso(now))))

    def take(self, tenant: str, task: str, minute: datetime, now: datetime) -> None:
        """Take a minute whoever has it: a person said that the task is to run now."""
        if not self.claim(tenant, task, minute, now):
            sql = "UPDATE scheduled_tasks SET last_run_at = ? WHERE tenant = ? AND task = ?"
            self._tables.execute(sql, (iso(now), tenant, task))
