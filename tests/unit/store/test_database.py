"""Opening the database: migrations, several processes, files that can only be read."""

import sqlite3
from pathlib import Path

import pytest

from tm.store import database, migrations
from tm.store.database import NewerDatabaseError, open_database, open_to_read
from tm.store.migrations import MIGRATIONS, NEWEST, Step, applied, migrate

NOW = "2026-05-04T12:00:00.000000Z"


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / ".tm" / "tm.sqlite3"


def tables(connection: sqlite3.Connection) -> set[str]:
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {name for (name,) in found}


def test_new_database_has_all_steps_noted(path):
    connection = open_database(path, now=NOW)
    assert applied(connection) == NEWEST
    noted = connection.execute("SELECT * FROM migrations").fetchall()
    assert noted == [(number, step.name, NOW) for number, step in enumerate(MIGRATIONS, 1)]
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (1,)
    connection.close()


def test_database_of_an_older_tm_gets_the_steps_that_are_missing(path, monkeypatch):
    open_database(path, now=NOW).close()
    steps = (*migrations.MIGRATIONS, Step("notes", "CREATE TABLE notes (id INTEGER)"))
    for module in (migrations, database):
        monkeypatch.setattr(module, "NEWEST", NEWEST + 1)
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    connection = open_database(path, now=NOW)
    assert applied(connection) == NEWEST + 1
    assert {"notes", "task_log_entries"} <= tables(connection)
    connection.close()


def test_step_that_fails_leaves_nothing_of_itself(path, monkeypatch):
    connection = open_database(path, now=NOW)
    broken = Step("broken", "CREATE TABLE half (id INTEGER); CREATE TABLE half (id INTEGER)")
    monkeypatch.setattr(migrations, "NEWEST", NEWEST + 1)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, broken))
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        migrate(connection, now=NOW)
    assert applied(connection) == NEWEST
    assert "half" not in tables(connection)
    connection.close()


def test_steps_that_another_process_applied_are_not_applied_again(path):
    connection = open_database(path, now=NOW)
    migrate(connection, now=NOW)
    assert connection.execute("SELECT count(*) FROM migrations").fetchone() == (NEWEST,)
    connection.close()


def test_empty_migrations_table_counts_as_an_empty_database(path):
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE migrations (number INTEGER)")
    assert applied(connection) == 0
    connection.close()


def test_every_filter_has_an_index_that_is_used(path):
    connection = open_database(path, now=NOW)
    plan = connection.execute(
        "EXPLAIN QUERY PLAN SELECT id FROM task_log_entries INDEXED BY log_tool WHERE settled = 1"
        " AND tenant = 'a' AND tool_name = 'b' ORDER BY started_at DESC, id DESC LIMIT 50"
    ).fetchall()
    assert len(plan) == 1, "it is read in order, without sorting"
    assert "USING" in plan[0][3]
    connection.close()


class Busy:
    """A connection that is locked for its first few statements."""

    def __init__(self, times: int, message: str = "database is locked") -> None:
        self.times, self.message = times, message
        self.inner = sqlite3.connect(":memory:", isolation_level=None)

    def execute(self, sql: str):
        if self.times > 0:
            self.times -= 1
            raise sqlite3.OperationalError(self.message)
        return self.inner.execute(sql)


def test_switch_to_wal_is_tried_again_while_another_process_does_it(monkeypatch):
    monkeypatch.setattr(database, "_PAUSE_S", 0.0)
    busy = Busy(3)
    assert database._patiently(busy) == 0
    busy.inner.close()


@pytest.mark.parametrize(
    ("times", "message"), [(10**9, "database is locked"), (1, "disk I/O error")]
)
def test_switch_to_wal_is_given_up_in_the_end(monkeypatch, times, message):
    monkeypatch.setattr(database, "_PAUSE_S", 0.0)
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.02)
    busy = Busy(times, message)
    with pytest.raises(sqlite3.OperationalError, match=message):
        database._patiently(busy)
    busy.inner.close()


class NewerConnection:
    """What a connection has from Python 3.12 on."""

    def __init__(self) -> None:
        self.settings: dict[int, bool] = {}

    def setconfig(self, setting: int, enable: bool, /) -> None:
        self.settings[setting] = enable


def test_closing_does_not_wait_for_the_disk_where_python_allows_it():
    connection = NewerConnection()
    database._close_quickly(connection)
    assert connection.settings == {1006: True}


class TestReadOnly:
    @pytest.fixture(autouse=True)
    def _nothing_is_writable(self, monkeypatch):
        monkeypatch.setattr(database.os, "access", lambda *_: False)

    def test_database_without_a_log_beside_it_is_read(self, path):
        open_database(path, now=NOW).close()
        connection = open_to_read(path, now=NOW)
        assert applied(connection) == NEWEST
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DELETE FROM task_log_entries")
        connection.close()

    def test_database_that_another_process_writes_is_read(self, path):
        writer = open_database(path, now=NOW)
        connection = open_to_read(path, now=NOW)
        assert applied(connection) == NEWEST
        connection.close()
        writer.close()

    def test_newer_database_is_refused(self, path):
        connection = open_database(path, now=NOW)
        connection.execute("INSERT INTO migrations VALUES (99, 'of the future', '')")
        connection.close()
        with pytest.raises(NewerDatabaseError, match="newer tm"):
            open_to_read(path, now=NOW)

    def test_missing_file_is_none(self, path):
        assert open_to_read(path, now=NOW) is None
