"""What the execution log takes and gives: the data of one run, filters, rows.

What lives here: frozen data and the protocol of a log. What must not: SQL, files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NotRequired, Protocol, TypedDict, Unpack

from tm.model import ABSENT, Absent, Json

DEFAULT_LIMIT: Final = 50


class NewRun(TypedDict):
    """What is known when a run starts. Everything is masked already.

    Keys:
        args: as given; JSON.
        parent_id: row of the run that called this one; None for a top-level run.
    """

    tenant: str
    tool_name: str
    entry_type: str
    args: Json
    parent_id: NotRequired[int | None]
    chat_id: NotRequired[str | None]
    user_id: NotRequired[str | None]
    assistant: NotRequired[str | None]
    dry_run: NotRequired[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What is known when a run has ended. Everything is masked already.

    Attributes:
        state: `ok`, `failed`, or `killed` for a run that Ctrl-C or a signal ended.
        result: JSON; None where the run failed.
        http_status, request_url, response_bytes: of the last exchange; None without one.
        steps, log: in the shapes of `--json` output.
        args: the validated arguments; `ABSENT` leaves those of the start.
    """

    state: str
    duration_ms: float
    result: Json = None
    error_code: str | None = None
    error_message: str | None = None
    http_status: int | None = None
    request_url: str | None = None
    response_bytes: int | None = None
    steps: Sequence[Json] = ()
    log: Sequence[Json] = ()
    args: Json | Absent = ABSENT


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rows to list; None and False mean no restriction.

    Attributes:
        failed: only runs that failed or were killed.
        dry_run: only dry runs.
        since: the earliest start, included. Aware.
        until: the first moment that is too late. Aware.
        slower_than_ms: shortest duration, in milliseconds, not included.
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
    limit: int = DEFAULT_LIMIT


@dataclass(frozen=True, slots=True)
class RunError:
    """Why a run failed."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class RunDetail:
    """The long part of a row, which `tm log show` adds."""

    steps: Sequence[Json]
    log: Sequence[Json]
    children: Sequence[Row]


@dataclass(frozen=True, slots=True)
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


_COLUMNS: Final = tuple(name for name in Row.__slots__ if name != "detail")


class LogStore(Protocol):
    """A place for the execution log. SQLite is one; a server's database may be another.

    No method raises because of the database: a log that can't be written never fails a tool.
    """

    def start(self, **run: Unpack[NewRun]) -> int | None:
        """Keep that a run begins; return its id, or None where that was not possible."""

    def finish(self, row_id: int | None, **outcome: Any) -> None:
        """Keep how a run ended: the fields of `Outcome`. With None as id, do nothing."""

    def close(self) -> None:
        """Let go of the database. A later call opens it again."""


class LogReader(Protocol):
    """What `tm log` reads from."""

    def entries(self, filters: Filters) -> list[Row]:
        """Return the newest rows that pass, newest first.

        Raises:
            UsageError: the database can't be read.
        """

    def show(self, row_id: int, *, tenant: str | None = None) -> Row | None:
        """Return one run with steps, log and nested runs; None where the tenant has none such.

        Raises:
            UsageError: the database can't be read.
        """
