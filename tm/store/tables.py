"""The tables of a workspace for whatever keeps more than runs: messages, sessions, PDFs, claims.

What lives here: one small way to send SQL that SQLite and PostgreSQL both understand, and errors
in words. What must not: SQL of any one table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from tm.errors import UsageError
from tm.store.database import database_failures, open_database, why
from tm.store.times import iso, utc_now

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

SQLITE_PLACE: Final = ".tm/tm.sqlite3"
"""Where the database lies below the root, unless TM_DATABASE_URL names a server's."""


class Database(Protocol):
    """An open connection in autocommit mode: what differs between SQLite and PostgreSQL.

    Attributes:
        place: the database's name for messages; holds no password and no folder above the root.
    """

    place: str

    def run(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run one statement with `?` marks and return its rows."""

    def begin(self) -> None:
        """Begin a transaction that may write."""

    def close(self) -> None:
        """Let go of the connection."""


class SqliteDatabase:
    """The workspace's own file."""

    place = SQLITE_PLACE

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def run(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run one statement with `?` marks and return its rows."""
        return self._connection.execute(sql, values).fetchall()

    def begin(self) -> None:
        """Begin a transaction; from here on no other process writes."""
        self._connection.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class Tables:
    """An open database. Safe to share between threads: one statement or transaction at a time.

    Write SQL that both databases take: `?` for values, `ON CONFLICT`, `RETURNING`. A table's
    `INTEGER` is a whole number, `TEXT` a text; times are kept as `tm.store.times.iso` writes them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = RLock()
        self._in_transaction = False

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; an empty list where it has none.

        Outside of `transaction` it is safe on disk, as far as the database promises, on return.

        Args:
            sql: with a `?` for each value.
            values: texts, numbers, bytes, None.

        Raises:
            UsageError: TM500, the database can't do it; the text says why.
        """
        with self._lock:
            return self._in_words(lambda: self._database.run(sql, values))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all statements of the block, or none where it raises. One in another joins it.

        Raises:
            UsageError: as `execute`.
        """
        with self._lock:
            if self._in_transaction:
                yield
                return
            self._in_words(self._database.begin)
            self._in_transaction = True
            try:
                yield
                self._in_words(lambda: self._database.run("COMMIT", ()))
            except BaseException:
                with suppress(*database_failures()):  # where the database has done it already
                    self._database.run("ROLLBACK", ())
                raise
            finally:
                self._in_transaction = False

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            self._in_words(self._database.close)

    def _in_words(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except database_failures() as error:
            raise unusable(self._database.place, error) from error


def unusable(place: str, error: Exception) -> UsageError:
    """Return the error of a database that can't be opened, read or written."""
    return UsageError(
        f"the database {place} can't be used: {why(error)}",
        code="TM500",
        hint="tm doctor shows what is set up; a damaged file may be moved away",
    )


def open_tables(
    root: Path, environ: Mapping[str, str], *, now: Callable[[], datetime] = utc_now
) -> Tables:
    """Open the workspace's database, with every table that this tm knows.

    Args:
        root: the folder that holds `tenants/`.
        environ: where `TM_DATABASE_URL` is looked up; without it the file below the root.
        now: the time to note beside tables that are made now.

    Raises:
        UsageError: TM500, it can't be opened, or a newer tm made it.
    """
    try:
        return Tables(_open(root, environ, iso(now())))
    except database_failures() as error:
        raise unusable(SQLITE_PLACE, error) from error


def _open(root: Path, environ: Mapping[str, str], now: str) -> Database:  # noqa: ARG001  PostgreSQL's address is in it
    return SqliteDatabase(open_database(root / SQLITE_PLACE, now=now))
