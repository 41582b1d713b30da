"""Reading the execution log: filters, order, trees, and logs that can't be read."""

import sqlite3
from datetime import UTC, datetime, timedelta
from itertools import count, product
from pathlib import Path

import pytest

from tm.errors import UsageError
from tm.store import migrations, queries
from tm.store.log import ExecutionLog
from tm.store.rows import Filters

START = datetime(2026, 5, 4, tzinfo=UTC)


class Clock:
    """Goes on by a minute at each look."""

    def __init__(self) -> None:
        self.minutes = count()

    def __call__(self) -> datetime:
        return START + timedelta(minutes=next(self.minutes))


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / ".tm" / "tm.sqlite3"


@pytest.fixture
def log(place):
    log = ExecutionLog(place, clock=Clock())
    yield log
    log.close()


def add(log: ExecutionLog, *, state: str = "ok", ms: float = 10.0, **fields) -> int:
    run = {"tenant": "shop", "tool_name": "getOrder", "entry_type": "cli", "args": {}, **fields}
    row_id = log.start(**run)
    assert row_id is not None
    if state != "running":
        error = {"error_code": "TM504", "error_message": "404"} if state == "failed" else {}
        log.finish(row_id, state=state, duration_ms=ms, **error)
    return row_id


def settle(log: ExecutionLog) -> None:
    migrations.settle(log._connection)


ROWS = [
    {},
    {"tool_name": "getStock", "chat_id": "c-1"},
    {"tenant": "bakery"},
    {"entry_type": "chat", "assistant": "desk", "chat_id": "c-2"},
    {"state": "failed", "tool_name": "getStock"},
    {"dry_run": True, "ms": 700.0},
    {"state": "killed", "tenant": "bakery", "ms": 500.0},
    {"state": "running", "chat_id": "c-1"},
]
FILTERS = [
    ({}, [8, 7, 6, 5, 4, 3, 2, 1]),
    ({"tenant": "shop"}, [8, 6, 5, 4, 2, 1]),
    ({"tenant": "nobody"}, []),
    ({"tool": "getStock"}, [5, 2]),
    ({"entry_type": "chat"}, [4]),
    ({"assistant": "desk"}, [4]),
    ({"chat": "c-1"}, [8, 2]),
    ({"failed": True}, [7, 5]),
    ({"failed": True, "tenant": "shop"}, [5]),
    ({"dry_run": True}, [6]),
    ({"slower_than_ms": 499.0}, [7, 6]),
    ({"slower_than_ms": 500.0}, [6]),
    ({"slower_than_ms": 0.0, "tool": "getStock"}, [5, 2]),
    ({"limit": 3}, [8, 7, 6]),
    ({"limit": 2, "tenant": "bakery"}, [7, 3]),
    ({"tool": "getStock", "chat": "c-1"}, [2]),
    ({"tool": "getStock", "failed": True, "entry_type": "cli"}, [5]),
    ({"chat": "c-1", "failed": True}, []),
    ({"assistant": "desk", "chat": "c-2", "tool": "getOrder", "tenant": "shop"}, [4]),
    ({"tool": "' OR 1=1 --"}, []),
]


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize(("wanted", "ids"), FILTERS, ids=str)
def test_filters_give_the_newest_first(log, wanted, ids, settled):
    for row in ROWS:
        add(log, **row)
    if settled:
        settle(log)
    assert [row.id for row in log.entries(Filters(**wanted))] == ids


@pytest.mark.parametrize("settled", [False, True])
def test_time_filters_take_the_start_and_leave_the_end(log, settled):
    for _ in range(4):
        add(log)
    if settled:
        settle(log)
    times = [datetime.fromisoformat(row.started_at) for row in reversed(log.entries(Filters()))]
    assert [row.id for row in log.entries(Filters(since=times[1], until=times[3]))] == [3, 2]
    assert [row.id for row in log.entries(Filters(since=times[3]))] == [4]
    assert [row.id for row in log.entries(Filters(until=times[1], tool="getOrder"))] == [1]


def test_every_combination_of_filters_is_answered(log):
    for row in ROWS:
        add(log, **row)
    settle(log)
    one_each = {
        "tenant": "shop", "tool": "getOrder", "entry_type": "chat", "assistant": "desk",
        "chat": "c-2", "failed": True, "dry_run": True, "slower_than_ms": 5.0, "since": START,
    }  # fmt: skip
    for chosen in product([False, True], repeat=len(one_each)):
        wanted = {
            name: one_each[name] for name, is_in in zip(one_each, chosen, strict=True) if is_in
        }
        for row in log.entries(Filters(**wanted)):
            assert "tenant" not in wanted or row.tenant == "shop"
            assert "failed" not in wanted or row.state in {"failed", "killed"}


