"""Finds the newest rows of a filter by reading one end of one index.

What lives here: SQL that selects ids. What must not: what a row looks like.

SQLite keeps no statistics of this table, so it can't choose among indexes; each filter names its
own (`INDEXED BY`), the most selective first. What no index covers is compared row by row.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tm.store.rows import Filters
from tm.store.times import iso

if TYPE_CHECKING:
    from sqlite3 import Connection

_ENDED: Final = "state <> 'running'"
_FAILED: Final = "state IN ('failed', 'killed')"
_NEWEST: Final = "ORDER BY started_at DESC, id DESC LIMIT ?"
_TENANTS: Final = """
WITH RECURSIVE found (code) AS (
    SELECT min(tenant) FROM task_log_entries WHERE state <> 'running'
    UNION ALL
    SELECT (SELECT min(tenant) FROM task_log_entries WHERE state <> 'running' AND tenant > code)
    FROM found WHERE code IS NOT NULL
)
SELECT code FROM found WHERE code IS NOT NULL
"""

# Fewer slow runs than this are sorted; of more, one is met often enough by reading on from the
# newest. Either way some thousand entries of an index are read.
_FEW: Final = 4000


class _Condition(NamedTuple):
    sql: str
    value: Any = None


def newest_ids(connection: Connection, filters: Filters) -> list[int]:
    """Return the ids of the newest rows that pass, newest first."""
    tenants = [filters.tenant] if filters.tenant is not None else _tenants(connection)
    found = _running(connection, filters)
    for tenant in tenants:
        found += _ended(connection, tenant, filters)
    found.sort(reverse=True)
    return [row_id for _, row_id in found[: filters.limit]]


def _tenants(connection: Connection) -> list[str]:
    return [code for (code,) in connection.execute(_TENANTS)]


def _running(connection: Connection, filters: Filters) -> list[tuple[str, int]]:
    """Return what has not ended; these rows are few and in no index but that of their state."""
    if filters.failed or filters.slower_than_ms is not None:
        return []
    conditions = _conditions(filters)
    if filters.tenant is not None:
        conditions.append(_Condition("tenant = ?", filters.tenant))
    where, values = _where([_Condition("state = 'running'"), *conditions])
    return connection.execute(
        f"SELECT started_at, id FROM task_log_entries INDEXED BY log_running {where}",  # noqa: S608  no value is in it
        values,
    ).fetchall()


def _ended(connection: Connection, tenant: str, filters: Filters) -> list[tuple[str, int]]:
    index = _index(connection, tenant, filters)
    state = _FAILED if filters.failed else _ENDED
    conditions = [_Condition(state), _Condition("tenant = ?", tenant), *_conditions(filters)]
    if filters.slower_than_ms is not None:
        conditions.append(_Condition("duration_ms > ?", filters.slower_than_ms))
    where, values = _where(conditions)
    sql = f"SELECT started_at, id FROM task_log_entries INDEXED BY {index} {where} {_NEWEST}"  # noqa: S608  as above
    return connection.execute(sql, (*values, filters.limit)).fetchall()


def _index(connection: Connection, tenant: str, filters: Filters) -> str:
    """Return the index of the filter that few rows pass."""
    by_filter = {
        "log_chat": filters.chat is not None,
        "log_failed": filters.failed,
        "log_assistant": filters.assistant is not None,
        "log_dry_run": filters.dry_run,
        "log_tool": filters.tool is not None,
        "log_entry_type": filters.entry_type is not None,
    }
    for index, is_given in by_filter.items():
        if is_given:
            return index
    is_rare = filters.slower_than_ms is not None and _is_rare(
        connection, tenant, filters.slower_than_ms
    )
    return "log_duration" if is_rare else "log_tenant"


def _is_rare(connection: Connection, tenant: str, slower_than_ms: float) -> bool:
    (count,) = connection.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM task_log_entries WHERE {_ENDED}"  # noqa: S608  as above
        " AND tenant = ? AND duration_ms > ? LIMIT ?)",
        (tenant, slower_than_ms, _FEW),
    ).fetchone()
    return bool(count < _FEW)


def _conditions(filters: Filters) -> list[_Condition]:
    """Return the conditions that hold for running and ended rows alike, without the tenant."""
    columns = {
        "tool_name = ?": filters.tool,
        "entry_type = ?": filters.entry_type,
        "assistant = ?": filters.assistant,
        "chat_id = ?": filters.chat,
        "started_at >= ?": _text(filters.since),
        "started_at < ?": _text(filters.until),
    }
    found = [_Condition(sql, value) for sql, value in columns.items() if value is not None]
    return [*found, _Condition("dry_run = 1")] if filters.dry_run else found


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)


def _where(conditions: list[_Condition]) -> tuple[str, tuple[Any, ...]]:
    sql = " AND ".join(condition.sql for condition in conditions)
    return f"WHERE {sql}", tuple(c.value for c in conditions if "?" in c.sql)
