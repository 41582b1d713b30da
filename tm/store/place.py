"""Where the database is: the workspace's own file, or a server that TM_DATABASE_URL names.

What lives here: the choice, and opening either. What must not: SQL of any table.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from tm.store.database import open_database, open_to_read

if TYPE_CHECKING:
    from tm.store.postgres import ServerPlace

Connection: TypeAlias = Any
"""A `sqlite3.Connection`, or a `PostgresConnection`, which takes the same calls of it."""

SQLITE_PLACE: Final = ".tm/tm.sqlite3"
"""Where the file lies below the root."""

URL_VARIABLE: Final = "TM_DATABASE_URL"


class Place(Protocol):
    """Where a database is.

    Attributes:
        name: for messages; holds no password and no folder above the root.
    """

    @property
    def name(self) -> str:
        """Return what people call it."""

    def open(self, *, now: str) -> Connection:
        """Open it for writing, with every table; made where it is missing.

        Args:
            now: ISO time to note beside tables that are made.

        Raises:
            database_failures: it can't be opened, or a newer tm made it.
        """

    def open_to_read(self, *, now: str) -> Connection | None:
        """Open it as far as that is allowed; None where nothing was ever written.

        Raises:
            database_failures: as `open`.
        """


class FilePlace:
    """A SQLite file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        """Return the last two parts of its path."""
        return f"{self._path.parent.name}/{self._path.name}"

    def open(self, *, now: str) -> Connection:
        """Open it for writing."""
        return open_database(self._path, now=now)

    def open_to_read(self, *, now: str) -> Connection | None:
        """Open it to read, and to write where that is possible."""
        return open_to_read(self._path, now=now)


def place_of(root: Path, environ: Mapping[str, str]) -> Place:
    """Return where the workspace's database is; opens nothing.

    Args:
        root: the folder that holds `tenants/`.
        environ: where `TM_DATABASE_URL` is looked up.
    """
    url = environ.get(URL_VARIABLE)
    return _server(url) if url else FilePlace(root / SQLITE_PLACE)


def _server(url: str) -> ServerPlace:
    from tm.store.postgres import ServerPlace  # noqa: PLC0415  most workspaces have a file

    return ServerPlace(url)
