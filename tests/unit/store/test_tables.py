"""SQL for both databases: values, transactions, and faults in words."""

import sqlite3
import threading
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from tm.errors import UsageError
from tm.store.tables import Tables, open_tables

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def tables(place):
    tables = Tables(place, lambda: NOON)
    tables.execute("CREATE TABLE notes (id INTEGER, text TEXT UNIQUE, seen INTEGER)")
    yield tables
    tables.close()


@pytest.fixture
def path() -> None:
    """Say that a test is about the file."""


def texts(tables) -> list[str]:
    return [text for (text,) in tables.execute("SELECT text FROM notes ORDER BY text")]


def test_database_lies_below_the_root_and_is_its_owners(tmp_path):
    open_tables(tmp_path, {}).close()
    file = tmp_path / ".tm" / "tm.sqlite3"
    assert file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / ".tm" / ".gitignore").read_text() == "*\n"


def test_values_come_back_as_they_went_in(tables):
    tables.execute("INSERT INTO notes VALUES (?, ?, ?)", (1, "Grüße ? %s", None))
    assert tables.execute("SELECT id, text, seen FROM notes") == [(1, "Grüße ? %s", None)]
    assert tables.execute("DELETE FROM notes") == []


def test_conflict_is_settled_in_one_statement(tables):
    upsert = (
        "INSERT INTO notes (id, text, seen) VALUES (?, ?, 1)"
        " ON CONFLICT (text) DO UPDATE SET seen = notes.seen + 1 RETURNING id, seen"
    )
    assert tables.execute(upsert, (1, "a")) == [(1, 1)]
    assert tables.execute(upsert, (2, "a")) == [(1, 2)]


def insert_and_fail(tables, text: str) -> None:
    with tables.transaction():
        tables.execute("INSERT INTO notes (text) VALUES (?)", (text,))
        raise ValueError(text)


def test_transaction_keeps_all_or_nothing(tables):
    with tables.transaction():
        tables.execute("INSERT INTO notes (text) VALUES (?)", ("kept",))
    with pytest.raises(ValueError, match="lost"):
        insert_and_fail(tables, "lost")
    assert texts(tables) == ["kept"]


def test_transaction_in_another_joins_it(tables):
    with tables.transaction():
        with suppress(ValueError):
            insert_and_fail(tables, "inner")
        tables.execute("INSERT INTO notes (text) VALUES (?)", ("outer",))
    assert texts(tables) == ["inner", "outer"]


def test_transaction_that_the_database_ended_itself_tells_its_reason(tables, path):
    def end_early() -> None:
        with tables.transaction():
            tables.execute("ROLLBACK")

    with pytest.raises(UsageError, match="can't be used: cannot commit"):
        end_early()
    assert tables.execute("SELECT 1") == [(1,)]


def test_threads_take_turns(tables):
    def write(name: str) -> None:
        for number in range(20):
            with tables.transaction():
                tables.execute("INSERT INTO notes (text) VALUES (?)", (f"{name}{number}",))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts(tables)) == 60


def test_fault_is_told_in_words(tables):
    with pytest.raises(UsageError, match=r"database .* can't be used: .*missing"):
        tables.execute("SELECT 1 FROM missing")
    assert tables.execute("SELECT 1") == [(1,)]


def test_database_that_can_not_be_opened_is_told_in_words(tmp_path):
    (tmp_path / ".tm").write_text("a file where the folder should be")
    with pytest.raises(UsageError, match=r"tm\.sqlite3 can't be used: Not a dir") as told:
        open_tables(tmp_path, {})
    assert str(tmp_path) not in str(told.value)


def test_database_of_a_newer_tm_is_refused(tmp_path):
    open_tables(tmp_path, {}).close()
    with sqlite3.connect(tmp_path / ".tm" / "tm.sqlite3") as connection:
        connection.execute("INSERT INTO migrations VALUES (99, 'of the future', '')")
    connection.close()
    with pytest.raises(UsageError, match="tables of a newer tm"):
        open_tables(tmp_path, {})
