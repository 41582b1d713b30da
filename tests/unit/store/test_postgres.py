"""PostgreSQL: tables made once, faults in words without the password, a connection that is lost."""

import multiprocessing
import sys
from datetime import UTC, datetime

import pytest

from tm.errors import UsageError
from tm.store import log as log_module
from tm.store import migrations, postgres
from tm.store.database import NewerDatabaseError, database_failures, why
from tm.store.log import ExecutionLog
from tm.store.migrations import NEWEST
from tm.store.place import FilePlace, place_of
from tm.store.postgres import NoServerError, ServerPlace, translated
from tm.store.rows import Filters
from tm.store.tables import open_tables

END_OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tm'
"""
NOW = "2026-05-04T12:00:00.000000Z"


@pytest.fixture
def empty(server):
    server.empty()
    return server


def begin(log: ExecutionLog) -> int | None:
    return log.start(tenant="shop", tool_name="getOrder", entry_type="cli", args={})


def write(url: str, rows: int) -> None:
    log = ExecutionLog(ServerPlace(url), warn=sys.exit)
    for _ in range(rows):
        row = begin(log)
        log.finish(row, state="ok", duration_ms=1.0, result={"n": "x" * 500})
    log.close()


def test_environment_says_where_the_database_is(tmp_path):
    assert isinstance(place_of(tmp_path, {}), FilePlace)
    assert isinstance(place_of(tmp_path, {"TM_DATABASE_URL": ""}), FilePlace)
    there = place_of(tmp_path, {"TM_DATABASE_URL": "postgresql://tm:secret@db/x"})
    assert there.name == "in PostgreSQL (TM_DATABASE_URL)"


def test_sql_of_sqlite_is_translated():
    assert translated("BEGIN IMMEDIATE") == "BEGIN"
    assert translated("SELECT 5 % 2 FROM t INDEXED BY log_tool WHERE a = ?") == (
        "SELECT 5 %% 2 FROM t WHERE a = %s"
    )


def test_new_database_has_all_steps_noted(empty):
    ServerPlace(empty.url).open(now=NOW).close()
    noted = empty.execute("SELECT number, name FROM migrations ORDER BY number")
    assert noted == [(number, step.name) for number, step in enumerate(migrations.MIGRATIONS, 1)]


def test_older_database_gets_the_steps_that_are_missing(empty, monkeypatch):
    for module in (migrations, postgres):
        monkeypatch.setattr(module, "NEWEST", 1)
    ServerPlace(empty.url).open(now=NOW).close()
    monkeypatch.undo()
    ServerPlace(empty.url).open(now=NOW).close()
    assert empty.execute("SELECT max(number) FROM migrations") == [(NEWEST,)]


def test_step_that_fails_leaves_nothing_of_itself(empty, monkeypatch):
    broken = migrations.Step("broken", "CREATE TABLE half (id INTEGER); SELECT no_such_thing")
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, broken))
    for module in (migrations, postgres):
        monkeypatch.setattr(module, "NEWEST", NEWEST + 1)
    with pytest.raises(database_failures()):
        ServerPlace(empty.url).open(now=NOW)
    assert empty.execute("SELECT to_regclass('migrations'), to_regclass('half')") == [(None, None)]


def test_newer_database_is_refused(empty):
    ServerPlace(empty.url).open(now=NOW).close()
    empty.execute("INSERT INTO migrations VALUES (99, 'of the future', '')")
    with pytest.raises(NewerDatabaseError, match="tables of a newer tm"):
        ServerPlace(empty.url).open(now=NOW)


def test_processes_that_start_at_once_lose_nothing(empty):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=write, args=(empty.url, 60)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert empty.execute("SELECT count(*) FROM task_log_entries WHERE state = 'ok'") == [(240,)]


def test_lost_connection_is_one_warning_and_then_a_new_one(empty, monkeypatch):
    warnings: list[str] = []
    log = ExecutionLog(ServerPlace(empty.url), warn=warnings.append)
    row = begin(log)
    empty.execute(END_OTHERS)
    log.finish(row, state="ok", duration_ms=1.0)
    assert begin(log) is None, "it is left alone for a while"
    (warning,) = warnings
    assert warning.startswith("the execution log in PostgreSQL (TM_DATABASE_URL) can't be written")
    monkeypatch.setattr(log_module, "RETRY_AFTER_S", 0.0)
    assert begin(log) == 2
    empty.execute(END_OTHERS)
    assert begin(log) is None
    assert begin(log) == 3
    log.close()
    assert len(warnings) == 1


def test_tables_connect_again_outside_of_a_transaction(empty, tmp_path):
    tables = open_tables(tmp_path, {"TM_DATABASE_URL": empty.url})
    empty.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tm'"
    )
    with pytest.raises(UsageError, match="can't be used: terminating connection"):
        tables.execute("SELECT 1")
    assert tables.execute("SELECT ?", ("Grüße",)) == [("Grüße",)]
    tables.close()


FAULTS = [
    ("postgresql://tm:hunter2secret@127.0.0.1:1/x", "refused"),
    ("postgresql://tm:hunter2/secret@127.0.0.1/x", "address can't be read"),
    ("postgresql://tm:hunter2secret@127.0.0.1:port/x", "address can't be read"),
    ("postgresql://tm:hunter2%20secret@127.0.0.1:1/x?sslmode=odd", "sslmode"),
    ("mysql://tm:hunter2secret@127.0.0.1/x", "'mysql' is not supported"),
    ("postgresql://[tm:hunter2secret@127.0.0.1/x", "address can't be read"),
]


@pytest.mark.parametrize(("url", "said"), FAULTS)
def test_fault_of_an_address_is_told_without_its_password(url, said):
    pytest.importorskip("psycopg", reason="tm[postgres] is not installed")
    with pytest.raises(NoServerError, match=said) as told:
        ServerPlace(url).open(now=NOW)
    assert "hunter2" not in why(told.value)
    assert "secret" not in why(told.value)
    assert "\n" not in why(told.value)


def test_missing_extra_is_named_with_its_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    warnings: list[str] = []
    log = ExecutionLog(ServerPlace("postgresql://tm@127.0.0.1/x"), warn=warnings.append)
    assert begin(log) is None
    assert "pip install 'tm[postgres]'" in warnings[0]
    with pytest.raises(UsageError, match="which is not installed") as told:
        log.entries(Filters())
    assert told.value.hint == "pip install 'tm[postgres]'"


def test_old_runs_are_deleted_and_counted(empty):
    log = ExecutionLog(ServerPlace(empty.url))
    for state in ("ok", "failed"):
        log.finish(begin(log), state=state, duration_ms=5.0)
    (tool,) = log._reader().statistics(Filters(tenant="shop"))
    assert (tool.runs, tool.failures, tool.p50_ms) == (2, 1, 5.0)
    assert log._reader().delete_before("shop", datetime(2100, 1, 1, tzinfo=UTC)) == 2
    assert log.entries(Filters()) == []
    log.close()
