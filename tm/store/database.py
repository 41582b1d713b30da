"""Opens the SQLite file: where it lies, who may read it, which tables it has.

What lives here: opening. What must not: what is written or read.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tm.store.migrations import NEWEST, applied, migrate

if TYPE_CHECKING:
    from sqlite3 import Connection

BUSY_TIMEOUT_S: Final = 3.0
"""How long a writer waits for another one. A row takes less than a millisecond."""

_PAUSE_S: Final = 0.01
# Small pages: a run changes few bytes on several of them, and whole pages are written.
_PAGE_BYTES: Final = 1024
# The next process reads what was not moved into the file yet, a megabyte in some 3 ms.
_CHECKPOINT_PAGES: Final = 1000
_NO_CHECKPOINT_ON_CLOSE: Final = 1006  # a constant of sqlite3.h


class UnusableDatabaseError(Exception):
    """A database can't be used; the text says why.

    Attributes:
        hint: the next step; None: what helps against any damage.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class NewerDatabaseError(UnusableDatabaseError):
    """The database was written by a newer tm; this one would not understand its tables."""


def database_failures() -> tuple[type[Exception], ...]:
    """Return what may be raised here and by SQLite, without loading it before it is needed."""
    from sqlite3 import Error  # noqa: PLC0415  5 ms that a command without a log does not pay

    # Where it is not loaded, nothing of it can be raised.
    psycopg = sys.modules.get("psycopg")
    others = () if psycopg is None else (psycopg.Error,)
    return (Error, OSError, OverflowError, UnusableDatabaseError, *others)


def why(error: Exception) -> str:
    """Return a failure's reason in words that name no path."""
    return getattr(error, "strerror", None) or " ".join(str(error).split())


def next_step(error: Exception, otherwise: str) -> str:
    """Return the hint that a failure brings, or else another one."""
    return getattr(error, "hint", None) or otherwise


def open_database(path: Path, *, now: str) -> Connection:
    """Open the file for reading and writing; make it and its folder where they are missing.

    The connection is in autocommit mode and may be used by several threads, one at a time.

    Raises:
        OSError, sqlite3.Error: it can't be opened.
        NewerDatabaseError: a newer tm made it.
    """
    _prepare(path)
    connection = _connect(path)
    try:
        _set_up(connection, now)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path | str, *, uri: bool = False) -> Connection:
    from sqlite3 import connect  # noqa: PLC0415  as above

    return connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, uri=uri
    )


def open_to_read(path: Path, *, now: str) -> Connection | None:
    """Open the file as `open_database` does, or read-only; None where there is no file.

    Raises:
        OSError, sqlite3.Error, NewerDatabaseError: as `open_database`.
    """
    if not path.exists():
        return None
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return open_database(path, now=now)
    # Nobody can write it from here: without a log beside it, SQLite need not look for one, which
    # it could not do without writing.
    quiet = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    connection = _connect(f"{path.absolute().as_uri()}?mode=ro{quiet}", uri=True)
    refuse_newer(applied(connection))
    return connection


def _prepare(path: Path) -> None:
    """Make folder and file so that only their owner reads them, and git does not see them."""
    if path.exists():
        return
    if not path.parent.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        (path.parent / ".gitignore").write_text("*\n", encoding="ascii")
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _set_up(connection: Connection, now: str) -> None:
    number = _patiently(connection)
    refuse_newer(number)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    _close_quickly(connection)
    if number < NEWEST:
        migrate(connection, now=now)


def _close_quickly(connection: Any) -> None:
    """Let closing leave the write-ahead log, instead of waiting for the disk; from Python 3.12."""
    if hasattr(connection, "setconfig"):
        connection.setconfig(_NO_CHECKPOINT_ON_CLOSE, True)  # noqa: FBT003  positional there


def refuse_newer(number: int) -> None:
    """Refuse a database whose last migration this tm does not know.

    Raises:
        NewerDatabaseError: it is so.
    """
    if number > NEWEST:
        msg = f"it has the tables of a newer tm (step {number}; this tm knows {NEWEST})"
        raise NewerDatabaseError(msg)


def _patiently(connection: Connection) -> int:
    """Switch a new file to WAL, and return the number of its last migration.

    SQLite does not wait where two processes switch at once, so the waiting is done here.
    """
    from sqlite3 import OperationalError  # noqa: PLC0415  loaded already

    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            number = applied(connection)
            if number == 0:
                connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
                connection.execute("PRAGMA journal_mode = WAL")
        except OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_S)
        else:
            return number
