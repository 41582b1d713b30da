"""Runs, failures and durations of each tool.

What lives here: counting in the database. What must not: showing.
"""

from __future__ import annotations

from typing import Any, Final

from tm.records import record
from tm.store.place import Connection
from tm.store.queries import where
from tm.store.rows import Filters

_COUNTED: Final = """
WITH ranked AS (
    SELECT tool_name, state, duration_ms,
        row_number() OVER (
            PARTITION BY tool_name, duration_ms IS NULL ORDER BY duration_ms
        ) AS place,
        count(duration_ms) OVER (PARTITION BY tool_name) AS timed
    FROM task_log_entries WHERE {where}
)
SELECT tool_name, count(*),
    sum(CASE WHEN state IN ('failed', 'killed') THEN 1 ELSE 0 END),
    min(CASE WHEN place * 100 >= timed * 50 THEN duration_ms END),
    min(CASE WHEN place * 100 >= timed * 95 THEN duration_ms END)
FROM ranked GROUP BY tool_name ORDER BY tool_name
"""


@record
class ToolStatistics:
    """How the runs of one tool went.

    Attributes:
        failures: runs that failed or were killed.
        p50_ms, p95_ms: the shortest duration that half, or 95 in 100, of the runs do not exceed
            (nearest rank); None where no run has a duration.
    """

    tool: str
    runs: int
    failures: int
    p50_ms: float | None
    p95_ms: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the shape of `tm log stats --json`."""
        return {name: getattr(self, name) for name in self.__match_args__}


def statistics(connection: Connection, filters: Filters) -> list[ToolStatistics]:
    """Return the statistics of each tool with runs that pass, by name; no limit holds."""
    condition, values = where(filters)
    rows = connection.execute(_COUNTED.format(where=condition), values).fetchall()
    return [ToolStatistics(*row) for row in rows]
