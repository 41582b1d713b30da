"""What tm adds to one call inside a process, beyond the HTTP client's own time."""

import statistics
import time
from pathlib import Path

import httpx

from tests.bench.workspaces import answering_server, make_workspace
from tm import Workspace

_CALLS = 400


def measure_call(folder: Path) -> None:
    """Validate, request, mapping and log row, against httpx alone, in microseconds of CPU."""
    with answering_server() as url:
        root = make_workspace(folder, url, 1)
        with Workspace(root) as workspace, httpx.Client() as client:
            tool = _per_call(lambda: workspace.run_tool("kontor", "getInvoice0"))
            bare = _per_call(lambda: client.get(f"{url}/invoices/1").json())
    added = (tool - bare) * 1e6
    mark = "ok  " if added <= 150 else "over"
    print(
        f"{mark} {'one call adds':<52} {added:6.0f} us CPU{'':<19} aim   150   "
        f"({tool * 1e6:.0f} us / {bare * 1e6:.0f} us)",
        flush=True,
    )


def _per_call(call: object) -> float:
    """Return the median CPU seconds of this thread for one call."""
    times = []
    for _ in range(_CALLS):
        began = time.thread_time()
        call()  # type: ignore[operator]
        times.append(time.thread_time() - began)
    return statistics.median(times[50:])
