"""What a locked worker adds to a run: the first one of a process, and each after it."""

import resource
import statistics
import time
from pathlib import Path

from tests.bench.measure import report
from tm import Workspace
from tm.runner.scope import RunOptions

_RUNS = 60
_FILE = """
def hello(results, args, ctx):
    ctx["logger"].info("begin")
    ctx["logger"].success("end")
    return {"hello": args}


tools = {"hello": {"description": "Says hello.", "handler": hello, "args_fixture": {}}}
"""


def measure_isolate(folder: Path) -> None:
    """A handler alone, isolated against in the same process, in wall and CPU time."""
    tenant = folder / "tenants" / "kontor"
    tenant.mkdir(parents=True)
    (tenant / "hello.py").write_text(_FILE, encoding="utf-8")
    with Workspace(folder) as workspace:
        began = time.perf_counter()
        _run(workspace, isolate=True)
        first = time.perf_counter() - began
        plain = _median(workspace, isolate=False)
        isolated = _median(workspace, isolate=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"     first isolated run of a process: {first * 1000:.0f} ms", flush=True)
    in_workers = (used.ru_utime + used.ru_stime) * 1000
    print(f"     CPU of fork server and {_RUNS + 1} workers: {in_workers:.0f} ms", flush=True)
    report("one isolated run (wall)", isolated, plain, 20, "in-process runs")


def _median(workspace: Workspace, *, isolate: bool) -> float:
    """Return the median wall seconds of one run; both sides of the pipe count."""
    times = []
    for _ in range(_RUNS):
        began = time.perf_counter()
        _run(workspace, isolate=isolate)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def _run(workspace: Workspace, *, isolate: bool) -> None:
    done = workspace.run_tool("kontor", "hello", options=RunOptions(isolate=isolate))
    assert done.ok, done.error
