"""A PostgreSQL server of the tests' own, and the kinds of place that a database may be."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tm.store.place import FilePlace, Place
from tm.store.postgres import ServerPlace

BINARIES = Path(os.environ.get("PG_BIN", "/usr/lib/postgresql/15/bin"))


@dataclass
class Server:
    """A running server with one database, which is emptied before each test."""

    folder: Path
    port: int
    user: str | None

    def run(self, program: str, *words: str) -> None:
        """Run one of PostgreSQL's programs as a user that it accepts; root is none."""
        subprocess.run(
            [str(BINARIES / program), *words],
            user=self.user, cwd=self.folder, check=True, capture_output=True, timeout=60,
        )  # fmt: skip

    def control(self, what: str) -> None:
        """Start or stop it, at once."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off"
        options += f" -c unix_socket_directories={self.folder}"
        data, log = str(self.folder / "data"), str(self.folder / "log")
        words = ["-D", data, "-w", "-m", "immediate"]
        if what == "start":
            words = ["-D", data, "-w", "-l", log, "-o", options]
        self.run("pg_ctl", *words, what)

    @property
    def url(self) -> str:
        """The URL of its only database; the password is not asked for."""
        return f"postgresql://tm:pa%40ss@127.0.0.1:{self.port}/postgres"

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one statement beside tm, and return its rows."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def empty(self) -> None:
        """Take away every table."""
        self.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Return a server that is stopped at the end; skips where there is none to start."""
    pytest.importorskip("psycopg", reason="tm[postgres] is not installed")
    if not (BINARIES / "initdb").exists():
        pytest.skip(f"no PostgreSQL in {BINARIES}; PG_BIN names another folder")
    folder = Path(tempfile.mkdtemp(prefix="tm-pg-"))
    user = "nobody" if os.getuid() == 0 else None
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    found = Server(folder, _free_port(), user)
    try:
        found.run("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "tm", "--no-sync")
        found.control("start")
        yield found
        found.control("stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of a place with both kinds; one that looks at the file (`path`) with a file."""
    if "place" in metafunc.fixturenames:
        kinds = ["sqlite"] if "path" in metafunc.fixturenames else ["sqlite", "postgres"]
        metafunc.parametrize("place", kinds, indirect=True)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return an empty database's place."""
    if request.param == "sqlite":
        return FilePlace(tmp_path / ".tm" / "tm.sqlite3")
    server = request.getfixturevalue("server")
    server.empty()
    return ServerPlace(server.url)
