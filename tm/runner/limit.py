"""Holds a run to its `max_seconds`, also where a tenant function does not come back."""

from __future__ import annotations

from threading import Thread
from typing import Any, Protocol

from tm.errors import ToolError
from tm.model import Json, Tool
from tm.runner.events import Report
from tm.runner.mapping import has_expressions
from tm.runner.pipeline import execute
from tm.runner.run import ToolRun, stopped_by

# HTTP watches the deadline itself and ends with its own words; this is the grace it gets.
GRACE_S = 0.25
# What a busy machine may take to report a run that is over time, before its process is ended.
_LAST_GRACE_S = 5.0


class _Worker(Thread):
    """Executes one run; a daemon, so that a function that never ends does not hold the command."""

    def __init__(self, run: ToolRun, args: Json) -> None:
        super().__init__(name=f"run {run.tool.name}", daemon=True)
        self.tool_run = run
        self.tool_args = args
        self.report: Report | None = None
        self.failure: BaseException | None = None

    def run(self) -> None:
        """Execute the run and keep how it ended for the thread that waits."""
        try:
            self.report = execute(self.tool_run, self.tool_args)
        except BaseException as problem:  # noqa: BLE001  raised again in the waiting thread
            self.failure = problem


class LastResort(Protocol):
    """Ends the process when even the waiting thread gets no turn any more."""

    def arm(self, seconds: float) -> None:
        """End the process after so many seconds, unless disarmed before."""
        ...

    def disarm(self) -> None:
        """Let the process live."""
        ...


def execute_in_time(run: ToolRun, args: Json, last_resort: LastResort | None = None) -> Report:
    """Run a prepared top-level tool and return its report, at the latest after max_seconds.

    A tool without functions can only wait for HTTP, which keeps the deadline itself, and a worker
    is ended by the thread that waits for it. Functions of this process, expressions of `mapping`
    and `fail_when`, and schemas that refer run in a thread of their own: Python can't stop one, so
    past the time the run is reported as failed (TM505), and what the thread still does is dropped.

    Args:
        last_resort: for a command: C code such as a regular expression that takes for ever never
            gives the interpreter back, so that nothing here could report it.
    """
    is_stopped = run.functions is None or run.functions.can_be_stopped
    if is_stopped and not has_expressions(run.tool) and not _refers(run.tool):
        return execute(run, args)
    worker = _Worker(run, args)
    wait_s = max(run.scope.remaining_s(), 0) + GRACE_S
    if last_resort is not None:
        last_resort.arm(wait_s + _LAST_GRACE_S)
    worker.start()
    try:
        worker.join(wait_s)
    except BaseException as problem:
        _give_up(run, stopped_by(problem), state="killed")
        raise
    finally:
        if last_resort is not None:
            last_resort.disarm()
    if worker.failure is not None:
        raise worker.failure
    return worker.report or _give_up(run, run.out_of_time(), state="failed")


def _refers(tool: Tool) -> bool:
    """Tell whether the arguments' schema refers: references may unfold to any size."""
    return "$ref" in str(tool.parameters)


def _give_up(run: ToolRun, error: ToolError, *, state: str) -> Report:
    """End a run, and those nested in it, while its thread is still busy."""
    run.scope.close()
    report: Any = None
    for active in reversed(list(run.scope.active) or [run]):
        active.give_up(error)
        report = active.finish(state)
    return run.finish(state) if report is None else report
