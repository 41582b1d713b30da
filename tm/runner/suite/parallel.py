"""Runs the checks of a suite in worker processes, and hands their outcomes back in order.

A tool that hangs, crashes or holds the interpreter takes no other one with it: its process is
ended, and what had not begun there, or only reads, is run in another one.
"""

from __future__ import annotations

import os
import selectors
import time
from collections import deque
from collections.abc import Iterator, Sequence
from signal import Signals
from typing import Final, NoReturn

from tm.errors import ToolError
from tm.records import record
from tm.runner.suite.child import Child, Ends
from tm.runner.suite.one_check import CheckRunner
from tm.runner.suite.outcomes import Check, Outcome, not_run
from tm.runner.suite.wire import unpack_report
from tm.runner.suite.worker import Worker

LATE_S: Final = 5.0
"""How long after its time a check that did not come back is waited for, on a busy machine."""
_LOOK_EVERY_S: Final = 0.25
_MAX_CAREFUL: Final = 8
_AHEAD: Final = 16


class WorkerFailedError(Exception):
    """A bug of tm in a worker process; the text is its traceback."""


@record
class Plan:
    """How a suite is run.

    Attributes:
        jobs: runs side by side at most.
        fail_fast: begin no more after the first failure.
        may_repeat: nothing that is run changes anything outside, so a second run does no harm.
        with_traceback: errors carry the traceback of their process.
    """

    jobs: int = 1
    fail_fast: bool = False
    may_repeat: bool = False
    with_traceback: bool = False


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Crew:
    """The workers of one suite.

    Args:
        runner: runs one check; each process works with its own copy.
        checks: what is to be run; the others are handed on as they are.
    """

    def __init__(self, runner: CheckRunner, checks: Sequence[Check], plan: Plan) -> None:
        self._runner = runner
        self._checks = checks
        self._plan = plan
        self._todo = deque(number for number, check in enumerate(checks) if check.is_run)
        self._done: dict[int, bytes | Outcome] = {}
        self._workers: list[Worker] = []
        self._selector = selectors.DefaultSelector()
        self._next_look = 0.0
        self._may_batch = plan.may_repeat and not plan.fail_fast
        self._size = max(1, min(plan.jobs, cores(), len(self._todo)))
        self._threads = -(-min(plan.jobs, max(len(self._todo), 1)) // self._size)
        # More wait in each process, so that none is idle while its report is on the way.
        self._ahead = 0 if plan.fail_fast else _AHEAD if self._may_batch else 1

    def run(self) -> Iterator[Outcome]:
        """Run all checks and yield what became of each, in their order.

        All of them see the files as they are now.
        """
        with self._runner.pinned():
            yield from self._run()

    def _run(self) -> Iterator[Outcome]:
        try:
            for number, check in enumerate(self._checks):
                if not check.is_run:
                    yield Outcome(check)
                    continue
                while number not in self._done:
                    if not self._is_coming(number):
                        return
                    self._step()
                yield self._outcome(number)
        except KeyboardInterrupt as problem:
            self._runner.note_stopped(self._end(), problem)
            raise
        finally:
            self._end()

    def _is_coming(self, number: int) -> bool:
        """Say whether a check will be reported; not after a failure that ends the suite."""
        return number in self._todo or any(number in worker.given for worker in self._workers)

    def _outcome(self, number: int) -> Outcome:
        data = self._done.pop(number)
        return (
            data
            if isinstance(data, Outcome)
            else Outcome(self._checks[number], unpack_report(data))
        )

    # -- workers

    def _step(self) -> None:
        """Hand out checks, and take what has come."""
        while self._todo and len(self._workers) < min(self._size, len(self._todo)):
            self._start()
        for worker in self._workers:
            if (room := self._room(worker)) > 0:
                worker.give([self._todo.popleft() for _ in range(min(room, len(self._todo)))])
        for key, _ in self._selector.select(_LOOK_EVERY_S):
            self._take(key.data)
        self._end_late()

    def _room(self, worker: Worker) -> int:
        """Return how many more checks a worker takes: some at a time, each message costs."""
        room = worker.threads + self._ahead - len(worker.given)
        return 0 if worker.is_spent or room * 2 < self._ahead else room

    def _start(self) -> None:
        def serve(ends: Ends, threads: int) -> NoReturn:
            child = Child(
                self._runner,
                self._checks,
                ends,
                with_traceback=self._plan.with_traceback,
                may_batch=self._may_batch and threads == 1,
            )
            child.serve(threads)

        worker = Worker(serve, self._threads, self._workers)
        self._workers.append(worker)
        self._selector.register(worker.reports, selectors.EVENT_READ, worker)

    def _take(self, worker: Worker) -> None:
        frames = worker.receive()
        if frames is None:
            self._bury(worker)
            return
        for number, kind, data in frames:
            if kind == b"X":
                raise WorkerFailedError(data.decode())
            self._keep(number, data)
        if worker.is_spent and not worker.given:
            self._let_go(worker)

    def _keep(self, number: int, data: bytes | Outcome) -> None:
        self._done[number] = data
        if self._plan.fail_fast and self._todo and self._outcome_of(number).ok is False:
            self._todo.clear()

    def _outcome_of(self, number: int) -> Outcome:
        outcome = self._done[number] = self._outcome(number)
        return outcome

    def _let_go(self, worker: Worker) -> int:
        self._selector.unregister(worker.reports)
        self._workers.remove(worker)
        if worker.is_spent:
            worker.kill()
        return worker.end()

    # -- workers that went wrong

    def _end_late(self) -> None:
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK_EVERY_S
        for worker in self._workers:
            late = {n for n, until in worker.at_work().items() if until + LATE_S < now}
            # A slot that is being written may show any time: what counts is seen twice.
            if late & worker.late:
                worker.kill()  # its pipe is closed with it, which is how it is noticed
            worker.late = late

    def _bury(self, worker: Worker) -> None:
        """Report what a dead process was at, and run again what it only had."""
        given, at_work = worker.given, worker.at_work()
        status = self._let_go(worker)
        now = time.monotonic()
        late = worker.late & {n for n, until in at_work.items() if until + LATE_S < now}
        again = given - at_work.keys()
        for number in at_work:
            check = self._checks[number]
            is_harmless = self._plan.may_repeat or check.only_reads
            if number not in late and (late or len(at_work) > 1) and is_harmless:
                again.add(number)
            else:
                self._keep(number, _lost(check, status, is_late=number in late, of=len(at_work)))
        if len(at_work) > 1:  # from now on, no two runs in one process
            self._threads, self._size = 1, min(self._plan.jobs, _MAX_CAREFUL)
        self._todo.extendleft(sorted(again, reverse=True))

    def _end(self) -> list[int]:
        """End what still lives, and return the ids of those processes."""
        ended = [worker.pid for worker in self._workers]
        for worker in list(self._workers):
            worker.kill()
            self._let_go(worker)
        self._selector.close()
        return ended


def _lost(check: Check, status: int, *, is_late: bool, of: int) -> Outcome:
    """Return the outcome of a check whose process is gone."""
    if is_late:
        error = ToolError(
            f"'{check.tool}' took longer than its max_seconds, and could only be ended with its "
            "process",
            code="TM505",
            hint="a regular expression or a huge number may hold the interpreter; look there",
        )
        return Outcome(check, not_run(check, error))
    how = f"by {Signals(-status).name}" if status < 0 else f"with exit code {status}"
    beside = (
        f", while {of} runs were in it; it is not run again, for it may write" if of > 1 else ""
    )
    error = ToolError(
        f"the process that ran '{check.tool}' was ended {how}{beside}",
        code="TM521",
        hint="run it alone to see whether it is the cause",
    )
    return Outcome(check, not_run(check, error))
