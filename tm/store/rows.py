"""What the execution log gives: filters and rows.

What lives here: frozen data and the protocol of a reader. What must not: SQL, files.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from tm.model import Json
from tm.records import record

DEFAULT_LIMIT: Final = 50


@record
class Filters:
    """Which rows to list; None and False mean no restriction.

    Attributes:
        failed: only runs that failed or were killed.
        dry_run: only dry runs.
        since: the earliest start, included. Aware.
        until: the first moment that is too late. Aware.
        slower_than_ms: shortest duration, in milliseconds, not included.
        search: words that args or result must hold, all of them, in any case.
        limit: rows at most.
    """

    tenant: str | None = None
    tool: str | None = None
    entry_type: str | None = None
    assistant: str | None = None
    chat: str | None = None
    failed: bool = False
    dry_run: bool = False
    since: datetime | None = None
    until: datetime | None = None
    slower_than_ms: float | None = None
    search: str | None = None
    limit: int = DEFAULT_LIMIT


@record
class RunError:
    """Why a run failed."""

    code: str
    message: str


@record
class RunDetail:
    """The long part of a row, which `tm log show` adds."""

    steps: Sequence[Json]
    log: Sequence[Json]
    children: Sequence[Row]


@record
class Row:
    """One run, as it stands in the log (SPEC, section 9).

    Attributes:
        state: `running`, `ok`, `failed` or `killed`.
        started_at: UTC, ISO 8601 with microseconds and `Z`.
        duration_ms: None while it runs, and where it was killed with its process.
        detail: None in lists.
    """

    id: int
    started_at: str
    tenant: str
    tool_name: str
    entry_type: str
    state: str
    args: Json
    result: Json
    error: RunError | None
    duration_ms: float | None
    http_status: int | None
    request_url: str | None
    response_bytes: int | None
    parent_id: int | None
    chat_id: str | None
    user_id: str | None
    assistant: str | None
    dry_run: bool
    detail: RunDetail | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row's shape in `--json` output, with its detail where it has one."""
        error = self.error
        row = {name: getattr(self, name) for name in _COLUMNS}
        row["error"] = {"code": error.code, "message": error.message} if error else None
        if self.detail:
            row["steps"] = list(self.detail.steps)
            row["log"] = list(self.detail.log)
            row["children"] = [child.to_json() for child in self.detail.children]
        return row


_COLUMNS: Final[tuple[str, ...]] = tuple(name for name in Row.__match_args__ if name != "detail")
