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
from typing import Any, TypeVar

from tm.errors import UsageError
from tm.store.database import database_failures, next_step, why
from tm.store.place import Connection, Place, place_of
from tm.store.times import iso, utc_now

T = TypeVar("T")


class Tables:
    """An open database. Safe to share between threads: one statement or transaction at a time.

    Write SQL that both databases take: `?` for values, `ON CONFLICT`, `RETURNING`. A table's
    `INTEGER` is a whole number, `TEXT` a text; times are kept as `tm.store.times.iso` writes them.
    """

    def __init__(self, place: Place, now: Callable[[], datetime]) -> None:
        self._place = place
        self._now = now
        self._connection: Connection = None
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
            return self._in_words(lambda: self._run(sql, values))

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
            self._in_words(self._begin)
            self._in_transaction = True
            try:
                yield
                self._in_words(lambda: self._run("COMMIT"))
            except BaseException:
                with suppress(*database_failures()):  # where the database has done it already
                    self._run("ROLLBACK")
                raise
            finally:
                self._in_transaction = False

    def close(self) -> None:
        """Let go of the database. A later call opens it again."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                self._in_words(connection.close)

    def open(self) -> None:
        """Open the database now; the first statement does it otherwise.

        Raises:
            UsageError: as `execute`.
        """
        with self._lock:
            self._in_words(self._opened)

    def _opened(self) -> Connection:
        is_lost = getattr(self._connection, "is_lost", False)
        if self._connection is None or (is_lost and not self._in_transaction):
            self._connection = self._place.open(now=iso(self._now()))
        return self._connection

    def _begin(self) -> None:
        self._opened().execute("BEGIN IMMEDIATE")

    def _run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        cursor = self._opened().execute(sql, values)
        return [] if cursor.description is None else cursor.fetchall()

    def _in_words(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except database_failures() as error:
            raise UsageError(
                f"the database {self._place.name} can't be used: {why(error)}",
                code="TM500",
                hint=next_step(
                    error, "tm doctor shows what is set up; a damaged file may be moved away"
                ),
            ) from error


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
    tables = Tables(place_of(root, environ), now)
    tables.open()
    return tables
