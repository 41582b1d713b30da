"""Deleting old runs: whose, how many at a time, and nothing by halves."""

from datetime import UTC, datetime

import pytest

from tm.errors import UsageError
from tm.store import migrations, prune
from tm.store.log import ExecutionLog
from tm.store.rows import Filters

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
LATER = datetime(2026, 5, 5, tzinfo=UTC)


@pytest.fixture
def log(place):
    log = ExecutionLog(place, clock=lambda: NOON)
    for number, tenant in enumerate(["shop", "shop", "bakery", "shop"]):
        row = log.start(tenant=tenant, tool_name="f", entry_type="cli", args={"n": f"w{number}"})
        if number < 3:
            log.finish(row, state="ok", duration_ms=1.0)
    migrations.settle(log._connection)
    yield log
    log.close()


def ids(log, **filters) -> list[int]:
    return [row.id for row in log.entries(Filters(**filters))]


def test_old_runs_of_one_tenant_go_some_at_a_time(log, monkeypatch):
    monkeypatch.setattr(prune, "_BATCH", 2)
    told: list[int] = []
    assert log._reader().delete_before("shop", LATER, told.append) == 3
    assert told == [2, 3]
    assert ids(log) == [3]
    assert (ids(log, search="w0"), ids(log, search="w2")) == ([], [3])


def test_younger_runs_stay(log):
    assert log._reader().delete_before("shop", NOON) == 0
    assert ids(log) == [4, 3, 2, 1]


def test_words_stay_where_rows_can_not_be_deleted(log, monkeypatch):
    monkeypatch.setattr(prune, "_DELETE", "DELETE FROM missing WHERE id IN")
    with pytest.raises(UsageError, match="missing"):
        log._reader().delete_before("shop", LATER)
    assert ids(log, search="w0") == [1]


def test_rows_stay_unsettled_where_their_words_can_not_be_added(log, path, monkeypatch):
    log.finish(4, state="ok", duration_ms=1.0)
    monkeypatch.setattr(migrations, "ADD_WORDS", "INSERT INTO missing VALUES (1)")
    with pytest.raises(Exception, match="missing"):
        migrations.settle(log._connection)
    monkeypatch.undo()
    assert ids(log, search="w3") == [4]


def test_follower_with_a_search_tells_new_hits_only(log):
    follower = log._reader().follower(Filters(search="w9", tenant="shop"))
    assert follower.begin() == []
    row = log.start(tenant="shop", tool_name="f", entry_type="cli", args={"n": "w9"})
    assert follower.next() == []
    log.finish(row, state="ok", duration_ms=1.0)
    assert [run.id for run in follower.next()] == [row]
    assert follower.next() == []


@pytest.fixture
def path() -> None:
    """Say that a test is about the file."""
