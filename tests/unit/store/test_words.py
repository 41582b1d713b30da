"""Search in arguments and results: words as people type them, settled rows and new ones."""

from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tm.store import database, migrations
from tm.store.log import ExecutionLog
from tm.store.migrations import settle
from tm.store.place import FilePlace
from tm.store.rows import Filters

ROWS = [
    ({"id": "R-2026/17-A"}, {"customer": "Sägewerk Adler", "total": 119.5}),
    ({"id": "R-8"}, {"customer": "Tischlerei O'Neill", "text": 'one\ntwo "three" C:\\new'}),
    ({"id": "R-9", "note": "***"}, None),
]
FOUND = [
    ("Adler", [1]), ("ADLER", [1]), ("sägewerk", [1]), ("SÄGEWERK adler", [1]),
    ("R-2026/17-A", [1]), ("119.5", [1]), ("O'Neill", [2]), ("two three", [2]), ("new", [2]),
    ("R", [3, 2, 1]), ("r 9", [3]), ("adler sägewerk", [1]),
    ("Sagewerk", []), ("Adl", []), ("Adl*", []), ("Adler Neill", []), ("NOT *", []),
    ('"unbalanced', []), ("ntwo", []), ("*", []), ("***", []), ("", []), ("args : Adler", []),
    ("Adler OR Neill", []), ("(Adler", [1]), ('Adler"', [1]), ("^Adler", [1]), ("-Adler", [1]),
]  # fmt: skip


@pytest.fixture
def log(place):
    minutes = count()
    clock = lambda: datetime(2026, 5, 4, 12, next(minutes) % 60, tzinfo=UTC)  # noqa: E731
    log = ExecutionLog(place, clock=clock)
    yield log
    log.close()


def add(log, args, result, tenant: str = "holz") -> int:
    row = log.start(tenant=tenant, tool_name="find", entry_type="cli", args=args)
    log.finish(row, state="ok", duration_ms=1.0, result=result)
    return row


def ids(log, words: str, **filters) -> list[int]:
    return [row.id for row in log.entries(Filters(search=words, **filters))]


@pytest.mark.parametrize("is_settled", [False, True])
@pytest.mark.parametrize(("words", "expected"), FOUND)
def test_all_words_are_found_whatever_stands_around_them(log, words, expected, is_settled):
    for args, result in ROWS:
        add(log, args, result)
    if is_settled:
        settle(log._connection)
    assert ids(log, words) == expected


def test_settled_and_new_rows_come_newest_first(log):
    add(log, {"id": "Adler 1"}, None)
    settle(log._connection)
    add(log, {"id": "Adler 2"}, None)
    running = log.start(tenant="holz", tool_name="find", entry_type="cli", args={"id": "Adler 3"})
    assert ids(log, "adler") == [running, 2, 1]
    assert ids(log, "adler", limit=2) == [3, 2]


def test_words_of_other_tenants_are_not_found(log):
    for tenant in ("holz", "x-holz", "metall"):
        add(log, {"id": "Adler"}, None, tenant)
    settle(log._connection)
    assert ids(log, "Adler", tenant="holz") == [1]
    assert ids(log, "holz") == [], "a tenant's code is no word of its runs"


def test_other_filters_hold_too(log):
    add(log, {"id": "Adler"}, None)
    settle(log._connection)
    assert ids(log, "Adler", tool="find", slower_than_ms=0.5) == [1]
    assert ids(log, "Adler", tool="other") == []
    assert ids(log, "Adler", failed=True) == []


def test_rows_of_an_older_database_are_found(log, monkeypatch):
    with monkeypatch.context() as older:
        for module in (migrations, database):
            older.setattr(module, "NEWEST", 1)
        add(log, {"id": "Adler"}, None)
        log._connection.execute("UPDATE task_log_entries SET settled = 1")
        log.close()
    add(log, {"id": "Neill"}, None)
    assert ids(log, "adler") == [1]


@settings(max_examples=60)
@given(typed=st.text(max_size=30))
def test_nothing_that_is_typed_is_an_error(tmp_path_factory, typed):
    log = ExecutionLog(FilePlace(tmp_path_factory.mktemp("log") / "tm.sqlite3"))
    add(log, {"id": typed}, None)
    found = ids(log, typed)
    log.close()
    assert found in ([1], [])
