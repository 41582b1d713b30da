"""Runs one check of a suite, in whatever process and thread it is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from threading import Lock
from typing import Any, Final

from tm.errors import ConfigError, ToolError
from tm.runner.cases import choose_case
from tm.runner.events import Report
from tm.runner.limit import GRACE_S
from tm.runner.run import stopped_by
from tm.runner.scope import RunOptions
from tm.runner.suite.outcomes import Check, not_run
from tm.runner.workspace import Workspace, ignore, with_case

LOADING_S: Final = 60.0
"""How long finding a tool and loading its functions may take."""
_KEPT_TENANTS: Final = 4


class CheckRunner:
    """Runs checks. Safe to use from several threads.

    Args:
        args: given arguments for every tool; None: each its own.
        has_function_left: set once a function was given up, whose thread goes on for ever.
    """

    def __init__(
        self, workspace: Workspace, args: Mapping[str, Any] | None, options: RunOptions
    ) -> None:
        self._workspace = workspace
        self._args = args
        self._options = options
        self._lock = Lock()
        self._recent: list[str] = []
        self.has_function_left = False

    def __call__(self, check: Check, until: Callable[[float], None]) -> Report:
        """Run a check and return its report; what can't even begin is a report too.

        Args:
            until: told by when, on the monotonic clock, the check is over at the latest.
        """
        self._keep_few_tenants(check.tenant)
        until(time.monotonic() + LOADING_S)
        workspace = self._workspace
        try:
            run = workspace.prepare(
                check.tenant, check.tool, with_case(self._options, check.case), ignore
            )
            try:
                case = choose_case(run.tool, self._args, check.case)
                until(time.monotonic() + run.tool.max_seconds + GRACE_S)
                report = workspace.run_case(run, case)
            finally:
                run.close()
        except (ConfigError, ToolError) as problem:
            return not_run(check, problem)
        functions = run.functions
        if functions and not functions.can_be_stopped and run.scope.closed_by is not None:
            self.has_function_left = True
        return report

    def pinned(self) -> AbstractContextManager[None]:
        """Keep the files as they are seen now, here and in processes forked meanwhile."""
        return self._workspace.catalog.pinned()

    def enter_worker(self) -> None:
        """Leave it to the parent process to end this one."""
        self._workspace.last_resort = None

    def note_stopped(self, pids: Sequence[int], problem: BaseException) -> None:
        """Write into the log why the runs of these processes, which are gone, did not end."""
        error = stopped_by(problem)
        self._workspace.log.note_stopped(pids, code=error.code, message=error.message)

    def _keep_few_tenants(self, code: str) -> None:
        """Forget the files of tenants that are done, so that memory does not grow with them."""
        with self._lock:
            if code in self._recent:
                return
            self._recent.append(code)
            gone = self._recent.pop(0) if len(self._recent) > _KEPT_TENANTS else None
        if gone is not None:
            self._workspace.catalog.forget(gone)
