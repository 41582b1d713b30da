"""Reads the execution log: lists with filters, and one run with its nested runs as a tree.

What lives here: rows made of what the database holds, and the word on runs whose process is
gone. What must not: rendering.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tm.errors import UsageError
from tm.records import replace
from tm.store.database import database_failures, open_to_read, why
from tm.store.encoding import from_text
from tm.store.owners import is_gone
from tm.store.queries import newest_ids
from tm.store.rows import Filters, Row, RunDetail, RunError
from tm.store.times import iso, utc_now

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

KILLED_CODE: Final = "TM521"
_KILLED: Final = "the process that ran this tool ended before the run did"
_PRESUMED_DEAD_AFTER: Final = timedelta(days=1)

_SHORT: Final = (
    "id, started_at, tenant, tool_name, entry_type, state, args, result, error_code,"
    " error_message, duration_ms, http_status, request_url, response_bytes, parent_id, chat_id,"
    " user_id, assistant, dry_run"
)
_TREE: Final = f"""
WITH RECURSIVE tree (id) AS (
    SELECT id FROM task_log_entries WHERE id = :id AND (:tenant IS NULL OR tenant = :tenant)
    UNION
    SELECT child.id FROM tree JOIN task_log_entries AS child ON child.parent_id = tree.id
    WHERE child.parent_id IS NOT NULL AND (:tenant IS NULL OR child.tenant = :tenant)
)
SELECT {_SHORT}, steps, log FROM task_log_entries WHERE id IN tree ORDER BY id
"""  # noqa: S608  no value is in it
_SWEEP: Final = """
UPDATE task_log_entries SET state = 'killed', error_code = ?, error_message = ?
WHERE id = ? AND state = 'running'
"""


class ExecutionLogReader:
    """Reads the log of a workspace. A log that was never written is empty."""

    def __init__(self, path: Path, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._path = path
        self._clock = clock

    def entries(self, filters: Filters) -> list[Row]:
        """Return the newest rows that pass, newest first.

        Raises:
            UsageError: the database can't be read.
        """
        return self._read(lambda connection: _entries(connection, filters), [])

    def show(self, row_id: int, *, tenant: str | None = None) -> Row | None:
        """Return one run with steps, log and nested runs; None where the tenant has none such.

        Raises:
            UsageError: the database can't be read.
        """
        if not 0 < row_id < 1 << 63:
            return None
        return self._read(lambda connection: _tree(connection, row_id, tenant), None)

    def _read(self, read: Callable[[Connection], T], empty: T) -> T:
        now = self._clock()
        try:
            connection = open_to_read(self._path, now=iso(now))
            if connection is None:
                return empty
            with closing(connection):
                _sweep(connection, now)
                return read(connection)
        except database_failures() as error:
            place = f"{self._path.parent.name}/{self._path.name}"
            raise UsageError(
                f"the execution log {place} can't be read: {why(error)}",
                code="TM500",
                hint="if it is damaged, move the file away; the next run makes a new one",
            ) from error


def _sweep(connection: Connection, now: datetime) -> None:
    """Mark runs as killed whose process is gone; of those on other machines, after a day."""
    running = connection.execute(
        "SELECT id, owner, started_at FROM task_log_entries WHERE settled = 0 AND state = 'running'"
    ).fetchall()
    presumed = iso(now.astimezone(UTC) - _PRESUMED_DEAD_AFTER)
    states: dict[str, bool | None] = {}
    for row_id, owner, started_at in running:
        if owner not in states:
            states[owner] = is_gone(owner)
        gone = states[owner]
        if gone or (gone is None and started_at < presumed):
            # A log that can only be read still shows what it holds.
            with suppress(*database_failures()):
                connection.execute(_SWEEP, (KILLED_CODE, _KILLED, row_id))


def _entries(connection: Connection, filters: Filters) -> list[Row]:
    ids = newest_ids(connection, filters)
    rows: dict[int, Row] = {}
    # SQLite takes a limited number of values in one statement.
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        marks = ",".join("?" * len(some))
        sql = f"SELECT {_SHORT} FROM task_log_entries WHERE id IN ({marks})"  # noqa: S608  question marks
        rows.update((record[0], _row(record)) for record in connection.execute(sql, some))
    # A row may be pruned between the two statements.
    return [rows[row_id] for row_id in ids if row_id in rows]


def _tree(connection: Connection, row_id: int, tenant: str | None) -> Row | None:
    """Return the run with its nested runs below it, each level in the order of their starts."""
    records = connection.execute(_TREE, {"id": row_id, "tenant": tenant}).fetchall()
    children: dict[int, list[Row]] = {}
    root: Row | None = None
    # From the last to the first: a run starts after the one that called it.
    for *short, steps, log in reversed(records):
        root = _row(tuple(short))
        nested = tuple(reversed(children.pop(root.id, [])))
        detail = RunDetail(from_text(steps) or (), from_text(log) or (), nested)
        root = replace(root, detail=detail)
        if root.parent_id is not None:
            children.setdefault(root.parent_id, []).append(root)
    return root


def _row(record: tuple[Any, ...]) -> Row:
    (row_id, started_at, tenant, tool_name, entry_type, state, args, result, code, message,
     duration_ms, http_status, request_url, response_bytes, parent_id, chat_id, user_id,
     assistant, dry_run) = record  # fmt: skip
    return Row(
        id=row_id,
        started_at=started_at,
        tenant=tenant,
        tool_name=tool_name,
        entry_type=entry_type,
        state=state,
        args=from_text(args),
        result=from_text(result),
        error=RunError(code, message or "") if code else None,
        duration_ms=duration_ms,
        http_status=http_status,
        request_url=request_url,
        response_bytes=response_bytes,
        parent_id=parent_id,
        chat_id=chat_id,
        user_id=user_id,
        assistant=assistant,
        dry_run=bool(dry_run),
    )
