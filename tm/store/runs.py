"""What the execution log takes: the data of one run, and the protocol of a place for it.

What lives here: types. What must not: SQL, files, and whatever only readers need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, Protocol, TypedDict, Unpack

from tm.model import Json


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


class Outcome(TypedDict):
    """What is known when a run has ended. Everything is masked already.

    Keys:
        state: `ok`, `failed`, or `killed` for a run that Ctrl-C or a signal ended.
        result: JSON; None where the run failed.
        http_status, request_url, response_bytes: of the last exchange; None without one.
        steps, log: in the shapes of `--json` output.
        args: the validated arguments; without it those of the start stay.
    """

    state: str
    duration_ms: float
    result: NotRequired[Json]
    error_code: NotRequired[str | None]
    error_message: NotRequired[str | None]
    http_status: NotRequired[int | None]
    request_url: NotRequired[str | None]
    response_bytes: NotRequired[int | None]
    steps: NotRequired[Sequence[Json]]
    log: NotRequired[Sequence[Json]]
    args: NotRequired[Json]


class LogStore(Protocol):
    """A place for the execution log. SQLite is one; a server's database may be another.

    No method raises because of the database: a log that can't be written never fails a tool.
    """

    def start(self, **run: Unpack[NewRun]) -> int | None:
        """Keep that a run begins; return its id, or None where that was not possible."""

    def finish(self, row_id: int | None, **outcome: Unpack[Outcome]) -> None:
        """Keep how a run ended. With None as id, do nothing."""

    def close(self) -> None:
        """Let go of the database. A later call opens it again."""
