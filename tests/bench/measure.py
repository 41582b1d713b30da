"""Paired measuring of CPU time: what is compared runs alternately, and medians are compared."""

import atexit
import os
import pty
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(tempfile.mkdtemp(prefix="tm-bench-"))
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)
ROUNDS = int(os.environ.get("TM_BENCH_ROUNDS", "15"))


@dataclass(frozen=True)
class Command:
    """A command to measure, with its own folder and environment."""

    words: list[str]
    cwd: Path | None = None
    on_terminal: bool = False
    check: int = 0

    def run(self) -> float:
        """Run once and return the CPU seconds (user and system) that it took."""
        before = _children()
        code = self._on_terminal() if self.on_terminal else self._piped()
        assert code == self.check, f"{self.words} ended with {code}"
        return _children() - before

    def _piped(self) -> int:
        return subprocess.run(
            self.words, cwd=self.cwd, env=environment(), capture_output=True, check=False
        ).returncode

    def _on_terminal(self) -> int:
        parent, child = pty.openpty()
        process = subprocess.Popen(
            self.words, cwd=self.cwd, env=environment(), stdin=child, stdout=child, stderr=child
        )
        os.close(child)
        try:
            while os.read(parent, 65536):
                pass
        except OSError:
            pass  # the terminal is closed when the command has ended
        os.close(parent)
        return process.wait()


def environment() -> dict[str, str]:
    """Return the environment of measured commands: bytecode is kept, the index has its place."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("TM_", "PYTHON"))}
    return {**kept, "TERM": "xterm-256color", "XDG_CACHE_HOME": str(CACHE)}


def python(code: str) -> list[str]:
    """Return the command of a snippet in this environment's Python."""
    return [sys.executable, "-c", code]


def tm(*words: str) -> list[str]:
    """Return a `tm` command of this environment."""
    return [str(Path(sys.executable).with_name("tm")), *words]


def medians(*commands: Command, rounds: int = ROUNDS) -> list[float]:
    """Return each command's median CPU seconds; they take turns, after two rounds to warm up."""
    times: list[list[float]] = [[] for _ in commands]
    for round_number in range(rounds + 2):
        for taken, command in zip(times, commands, strict=True):
            seconds = command.run()
            if round_number >= 2:
                taken.append(seconds)
    return [statistics.median(taken) for taken in times]


def report(what: str, value: float, floor: float, aim: float, unit: str) -> None:
    """Print one line: the ratio, its aim, and the times behind it."""
    ratio = value / floor
    mark = "ok  " if ratio <= aim else "over"
    print(
        f"{mark} {what:<52} {ratio:6.2f} {unit:<24} aim {aim:5.2f}   "
        f"({value * 1000:.1f} ms / {floor * 1000:.1f} ms CPU)",
        flush=True,
    )


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