def test_common_slow_runs_are_found_by_time(log, monkeypatch):
    monkeypatch.setattr(queries, "_FEW", 2)
    for ms in (100.0, 300.0, 200.0, 5.0, 400.0):
        add(log, ms=ms)
    settle(log)
    assert [row.id for row in log.entries(Filters(slower_than_ms=150.0))] == [5, 3, 2]


def test_rows_are_settled_by_the_run_whose_number_says_so(log, monkeypatch):
    monkeypatch.setattr("tm.store.log.SETTLE_EVERY", 4)
    for _ in range(6):
        add(log)
    counts = log._connection.execute(
        "SELECT settled, count(*) FROM task_log_entries GROUP BY settled ORDER BY settled"
    ).fetchall()
    assert counts == [(0, 3), (1, 3)]
    assert [row.id for row in log.entries(Filters())] == [6, 5, 4, 3, 2, 1]


def test_rows_that_are_read_in_parts_keep_their_order(log):
    for _ in range(1100):
        add(log)
    assert [row.id for row in log.entries(Filters(limit=1050))] == list(range(1100, 50, -1))


def test_nested_runs_are_a_tree_in_the_order_of_starts(log):
    top = add(log, state="running", tool_name="overview")
    first = add(log, parent_id=top, tool_name="getInvoice")
    below = add(log, parent_id=first, tool_name="getLines")
    second = add(log, parent_id=top, tool_name="getCustomer")
    add(log, tool_name="another")
    row = log.show(top).to_json()
    assert [child["id"] for child in row["children"]] == [first, second]
    assert [child["id"] for child in row["children"][0]["children"]] == [below]
    assert row["children"][1]["children"] == []
    assert log.show(first).parent_id == top
    assert [child.id for child in log.show(first).detail.children] == [below]


@pytest.mark.parametrize("row_id", [0, -1, 2, 10**30])
def test_run_that_is_not_there_is_none(log, row_id):
    add(log)
    assert log.show(row_id) is None


def test_another_tenants_run_is_none(log):
    add(log)
    assert log.show(1, tenant="bakery") is None
    assert log.show(1, tenant="shop").id == 1


def test_run_on_another_machine_is_left_alone_for_a_day(log, place):
    add(log, state="running")
    log._connection.execute("UPDATE task_log_entries SET owner = 'elsewhere b n 1 2'")
    assert log.show(1).state == "running"
    later = ExecutionLog(place, clock=lambda: START + timedelta(days=2))
    assert later.show(1).state == "killed"


def test_run_of_a_process_that_is_gone_is_shown_as_killed_where_it_can_not_be_written(log, path):
    add(log, state="running")
    host, boot, namespace, _, _ = log._owner.split(" ")
    log._connection.execute(
        "UPDATE task_log_entries SET owner = ?", (f"{host} {boot} {namespace} 4194305 1",)
    )
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute(
            "CREATE TRIGGER no BEFORE UPDATE ON task_log_entries"
            " BEGIN SELECT raise(ABORT, 'no'); END"
        )
    other.close()
    assert log.show(1) is not None


def test_text_that_is_no_json_any_more_is_a_note(log):
    add(log)
    log._connection.execute(
        "UPDATE task_log_entries SET result = '{broken', args = ?", ("[" * 100_000,)
    )
    row = log.show(1)
    assert row.result == row.args == "[too deep or too large to show]"


@pytest.mark.parametrize("how", ["corrupt", "newer", "a folder"])
def test_log_that_can_not_be_read_is_a_usage_error(log, path, how):
    path.parent.mkdir()
    if how == "corrupt":
        path.write_bytes(b"no database at all, but long enough to have a header" * 20)
    elif how == "a folder":
        path.mkdir()
    else:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE migrations (number INTEGER, name TEXT, applied_at TEXT)")
            other.execute("INSERT INTO migrations VALUES (99, 'of the future', '')")
        other.close()
    with pytest.raises(UsageError, match=r"execution log \.tm/tm\.sqlite3 can't be read") as caught:
        log.entries(Filters())
    assert str(path.parent.parent) not in str(caught.value)
    assert ("newer tm" in str(caught.value)) == (how == "newer")
