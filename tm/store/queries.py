"""Finds the newest rows of a filter by reading one end of one index.

What lives here: SQL that selects ids. What must not: what a row looks like.

SQLite keeps no statistics of this table, so it can't choose among indexes; each filter names its
own (`INDEXED BY`), the most selective first. What no index covers is compared row by row.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from tm.store.migrations import is_server
from tm.store.place import Connection
from tm.store.rows import Filters
from tm.store.times import iso
from tm.store.words import index_unsettled, match_of, pieces, postgres_condition

_SETTLED: Final = "settled = 1"
_FAILED: Final = "state IN ('failed', 'killed')"
_TENANTS: Final = """
WITH RECURSIVE found (code) AS (
    SELECT min(tenant) FROM task_log_entries WHERE settled = 1
    UNION ALL
    SELECT (SELECT min(tenant) FROM task_log_entries WHERE settled = 1 AND tenant > code)
    FROM found WHERE code IS NOT NULL
)
SELECT code FROM found WHERE code IS NOT NULL
"""

# Fewer slow runs than this are sorted; of more, one is met often enough by reading on from the
# newest. Either way some thousand entries of an index are read.
_FEW: Final = 2000


class _Condition(NamedTuple):
    sql: str
    values: tuple[Any, ...] = ()


def newest_ids(connection: Connection, filters: Filters) -> list[int]:
    """Return the ids of the newest rows that pass, newest first."""
    if filters.search is not None and not pieces(filters.search):
        return []  # no word to look for
    if filters.search is not None and not is_server(connection):
        return _with_words(connection, filters, filters.search)
    conditions = _conditions(filters)
    if filters.search is not None:
        sql, words = postgres_condition(filters.search)
        conditions.append(_Condition(sql, tuple(words)))
    tenants = [filters.tenant] if filters.tenant is not None else _tenants(connection)
    found = _unsettled(connection, filters, conditions)
    for tenant in tenants:
        found += _settled(connection, tenant, filters, conditions)
    found.sort(reverse=True)
    return [row_id for _, row_id in found[: filters.limit]]


def _with_words(connection: Connection, filters: Filters, typed: str) -> list[int]:
    """Return the newest rows that hold the words, by SQLite's own index of them."""
    index_unsettled(connection)
    condition, values = where(filters)
    found: list[tuple[str, int]] = []
    for table in ("new_words", "log_words"):
        sql = (
            f"SELECT started_at, id FROM {table} JOIN task_log_entries ON id = {table}.rowid"  # noqa: S608  no value is in it
            f" WHERE {table} MATCH ? AND {condition} ORDER BY {table}.rowid DESC LIMIT ?"
        )
        match = match_of(typed, filters.tenant)
        found += connection.execute(sql, (match, *values, filters.limit)).fetchall()
    found.sort(reverse=True)
    return [row_id for _, row_id in found[: filters.limit]]


def _tenants(connection: Connection) -> list[str]:
    return [code for (code,) in connection.execute(_TENANTS)]


def _unsettled(
    connection: Connection, filters: Filters, given: list[_Condition]
) -> list[tuple[str, int]]:
    """Return what is in no index yet: some hundred rows at most, and those that run."""
    conditions = [_Condition("settled = 0"), *given]
    if filters.tenant is not None:
        conditions.append(_Condition("tenant = ?", (filters.tenant,)))
    return _select(connection, "log_unsettled", conditions, filters.limit)


def _settled(
    connection: Connection, tenant: str, filters: Filters, given: list[_Condition]
) -> list[tuple[str, int]]:
    index = _index(connection, tenant, filters)
    of_tenant = _Condition("tenant = ?", (tenant,))
    conditions = [_Condition(_SETTLED), of_tenant, *given]
    return _select(connection, index, conditions, filters.limit)


def _select(
    connection: Connection, index: str, conditions: list[_Condition], limit: int
) -> list[tuple[str, int]]:
    """Return start and id of the newest rows, by this index."""
    where = " AND ".join(condition.sql for condition in conditions)
    values = [value for condition in conditions for value in condition.values]
    sql = (
        f"SELECT started_at, id FROM task_log_entries INDEXED BY {index} WHERE {where}"  # noqa: S608  no value is in it
        " ORDER BY started_at DESC, id DESC LIMIT ?"
    )
    found: list[tuple[str, int]] = connection.execute(sql, (*values, limit)).fetchall()
    return found


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
        f"SELECT count(*) FROM (SELECT 1 FROM task_log_entries WHERE {_SETTLED}"  # noqa: S608  as above
        " AND tenant = ? AND duration_ms > ? LIMIT ?) AS few",
        (tenant, slower_than_ms, _FEW),
    ).fetchone()
    return bool(count < _FEW)


def _conditions(filters: Filters) -> list[_Condition]:
    """Return what the filters ask for, all but the tenant."""
    columns = {
        "tool_name = ?": filters.tool,
        "entry_type = ?": filters.entry_type,
        "assistant = ?": filters.assistant,
        "chat_id = ?": filters.chat,
        "started_at >= ?": _text(filters.since),
        "started_at < ?": _text(filters.until),
        "duration_ms > ?": filters.slower_than_ms,
        _FAILED: filters.failed or None,
        "dry_run = 1": filters.dry_run or None,
    }
    return [
        _Condition(sql, (value,) if "?" in sql else ())
        for sql, value in columns.items()
        if value is not None
    ]


def where(filters: Filters) -> tuple[str, list[Any]]:
    """Return the condition of all filters but the search and the limit, and its values."""
    conditions = [_Condition("1 = 1"), *_conditions(filters)]
    if filters.tenant is not None:
        conditions.append(_Condition("task_log_entries.tenant = ?", (filters.tenant,)))
    values = [value for condition in conditions for value in condition.values]
    return " AND ".join(condition.sql for condition in conditions), values


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)
