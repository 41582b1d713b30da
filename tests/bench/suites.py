"""Many tools in one call: replayed from cassettes, and live beside what others would use."""

import os
import subprocess
import threading
import time
from pathlib import Path

from tests.bench.measure import environment, tm
from tests.bench.workspaces import make_many_tenants

_TENANTS = int(os.environ.get("TM_BENCH_TENANTS", "50"))
_TOOLS = 200


def measure_suite(folder: Path) -> None:
    """Replay every case of a large workspace: cases a second, and memory as it goes on."""
    root = make_many_tenants(folder / "many", _TENANTS, _TOOLS)
    for name in ("without an index", "with its index"):
        took, seen = _replayed(root)
        rate = _TENANTS * _TOOLS / took
        mark = "ok  " if rate >= 1500 else "over"
        print(f"{mark} replayed cases, {name:<36} {rate:8.0f} a second   aim 1500", flush=True)
        half = seen[len(seen) // 2 :]
        mark = "ok  " if max(seen) <= 120 else "over"
        print(
            f"{mark} memory of its processes (shared pages once)          {max(seen):8.1f} MiB"
            f"         aim  120   (second half from {half[0]:.1f} to {half[-1]:.1f})",
            flush=True,
        )


def _replayed(root: Path) -> tuple[float, list[float]]:
    """Return the seconds that the whole workspace takes, and the memory in MiB on the way."""
    began = time.monotonic()
    process = subprocess.Popen(
        tm("test-tool", "--all", "--replay", "--jobs", "2"),
        cwd=root,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    seen: list[float] = []
    watcher = threading.Thread(target=_watch, args=(process, seen))
    watcher.start()
    out = process.communicate()[0].decode()
    took = time.monotonic() - began
    watcher.join()
    assert process.returncode == 0, out[-500:]
    assert out.splitlines()[-1].startswith(f"{_TENANTS * _TOOLS} ok"), out[-500:]
    return took, seen


def _watch(process: "subprocess.Popen[bytes]", seen: list[float]) -> None:
    while process.poll() is None:
        seen.append(sum(_memory_mib(pid) for pid in (process.pid, *_children(process.pid))))
        time.sleep(0.1)


def _children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    except OSError:
        return []
    return [int(word) for word in text.split()]


def _memory_mib(pid: int) -> float:
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("Pss:")), 0.0)
