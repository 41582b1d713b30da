"""The inside of a worker process: it takes numbers of checks, and sends back their reports.

A frame on the way back: number, length, kind (`K` a report, `S` a report after which this process
should get no more checks, `X` a bug of tm), then the data.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import struct
import time
from collections.abc import Sequence
from mmap import mmap
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final, NoReturn

from tm.records import record
from tm.runner.suite.one_check import CheckRunner
from tm.runner.suite.outcomes import Check
from tm.runner.suite.wire import pack_report

TASK: Final = struct.Struct("<I")
FRAME: Final = struct.Struct("<IIc")
SLOT: Final = struct.Struct("=Qd")
"""What a thread is at: number of the check plus one (0: nothing), and the time it must be over."""
_NUMBER: Final = struct.Struct("=Q")
_UNTIL: Final = struct.Struct("=d")

_TASK_BYTES: Final = 4096
_BATCH_S: Final = 0.02
_COLLECT_AFTER: Final = 5000


@record
class Ends:
    """What a worker process shares with its parent.

    Attributes:
        tasks, reports: pipes from and to the parent.
        slots: memory of both, one slot for each thread.
    """

    tasks: int
    reports: int
    slots: mmap


class Child:
    """One worker process, seen from the inside.

    Args:
        may_batch: a report may wait a little for the next one; if the process dies meanwhile, the
            check is run again.
    """

    def __init__(
        self,
        runner: CheckRunner,
        checks: Sequence[Check],
        ends: Ends,
        *,
        with_traceback: bool,
        may_batch: bool,
    ) -> None:
        self._runner = runner
        self._checks = checks
        self._tasks = ends.tasks
        self._reports = ends.reports
        self._slots = ends.slots
        self._with_traceback = with_traceback
        self._may_batch = may_batch
        self._waiting = b""
        self._flushed = 0.0
        self._queue: SimpleQueue[int] = SimpleQueue()
        self._lock = Lock()

    def serve(self, threads: int) -> NoReturn:
        """Work until the parent closes its pipe or is gone; never returns."""
        try:
            # Ctrl-C goes to every process of a terminal: the parent decides what it means.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            # Each run leaves hundreds of objects and hardly any cycle: looking for those less often
            # is a tenth of a run's time.
            gc.set_threshold(_COLLECT_AFTER, 10, 10)
            self._runner.enter_worker()
            if threads == 1:
                self._serve_alone()
            else:
                self._serve_threads(threads)
        finally:
            os._exit(0)

    def _serve_alone(self) -> None:
        """Run what comes in this thread: handing it to another one takes longer than some runs."""
        Thread(target=self._end_with_parent, daemon=True).start()
        while words := os.read(self._tasks, _TASK_BYTES):
            for (number,) in TASK.iter_unpack(words):
                self._work(number, 0)
            self._flush()

    def _end_with_parent(self) -> None:
        """Wait until the parent has let go of its end of the pipe, and end at once."""
        watch = select.poll()
        watch.register(self._tasks, 0)  # 0: nothing but the end of the pipe
        watch.poll()
        os._exit(0)

    def _serve_threads(self, threads: int) -> None:
        for slot in range(threads):
            Thread(target=self._work_on, args=(slot,), daemon=True).start()
        while words := os.read(self._tasks, _TASK_BYTES):
            for (number,) in TASK.iter_unpack(words):
                self._queue.put(number)

    def _work_on(self, slot: int) -> None:
        while True:
            self._work(self._queue.get(), slot)

    def _work(self, number: int, slot: int) -> None:
        try:
            self._send(number, *self._run(number, slot))
        except OSError:
            os._exit(0)  # nobody reads any more
        except BaseException as bug:  # noqa: BLE001  a bug of tm: the parent tells it
            self._send_bug(number, bug)

    def _run(self, number: int, slot: int) -> tuple[bytes, bytes]:
        place = slot * SLOT.size

        def until(moment: float) -> None:
            # The parent looks at any moment: a number never stands beside the time of another.
            _UNTIL.pack_into(self._slots, place + _NUMBER.size, moment)
            _NUMBER.pack_into(self._slots, place, number + 1)

        report = self._runner(self._checks[number], until)
        data = pack_report(report, with_traceback=self._with_traceback)
        _NUMBER.pack_into(self._slots, place, 0)
        return b"S" if self._runner.has_function_left else b"K", data

    def _send_bug(self, number: int, bug: BaseException) -> None:
        from traceback import format_exception  # noqa: PLC0415  a bug is rare

        self._send(number, b"X", "".join(format_exception(bug)).encode("utf-8", "replace"))

    def _send(self, number: int, kind: bytes, data: bytes) -> None:
        with self._lock:
            self._waiting += FRAME.pack(number, len(data), kind) + data
            now = time.monotonic()
            if not self._may_batch or now - self._flushed > _BATCH_S or kind == b"X":
                self._flush()
                self._flushed = now

    def _flush(self) -> None:
        rest, self._waiting = memoryview(self._waiting), b""
        while rest:
            rest = rest[os.write(self._reports, rest) :]
