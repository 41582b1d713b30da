"""The execution log: a row for each run, written when it starts and when it ends.

What lives here: writing, and what happens where that fails. What must not: reading (`reader` does).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeVar, Unpack

from tm.store.database import database_failures, next_step, why
from tm.store.encoding import plain, to_text
from tm.store.migrations import SETTLE_EVERY, settle
from tm.store.owners import is_one_of, this_process
from tm.store.place import Connection, Place
from tm.store.runs import NewRun, Outcome
from tm.store.times import iso, utc_now

if TYPE_CHECKING:
    from tm.store.reader import ExecutionLogReader
    from tm.store.rows import Filters, Row

T = TypeVar("T")

RETRY_AFTER_S: Final = 30.0
"""How long a log that failed is left alone: a tool must not wait for it at every run."""

_START: Final = """
INSERT INTO task_log_entries (started_at, tenant, tool_name, entry_type, state, dry_run,
    parent_id, chat_id, user_id, assistant, owner, args)
VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""

_FINISH: Final = """
UPDATE task_log_entries SET state = ?, duration_ms = ?, http_status = ?, response_bytes = ?,
    request_url = ?, error_code = ?, error_message = ?, result = ?, steps = ?, log = ?,
    args = coalesce(?, args)
WHERE id = ? AND settled = 0
"""

_RUNNING: Final = "SELECT id, owner FROM task_log_entries WHERE settled = 0 AND state = 'running'"
_STOP: Final = """
UPDATE task_log_entries SET state = 'killed', error_code = ?, error_message = ?
WHERE id = ? AND state = 'running'
"""


class ExecutionLog:
    """Writes runs. Safe to share between threads, and to keep over a fork.

    The file is opened at the first run. Nothing here raises because of the database: the first
    failure of the process is told once, and after `RETRY_AFTER_S` seconds it is tried again.
    """

    def __init__(
        self,
        place: Place,
        *,
        clock: Callable[[], datetime] = utc_now,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._place = place
        self._clock = clock
        self._warn = warn
        self._lock = Lock()
        self._connection: Connection | None = None
        self._owner = ""
        self._pid = 0
        self._left_behind: list[Connection] = []
        self._failed_at: float | None = None
        self._warned = False

    def start(self, **run: Unpack[NewRun]) -> int | None:
        """Write that a run begins; return its id, or None where that was not possible."""
        fields = (
            plain(run["tenant"]), plain(run["tool_name"]), run["entry_type"],
            run.get("dry_run", False), run.get("parent_id"), plain(run.get("chat_id")),
            plain(run.get("user_id")), plain(run.get("assistant")),
        )  # fmt: skip
        args = to_text(run["args"])

        def insert(connection: Connection) -> int | None:
            now = iso(self._clock())
            values = (now, *fields, self._owner, args)
            row_id: int = connection.execute(_START, values).fetchone()[0]
            if row_id % SETTLE_EVERY == 0:
                with suppress(*database_failures()):  # the next one will do it
                    settle(connection)
            return row_id

        return self._guarded(insert)

    def finish(self, row_id: int | None, **outcome: Unpack[Outcome]) -> None:
        """Write how a run ended. With None as id, do nothing."""
        if row_id is None:
            return
        values = (
            outcome["state"],
            outcome["duration_ms"],
            outcome.get("http_status"),
            outcome.get("response_bytes"),
            plain(outcome.get("request_url")),
            outcome.get("error_code"),
            plain(outcome.get("error_message")),
            to_text(outcome.get("result")),
            to_text(list(outcome.get("steps", ()))),
            to_text(list(outcome.get("log", ()))),
            to_text(outcome["args"]) if "args" in outcome else None,
            row_id,
        )
        self._guarded(lambda connection: connection.execute(_FINISH, values))

    def note_stopped(self, pids: Collection[int], *, code: str, message: str) -> None:
        """Write why what other processes of this machine ran did not end: they were stopped.

        Args:
            pids: of processes that are gone.
        """

        def stop(connection: Connection) -> None:
            for row_id, owner in connection.execute(_RUNNING).fetchall():
                if is_one_of(owner, pids):
                    connection.execute(_STOP, (code, message, row_id))

        self._guarded(stop)

    def entries(self, filters: Filters) -> list[Row]:
        """Return the newest rows that pass, newest first.

        Raises:
            UsageError: the database can't be read.
        """
        return self._reader().entries(filters)

    def show(self, row_id: int, *, tenant: str | None = None) -> Row | None:
        """Return one run with steps, log and nested runs; None where the tenant has none such.

        Raises:
            UsageError: the database can't be read.
        """
        return self._reader().show(row_id, tenant=tenant)

    def _reader(self) -> ExecutionLogReader:
        from tm.store.reader import ExecutionLogReader  # noqa: PLC0415  no run pays for it

        return ExecutionLogReader(self._place, clock=self._clock)

    def close(self) -> None:
        """Close the file. A later run opens it again.

        The last process that closes also tidies up, which waits for the disk two or three times.
        A command that ends anyway may leave it: every row is safe when its call returns.
        """
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None and self._pid == os.getpid():
                connection.close()

    def _guarded(self, write: Callable[[Connection], T]) -> T | None:
        """Do one write; on a failure warn (once) and return None."""
        if self._failed_at is not None and time.monotonic() - self._failed_at < RETRY_AFTER_S:
            return None
        with self._lock:
            try:
                return write(self._opened())
            except database_failures() as error:
                self._failed_at = time.monotonic()
                fault = error
        self._tell(fault)
        return None

    def _opened(self) -> Connection:
        pid = os.getpid()
        if self._connection is not None and self._pid != pid:
            # The parent goes on with its connection: closing the copy would break its locks.
            self._left_behind.append(self._connection)
            self._connection = None
        if self._connection is not None and getattr(self._connection, "is_lost", False):
            self._connection = None  # a server that was restarted
        if self._connection is None:
            self._connection = self._place.open(now=iso(self._clock()))
            self._owner, self._pid = this_process(), pid
        return self._connection

    def _tell(self, error: Exception) -> None:
        if self._warned:
            return
        self._warned = True
        place, step = self._place.name, next_step(error, "")
        said = f"{why(error)}: {step}" if step else why(error)
        self._warn(f"the execution log {place} can't be written, runs are not kept: {said}")
