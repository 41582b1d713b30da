"""Writing the execution log: what is kept, and that no fault of the database reaches a tool."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from tm.store import log as log_module
from tm.store.log import ExecutionLog
from tm.store.place import FilePlace
from tm.store.rows import Filters

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / ".tm" / "tm.sqlite3"


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def log(place, warnings):
    log = ExecutionLog(place, clock=lambda: NOON, warn=warnings.append)
    yield log
    log.close()


def begin(log: ExecutionLog, **fields) -> int | None:
    return log.start(
        **{"tenant": "shop", "tool_name": "getOrder", "entry_type": "cli", "args": {}, **fields}
    )


def run_python(code: str, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, args)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_ids_count_from_one_in_the_order_of_starts(log):
    assert [begin(log), begin(log), begin(log)] == [1, 2, 3]


def test_nothing_is_written_before_the_first_run(log, path):
    log.finish(None, state="ok", duration_ms=1.0)
    assert log.entries(Filters()) == []
    assert log.show(1) is None
    assert not path.parent.exists()


def test_row_has_every_column(log):
    row_id = begin(
        log, args={"id": "INV-1"}, chat_id="c-8", user_id="u-3", assistant="desk", dry_run=True
    )
    log.finish(
        row_id,
        state="ok",
        duration_ms=12.5,
        result={"total": 59.9},
        http_status=200,
        request_url="https://erp.example.com/invoices/INV-1?key=***",
        response_bytes=107,
        steps=[{"name": "request", "status": "ok", "ms": 12.0}],
        log=[{"level": "info", "message": "Grüße"}],
        args={"id": "INV-1", "lang": "de"},
    )
    row = log.show(row_id).to_json()
    assert row == {
        "id": 1,
        "started_at": "2026-05-04T12:00:00.000000Z",
        "tenant": "shop",
        "tool_name": "getOrder",
        "entry_type": "cli",
        "state": "ok",
        "args": {"id": "INV-1", "lang": "de"},
        "result": {"total": 59.9},
        "error": None,
        "duration_ms": 12.5,
        "http_status": 200,
        "request_url": "https://erp.example.com/invoices/INV-1?key=***",
        "response_bytes": 107,
        "parent_id": None,
        "chat_id": "c-8",
        "user_id": "u-3",
        "assistant": "desk",
        "dry_run": True,
        "steps": [{"name": "request", "status": "ok", "ms": 12.0}],
        "log": [{"level": "info", "message": "Grüße"}],
        "children": [],
    }
    in_list = log.entries(Filters())[0].to_json()
    assert in_list == {k: v for k, v in row.items() if k not in {"steps", "log", "children"}}


def test_failed_run_has_its_error(log):
    log.finish(
        begin(log, args={"a": 1}),
        state="failed",
        duration_ms=1.0,
        error_code="TM504",
        error_message="404",
    )
    row = log.entries(Filters())[0].to_json()
    assert row["error"] == {"code": "TM504", "message": "404"}
    assert (row["state"], row["result"], row["args"]) == ("failed", None, {"a": 1})


def test_run_that_is_not_finished_is_shown_as_running(log):
    begin(log)
    row = log.show(1).to_json()
    assert (row["state"], row["duration_ms"], row["steps"], row["log"]) == ("running", None, [], [])


@pytest.mark.parametrize(
    "value",
    [
        2**80,
        -(2**70),
        1e300,
        "lone \ud800 surrogate",
        "pair \U0001f600",
        "nul \x00 and \u2028",
        "x" * 10_000_000,
        [None, True, {"": []}],
        {"Größe": "漢字"},
    ],
    ids=lambda value: f"{type(value).__name__}-{str(value).encode('ascii', 'replace')[:12]!r}",
)
def test_any_value_comes_back_the_same(log, warnings, value):
    log.finish(
        begin(log, args={"v": value}), state="ok", duration_ms=1.0, result=value, log=[value]
    )
    row = log.show(1)
    assert (row.args, row.result, list(row.detail.log)) == ({"v": value}, value, [value])
    assert warnings == []


def test_texts_no_database_takes_are_escaped(log, warnings):
    row_id = begin(log, chat_id="c\ud800", user_id="u\x00", tool_name="t\udfff")
    log.finish(
        row_id,
        state="failed",
        duration_ms=1.0,
        error_code="TM509",
        error_message="\udcff?",
        request_url="/ü\udc80",
    )
    row = log.show(1)
    assert (row.chat_id, row.user_id, row.tool_name) == ("c\\ud800", "u\\x00", "t\\udfff")
    assert (row.error.message, row.request_url) == ("\\udcff?", "/ü\\udc80")
    assert warnings == []


def test_what_is_no_json_is_kept_as_text_or_as_a_note(log, warnings):
    deep: list = []
    deep.append(deep)
    log.finish(
        begin(log, args={"at": NOON}), state="ok", duration_ms=1.0, result=deep, log=[{1, 2}]
    )
    row = log.show(1)
    assert row.args == {"at": str(NOON)}
    assert row.result == "[not kept: RecursionError]"
    assert row.detail.log == ["{1, 2}"]
    assert warnings == []


def test_times_are_utc_whatever_the_clock_says(place):
    berlin = timezone(timedelta(hours=2))
    log = ExecutionLog(place, clock=lambda: NOON.astimezone(berlin))
    begin(log)
    assert log.show(1).started_at == "2026-05-04T12:00:00.000000Z"
    log.close()


def test_file_is_for_its_owner_only_and_not_in_git(log, path):
    begin(log)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.with_name("tm.sqlite3-wal").stat().st_mode) == 0o600
    assert (path.parent / ".gitignore").read_text() == "*\n"


def test_folder_that_is_there_is_left_as_it_is(log, path):
    path.parent.mkdir(mode=0o755)
    begin(log)
    assert not (path.parent / ".gitignore").exists()


def test_log_opens_again_after_close(log):
    begin(log)
    log.close()
    log.close()
    assert begin(log) == 2


def test_threads_share_one_log(log):
    def one(number: int) -> None:
        log.finish(begin(log, args={"n": number}), state="ok", duration_ms=1.0)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(200)))
    rows = log.entries(Filters(limit=1000))
    assert sorted(row.args["n"] for row in rows) == list(range(200))
    assert {row.state for row in rows} == {"ok"}


WRITER = """
    import sys
    from pathlib import Path
    from tm.store.log import ExecutionLog
    from tm.store.place import FilePlace
    log = ExecutionLog(FilePlace(Path(sys.argv[1])), warn=lambda text: sys.exit(text))
    for n in range(int(sys.argv[2])):
        row = log.start(tenant="shop", tool_name="t", entry_type="cli", args={"n": n})
        log.finish(row, state="ok", duration_ms=1.0, result={"n": n})
