"""Runs as they end, for whoever watches.

What lives here: which rows were not told yet. What must not: waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tm.records import replace
from tm.store.place import Connection
from tm.store.rows import Filters, Row

# Several processes take ids in one order and may commit in another.
_SLACK: Final = 200
_RUNNING: Final = """
SELECT min(id) FROM task_log_entries WHERE settled = 0 AND state = 'running'
"""
_NEWEST: Final = "SELECT max(id) FROM task_log_entries"


class Follower:
    """Tells each run that passes the filters once, when it has ended.

    Args:
        newest: lists the newest rows that pass.
        rows_after: yields the rows behind an id that pass, oldest first.
        mark: as the function of that name.
    """

    def __init__(
        self,
        filters: Filters,
        newest: Callable[[Filters], list[Row]],
        rows_after: Callable[[Filters, int], Iterator[Row]],
        mark: Callable[[], tuple[int, int]],
    ) -> None:
        self._filters = filters
        self._newest = newest
        self._rows_after = rows_after
        self._mark = mark
        self._low = 0
        self._told: set[int] = set()

    def begin(self, most: int = 10) -> list[Row]:
        """Return the newest runs that have ended, oldest first; `next` tells only later ones."""
        self._move(*self._mark())
        everything = replace(self._filters, search=None)
        self._told = {row.id for row in self._rows_after(everything, self._low) if _has_ended(row)}
        limited = replace(self._filters, limit=min(most, self._filters.limit))
        return [row for row in reversed(self._newest(limited)) if _has_ended(row)]

    def next(self) -> list[Row]:
        """Return the runs that have ended since, oldest first."""
        lowest_running, newest = self._mark()
        fresh = [
            row
            for row in self._rows_after(self._filters, self._low)
            if _has_ended(row) and row.id not in self._told
        ]
        self._told |= {row.id for row in fresh}
        self._move(lowest_running, newest)
        return fresh

    def _move(self, lowest_running: int, newest: int) -> None:
        """Forget what is far behind the oldest run that is still going."""
        self._low = max(self._low, min(lowest_running - 1, newest) - _SLACK)
        self._told = {row_id for row_id in self._told if row_id > self._low}


def _has_ended(row: Row) -> bool:
    return row.state != "running"


def mark(connection: Connection) -> tuple[int, int]:
    """Return the id of the oldest run that is going, and that of the newest of all."""
    (newest,) = connection.execute(_NEWEST).fetchone()
    (running,) = connection.execute(_RUNNING).fetchone()
    return running or (newest or 0) + 1, newest or 0
