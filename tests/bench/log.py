"""The execution log: a row, and the newest 50 of a million."""

import sqlite3
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.measure import Command, medians, python, report, tm
from tests.bench.workspaces import make_workspace
from tm.store.log import ExecutionLog
from tm.store.place import FilePlace
from tm.store.rows import Filters
from tm.store.words import MAKE_WORDS

_ROWS = 1_000_000
_FILL = """
INSERT INTO task_log_entries (started_at, tenant, tool_name, entry_type, state, dry_run, owner,
    settled, duration_ms, http_status, args, result, steps, log)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
SELECT strftime('%Y-%m-%dT%H:%M:%f000Z', 1700000000 + i, 'unixepoch'), 'kontor',
    'getInvoice' || (i % 40), CASE i % 3 WHEN 0 THEN 'cli' WHEN 1 THEN 'chat' ELSE 'scheduled' END,
    CASE WHEN i % 50 = 0 THEN 'failed' ELSE 'ok' END, i % 100 = 0, '-', 1, i % 997, 200,
    '{"id":"R-' || i || '"}', '{"ok":true}', '[]', '[]' FROM n
"""
_FILTERS = {
    "none": Filters(tenant="kontor"),
    "tool": Filters(tenant="kontor", tool="getInvoice7"),
    "entry type": Filters(tenant="kontor", entry_type="chat"),
    "failed": Filters(tenant="kontor", failed=True),
    "dry run": Filters(tenant="kontor", dry_run=True),
    "search, one row": Filters(tenant="kontor", search="R-4711"),
    "search, every row": Filters(tenant="kontor", search="ok true"),
    "slower than 990 ms": Filters(tenant="kontor", slower_than_ms=990),
}


def measure_log(folder: Path) -> None:
    """A row on an open connection, the newest 50 of a million, and `tm log` on them."""
    root = make_workspace(folder / "w", "http://127.0.0.1:9", 1)
    with_row = ExecutionLog(FilePlace(root / ".tm" / "tm.sqlite3"))
    row = _median(lambda: _one_run(with_row), 2000)
    _say("a row on an open connection", row, 30)
    with_row.close()
    with sqlite3.connect(root / ".tm" / "tm.sqlite3") as connection:
        connection.execute(_FILL, (_ROWS,))
        connection.execute(MAKE_WORDS.split(";")[1])
    reader = ExecutionLog(FilePlace(root / ".tm" / "tm.sqlite3"))
    worst = max(_FILTERS, key=lambda name: _entries(reader, name))
    _say(f"newest 50 of a million, worst filter ({worst})", _entries(reader, worst), 2000)
    floor, shown = medians(Command(python("pass"), root), Command(tm("log"), root))
    report("tm log of a million rows, piped", shown, floor, 4, "starts of Python")


def _one_run(log: ExecutionLog) -> None:
    row = log.start(tenant="kontor", tool_name="getInvoice", entry_type="cli", args={"id": "R-1"})
    log.finish(row, state="ok", duration_ms=12.5, result={"id": "R-1", "total": 119.0})


def _entries(log: ExecutionLog, name: str) -> float:
    return _median(lambda: log.entries(_FILTERS[name]), 20)


def _median(call: Callable[[], object], times: int) -> float:
    """Return the median CPU seconds of this thread for one call."""
    taken = []
    for _ in range(times):
        began = time.thread_time()
        call()
        taken.append(time.thread_time() - began)
    return statistics.median(taken)


def _say(what: str, seconds: float, aim: int) -> None:
    mark = "ok  " if seconds * 1e6 <= aim else "over"
    print(f"{mark} {what:<52} {seconds * 1e6:6.0f} us CPU{'':<19} aim {aim:5}", flush=True)