"""


def test_processes_that_start_at_once_lose_nothing(path, log):
    with ThreadPoolExecutor(6) as pool:
        ended = list(pool.map(lambda _: run_python(WRITER, path, 100), range(6)))
    assert [(one.returncode, one.stderr) for one in ended] == [(0, "")] * 6
    rows = log.entries(Filters(limit=1000))
    assert len(rows) == 600
    assert {row.state for row in rows} == {"ok"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_log_is_kept_over_a_fork(log):
    begin(log)
    child = os.fork()
    if child == 0:
        row_id = begin(log, tool_name="child")
        log.finish(row_id, state="ok", duration_ms=1.0)
        os._exit(0 if row_id == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert begin(log) == 3
    assert {row.tool_name for row in log.entries(Filters())} == {"child", "getOrder"}


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from tm.store.log import ExecutionLog
    from tm.store.place import FilePlace
    log = ExecutionLog(FilePlace(Path(sys.argv[1])))
    log.start(tenant="shop", tool_name="t", entry_type="cli", args={"id": 1})
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_run_of_a_killed_process_is_shown_as_killed(path, log):
    assert run_python(KILLED, path).returncode == -signal.SIGKILL
    own = begin(log)
    rows = {row.id: row for row in log.entries(Filters())}
    assert rows[own].state == "running"
    killed = rows[1].to_json()
    assert (killed["state"], killed["args"]) == ("killed", {"id": 1})
    assert killed["error"]["code"] == "TM521"
    assert "ended before the run did" in killed["error"]["message"]
    assert [row.id for row in log.entries(Filters(failed=True))] == [1]


def failing(path: Path, how: str) -> None:
    if how == "folder is a file":
        path.parent.write_text("a file")
    elif how == "database is a folder":
        path.mkdir(parents=True)
    elif how == "not a database":
        path.parent.mkdir()
        path.write_bytes(b"this is no database, and longer than a header is" * 10)
    elif how == "folder above is missing":
        path.parent.parent.rmdir()
    else:
        path.parent.mkdir()
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE migrations (number INTEGER, name TEXT, applied_at TEXT)")
            other.execute("INSERT INTO migrations VALUES (99, 'of the future', '')")
        other.close()


@pytest.mark.parametrize(
    "how",
    [
        "folder is a file",
        "database is a folder",
        "not a database",
        "folder above is missing",
        "newer",
    ],
)
def test_log_that_can_not_be_written_warns_once_and_never_raises(log, path, warnings, how):
    failing(path, how)
    assert begin(log) is None
    log.finish(None, state="ok", duration_ms=1.0)
    assert begin(log) is None
    (warning,) = warnings
    assert "execution log .tm/tm.sqlite3 can't be written" in warning
    assert str(path.parent.parent) not in warning
    assert ("newer tm" in warning) == (how == "newer")


def test_newer_database_is_left_untouched(log, path):
    failing(path, "newer")
    before = path.read_bytes()
    begin(log)
    assert path.read_bytes() == before


def test_full_disk_is_a_warning(log, path, warnings):
    begin(log)
    pages = log._connection.execute("PRAGMA page_count").fetchone()[0]
    log._connection.execute(f"PRAGMA max_page_count = {pages}")
    assert begin(log, args={"text": "x" * 100_000}) is None
    assert "full" in warnings[0]


def test_locked_database_is_a_warning_after_a_wait(path, warnings, monkeypatch):
    monkeypatch.setattr("tm.store.database.BUSY_TIMEOUT_S", 0.05)
    log = ExecutionLog(FilePlace(path), warn=warnings.append)
    begin(log)
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        log.finish(1, state="ok", duration_ms=1.0)
        assert begin(log) is None
        other.execute("ROLLBACK")
    other.close()
    log.close()
    assert "locked" in warnings[0]
    assert len(warnings) == 1


def test_log_that_works_again_is_written_again(log, path, warnings, monkeypatch):
    failing(path, "folder is a file")
    assert begin(log) is None
    path.parent.unlink()
    assert begin(log) is None
    monkeypatch.setattr(log_module, "RETRY_AFTER_S", 0.0)
    assert begin(log) == 1
    assert len(warnings) == 1


def test_number_too_large_for_a_column_is_a_warning(log, warnings):
    log.finish(begin(log), state="ok", duration_ms=1.0, response_bytes=2**80)
    assert len(warnings) == 1


def test_ids_are_not_used_again_after_rows_are_gone(log, path):
    begin(log)
    begin(log)
    log.close()
    with sqlite3.connect(path) as other:
        other.execute("DELETE FROM task_log_entries")
    other.close()
    assert begin(log) == 3


def test_copy_of_a_connection_is_left_to_the_parent(log, monkeypatch):
    begin(log)
    inherited = log._connection
    monkeypatch.setattr(log_module.os, "getpid", lambda: 1)
    assert begin(log) == 2
    assert log._left_behind == [inherited]
    monkeypatch.undo()
    for connection in (inherited, log._connection):
        connection.close()


def test_failure_that_stays_is_told_once(log, path, warnings, monkeypatch):
    monkeypatch.setattr(log_module, "RETRY_AFTER_S", 0.0)
    failing(path, "folder is a file")
    assert [begin(log), begin(log)] == [None, None]
    assert len(warnings) == 1


def test_loading_the_log_does_not_load_sqlite():
    # Without site packages, so that what measures coverage does not load it either.
    code = f"""
        import sys
        sys.path.insert(0, {str(Path(log_module.__file__).parents[2])!r})
        import tm.store.log
        print("sqlite3" in sys.modules)
    """
    done = subprocess.run(
        [sys.executable, "-S", "-c", textwrap.dedent(code)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("False\n", "")
