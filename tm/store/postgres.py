"""The same tables in PostgreSQL, for a team or several servers.

What lives here: opening a connection, and what its SQL writes differently. What must not: SQL of
any one table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from tm.store.database import UnusableDatabaseError, refuse_newer
from tm.store.migrations import NEWEST, apply_missing

CONNECT_TIMEOUT_S: Final = 5
"""How long a tool waits for a server that does not answer, once in a while."""

_LOCK: Final = 7_460_122_031  # any number that others are unlikely to take
# Not to_regclass(): it may remember from before the lock that there is none.
_KNOWN: Final = """
SELECT 1 FROM pg_catalog.pg_tables
WHERE tablename = 'migrations' AND schemaname = ANY (current_schemas(false))
"""
_INDEX_HINT: Final = re.compile(r" INDEXED BY \w+")
_INSTALL: Final = "pip install 'tm[postgres]'"
_UNSET: Final = "without TM_DATABASE_URL, runs are kept in .tm/tm.sqlite3"


class NoServerError(UnusableDatabaseError):
    """The server can't be reached by this address; the text holds no password."""


class ServerPlace:
    """A PostgreSQL database."""

    name = "in PostgreSQL (TM_DATABASE_URL)"

    def __init__(self, url: str) -> None:
        self._url = url

    def open(self, *, now: str) -> PostgresConnection:
        """Connect, and make the tables that are missing."""
        connection = _connect(self._url)
        try:
            _set_up(connection, now)
        except BaseException:
            connection.close()
            raise
        return connection

    def open_to_read(self, *, now: str) -> PostgresConnection:
        """Connect as `open` does: the server says what is allowed."""
        return self.open(now=now)


class PostgresConnection:
    """Takes the calls of a `sqlite3.Connection` in autocommit mode, and its SQL."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @property
    def is_lost(self) -> bool:
        """Whether the connection is gone; a new one may work."""
        return bool(self._connection.closed or self._connection.broken)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Run one statement with `?` marks; return a cursor."""
        return self._connection.execute(translated(sql), [_storable(value) for value in values])

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()


def translated(sql: str) -> str:
    """Return SQL of SQLite as PostgreSQL takes it."""
    if sql == "BEGIN IMMEDIATE":
        return "BEGIN"
    return _INDEX_HINT.sub("", sql).replace("%", "%%").replace("?", "%s")


def _storable(value: Any) -> Any:
    """Return a value that its column takes: truth is a number in these tables, NUL no letter."""
    if isinstance(value, bool):
        return int(value)
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def _connect(url: str) -> PostgresConnection:
    secret = _password_of(url)
    try:
        import psycopg  # noqa: PLC0415  an extra, and 60 ms
    except ImportError as error:
        raise NoServerError("it needs psycopg, which is not installed", hint=_INSTALL) from error
    try:
        connection = psycopg.connect(
            url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S, application_name="tm"
        )
    except psycopg.Error as error:
        raise NoServerError(_masked(str(error), secret)) from error
    return PostgresConnection(connection)


def _password_of(url: str) -> str:
    """Return the password as the address writes it; what may show a part of it is never sent on.

    Raises:
        NoServerError: the address can't be read.
    """
    if not url.startswith(("postgresql://", "postgres://")):
        scheme = url.partition("://")[0] if "://" in url else ""
        what = f"{scheme!a:.20} is not supported" if scheme.isalnum() else "it has no scheme"
        raise NoServerError(f"{what}; TM_DATABASE_URL begins with postgresql://", hint=_UNSET)
    try:
        parts = urlsplit(url)
        is_whole = "@" not in parts.path and (parts.port or True)
    except ValueError:
        is_whole = False
    if not is_whole:
        raise NoServerError(
            "its address can't be read; a special character in a password is written as %XX"
        )
    return parts.password or ""


def _masked(text: str, secret: str) -> str:
    """Return a message in one line, the password as `***` however it is written."""
    for word in sorted({secret, unquote(secret)}, key=len, reverse=True):
        text = text.replace(word, "***") if word else text
    return " ".join(text.split())


def _set_up(connection: PostgresConnection, now: str) -> None:
    if _applied(connection) < NEWEST:
        connection.execute("BEGIN")
        try:
            connection.execute("SELECT pg_advisory_xact_lock(?)", (_LOCK,))
            apply_missing(connection, _applied(connection), now=now, is_postgres=True)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _applied(connection: PostgresConnection) -> int:
    if connection.execute(_KNOWN).fetchone() is None:
        return 0
    (number,) = connection.execute("SELECT max(number) FROM migrations").fetchone()
    refuse_newer(number or 0)
    return number or 0
