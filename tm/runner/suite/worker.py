"""A worker process, seen from the process that started it."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from mmap import mmap
from typing import Final, NoReturn

from tm.runner.suite.child import FRAME, SLOT, TASK, Ends

_READ_BYTES: Final = 1 << 18


class Worker:
    """One forked process with some threads, which runs the checks that it is given.

    Attributes:
        reports: the pipe that its reports come from.
        given: numbers of checks that it has and did not report yet.
        late: checks that were past their time at the last look.
        is_spent: it should get no more, because a function in it never ends.
    """

    def __init__(
        self,
        serve: Callable[[Ends, int], NoReturn],
        threads: int,
        others: Iterable[Worker],
    ) -> None:
        """Start the process.

        Args:
            serve: what the process does, with what it shares with this one, and so many threads.
            others: those that live already, whose pipes the new process must not keep open.
        """
        self.threads = threads
        self.given: set[int] = set()
        self.late: set[int] = set()
        self.is_spent = False
        self._slots = mmap(-1, SLOT.size * threads)
        self._buffer = bytearray()
        tasks, self._tasks = os.pipe()
        self.reports, reports = os.pipe()
        gc.freeze()  # what is here already is not searched, and so not copied, in the child
        self.pid = os.fork()
        if self.pid == 0:
            for other in (*others, self):
                other.close()
            serve(Ends(tasks, reports, self._slots), threads)
        gc.unfreeze()
        os.close(tasks)
        os.close(reports)

    def close(self) -> None:
        """Close this process's ends of the pipes: the worker ends when it sees it."""
        for end in (self._tasks, self.reports):
            with suppress(OSError):
                os.close(end)

    def give(self, numbers: Sequence[int]) -> None:
        """Hand it more checks; if it is gone already, that is noticed by the end of its reports."""
        if numbers:
            self.given.update(numbers)
            with suppress(OSError):
                os.write(self._tasks, b"".join(map(TASK.pack, numbers)))

    def receive(self) -> Iterator[tuple[int, bytes, bytes]] | None:
        """Return number, kind and data of each report that has come; None: the process is gone."""
        data = os.read(self.reports, _READ_BYTES)
        if not data:
            return None
        self._buffer += data
        return self._frames()

    def _frames(self) -> Iterator[tuple[int, bytes, bytes]]:
        done = 0
        while len(self._buffer) - done >= FRAME.size:
            number, length, kind = FRAME.unpack_from(self._buffer, done)
            if len(self._buffer) - done - FRAME.size < length:
                break
            done += FRAME.size
            data = bytes(self._buffer[done : done + length])
            done += length
            self.given.discard(number)
            self.is_spent = self.is_spent or kind == b"S"
            yield number, kind, data
        del self._buffer[:done]

    def at_work(self) -> dict[int, float]:
        """Return the checks that its threads are at, with the time when each must be over."""
        rows = (SLOT.unpack_from(self._slots, SLOT.size * n) for n in range(self.threads))
        return {number - 1: until for number, until in rows if number and number - 1 in self.given}

    def kill(self) -> None:
        """End the process, whatever it does."""
        with suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Wait for the end of a process that is gone or was let go; return how it ended.

        Returns:
            Its exit code, or the number of the signal that ended it, negative.
        """
        self.close()
        self._slots.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
