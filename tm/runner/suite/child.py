"""The inside of a worker process: it takes numbers of checks, and sends back their reports.

A frame on the way back: number, length, kind (`K` a report, `S` a report after which this process
should get no more checks, `X` a bug of tm), then the data.
"""

from __future__ import annotations

import os
import signal
import struct
import time
from collections.abc import Sequence
from mmap import mmap
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final, NoReturn

from tm.runner.suite.one_check import CheckRunner
from tm.runner.suite.outcomes import Check
from tm.runner.suite.wire import pack_report

TASK: Final = struct.Struct("<I")
FRAME: Final = struct.Struct("<IIc")
SLOT: Final = struct.Struct("<Qd")
"""What a thread is at: number of the check plus one (0: nothing), and the time it must be over."""

_TASK_BYTES: Final = 4096


class Child:
    """One worker process, seen from the inside.

    Args:
        tasks, reports: pipes from and to the parent.
        slots: memory shared with the parent, one slot for each thread.
    """

    def __init__(
        self,
        runner: CheckRunner,
        checks: Sequence[Check],
        *,
        tasks: int,
        reports: int,
        slots: mmap,
        with_traceback: bool,
    ) -> None:
        self._runner = runner
        self._checks = checks
        self._tasks = tasks
        self._reports = reports
        self._slots = slots
        self._with_traceback = with_traceback
        self._queue: SimpleQueue[int] = SimpleQueue()
        self._lock = Lock()

    def serve(self, threads: int) -> NoReturn:
        """Work until the parent closes its pipe or is gone; never returns."""
        try:
            # Ctrl-C goes to every process of a terminal: the parent decides what it means.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self._runner.enter_worker()
            for slot in range(threads):
                Thread(target=self._work, args=(slot,), daemon=True).start()
            while words := os.read(self._tasks, _TASK_BYTES):
                for (number,) in TASK.iter_unpack(words):
                    self._queue.put(number)
        finally:
            os._exit(0)

    def _work(self, slot: int) -> None:
        while True:
            number = self._queue.get()
            try:
                self._send(number, *self._run(number, slot))
            except OSError:
                os._exit(0)  # nobody reads any more
            except BaseException as bug:  # noqa: BLE001  a bug of tm: the parent tells it
                self._send_bug(number, bug)

    def _run(self, number: int, slot: int) -> tuple[bytes, bytes]:
        def until(moment: float) -> None:
            SLOT.pack_into(self._slots, slot * SLOT.size, number + 1, moment)

        report = self._runner(self._checks[number], until)
        data = pack_report(report, with_traceback=self._with_traceback)
        SLOT.pack_into(self._slots, slot * SLOT.size, 0, time.monotonic())
        return b"S" if self._runner.has_function_left else b"K", data

    def _send_bug(self, number: int, bug: BaseException) -> None:
        from traceback import format_exception  # noqa: PLC0415  a bug is rare

        self._send(number, b"X", "".join(format_exception(bug)).encode("utf-8", "replace"))

    def _send(self, number: int, kind: bytes, data: bytes) -> None:
        rest = memoryview(FRAME.pack(number, len(data), kind) + data)
        with self._lock:
            while rest:
                rest = rest[os.write(self._reports, rest) :]
