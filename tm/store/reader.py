"""Reads the execution log: lists with filters, and one run with its nested runs as a tree.

What lives here: rows made of what the database holds, and the word on runs whose process is
gone. What must not: rendering.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tm.errors import UsageError
from tm.records import replace
from tm.store.database import database_failures, next_step, why
from tm.store.encoding import from_text
from tm.store.owners import is_gone
from tm.store.place import Connection, Place
from tm.store.queries import newest_ids, where
from tm.store.rows import Filters, Row, RunDetail, RunError
from tm.store.times import iso, utc_now

if TYPE_CHECKING:
    from tm.store.follow import Follower
    from tm.store.statistics import ToolStatistics

T = TypeVar("T")

_ALL: Final = 2**62
_PORTION: Final = 500  # SQLite takes a limited number of values in one statement

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
    SELECT id FROM task_log_entries WHERE id = ? AND (CAST(? AS TEXT) IS NULL OR tenant = ?)
    UNION
    SELECT child.id FROM tree JOIN task_log_entries AS child ON child.parent_id = tree.id
    WHERE child.parent_id IS NOT NULL AND (CAST(? AS TEXT) IS NULL OR child.tenant = ?)
)
SELECT {_SHORT}, steps, log FROM task_log_entries WHERE id IN (SELECT id FROM tree) ORDER BY id
"""  # noqa: S608  no value is in it
_SWEEP: Final = """
UPDATE task_log_entries SET state = 'killed', error_code = ?, error_message = ?
WHERE id = ? AND state = 'running'
"""


class ExecutionLogReader:
    """Reads the log of a workspace. A log that was never written is empty."""

    def __init__(self, place: Place, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._place = place
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

    def statistics(self, filters: Filters) -> list[ToolStatistics]:
        """Return runs, failures and durations of each tool, by name; no limit holds.

        Raises:
            UsageError: the database can't be read.
        """
        from tm.store.statistics import statistics  # noqa: PLC0415  lists need none of it

        return self._read(lambda connection: statistics(connection, filters), [])

    def delete_before(
        self, tenant: str, before: datetime, told: Callable[[int], None] = lambda _: None
    ) -> int:
        """Delete a tenant's runs that began before a time; return how many.

        Args:
            told: called with the number so far, after some hundred at a time.

        Raises:
            UsageError: the database can't be written.
        """
        from tm.store.prune import delete_before  # noqa: PLC0415  as above

        return self._read(lambda connection: delete_before(connection, tenant, before, told), 0)

    def export(self, filters: Filters, *, is_limited: bool = False) -> Iterator[Row]:
        """Yield the runs that pass with steps and log, oldest first; few are held at a time.

        Args:
            is_limited: only the newest, as many as the filters' limit says.

        Raises:
            UsageError: the database can't be read.
        """
        if is_limited or filters.search is not None:
            yield from self._export_found(filters if is_limited else replace(filters, limit=_ALL))
            return
        yield from self._after(filters, 0)

    def follower(self, filters: Filters) -> Follower:
        """Return what tells the runs that pass as they end."""
        from tm.store.follow import Follower, mark  # noqa: PLC0415  lists need none of it

        def after(wanted: Filters, last: int) -> Iterator[Row]:
            if wanted.search is None:
                return self._after(wanted, last)
            found = self._export_found(wanted)
            return (row for row in found if row.id > last)

        return Follower(filters, self.entries, after, lambda: self._read(mark, (1, 0)))

    def _after(self, filters: Filters, last: int) -> Iterator[Row]:
        rows = self._rows(_portion, filters, last)
        while rows:
            yield from rows
            rows = self._rows(_portion, filters, rows[-1].id)

    def _export_found(self, filters: Filters) -> Iterator[Row]:
        none: list[int] = []
        ids = self._read(lambda connection: newest_ids(connection, filters), none)
        while ids:
            some, ids = ids[-_PORTION:], ids[:-_PORTION]
            yield from self._rows(_whole, some)

    def _rows(self, read: Callable[..., list[Row]], *words: Any) -> list[Row]:
        none: list[Row] = []
        return self._read(lambda connection: read(connection, *words), none)

    def _read(self, read: Callable[[Connection], T], empty: T) -> T:
        now = self._clock()
        try:
            connection = self._place.open_to_read(now=iso(now))
            if connection is None:
                return empty
            with closing(connection):
                _sweep(connection, now)
                return read(connection)
        except database_failures() as error:
            place = self._place.name
            raise UsageError(
                f"the execution log {place} can't be read: {why(error)}",
                code="TM500",
                hint=next_step(
                    error, "if it is damaged, move the file away; the next run makes a new one"
                ),
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
    for start in range(0, len(ids), _PORTION):
        some = ids[start : start + _PORTION]
        marks = ",".join("?" * len(some))
        sql = f"SELECT {_SHORT} FROM task_log_entries WHERE id IN ({marks})"  # noqa: S608  question marks
        rows.update((record[0], _row(record)) for record in connection.execute(sql, some))
    # A row may be pruned between the two statements.
    return [rows[row_id] for row_id in ids if row_id in rows]


def _whole(connection: Connection, ids: list[int]) -> list[Row]:
    """Return rows with steps and log in the reverse order of the ids."""
    marks = ",".join("?" * len(ids))
    sql = f"SELECT {_SHORT}, steps, log FROM task_log_entries WHERE id IN ({marks})"  # noqa: S608  as above
    found = {record[0]: _detailed(record, ()) for record in connection.execute(sql, ids)}
    return [found[row_id] for row_id in reversed(ids) if row_id in found]


def _portion(connection: Connection, filters: Filters, last: int) -> list[Row]:
    """Return the first rows behind an id."""
    condition, values = where(filters)
    sql = (
        f"SELECT {_SHORT}, steps, log FROM task_log_entries WHERE id > ? AND {condition}"  # noqa: S608  no value is in it
        " ORDER BY id LIMIT ?"
    )
    found = connection.execute(sql, (last, *values, _PORTION)).fetchall()
    return [_detailed(record, ()) for record in found]


def _detailed(record: tuple[Any, ...], children: tuple[Row, ...]) -> Row:
    *short, steps, log = record
    detail = RunDetail(from_text(steps) or (), from_text(log) or (), children)
    return replace(_row(tuple(short)), detail=detail)


def _tree(connection: Connection, row_id: int, tenant: str | None) -> Row | None:
    """Return the run with its nested runs below it, each level in the order of their starts."""
    records = connection.execute(_TREE, (row_id, *[tenant] * 4)).fetchall()
    children: dict[int, list[Row]] = {}
    root: Row | None = None
    # From the last to the first: a run starts after the one that called it.
    for record in reversed(records):
        root = _detailed(record, tuple(reversed(children.pop(record[0], []))))
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
