"""Holds the loading of a file to the run's time: code at its top that never ends is stopped.

A file runs in the thread that prepares the run, and holds the loader's lock: a thread could be left
behind, the lock could not. So a second thread waits, and raises an error in the first when the time
is over. One call of C code that never comes back is beyond it; the scan refuses the usual ones.

What lives here: that waiting. What must not: the time of a run (`limit`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from tm.errors import Location, ToolError
from tm.model import Tool

# Code that caught the error in a clause of its own gets it again.
_AGAIN_S: Final = 0.05


class LoadTimeoutError(BaseException):
    """The file took longer to load than it may. No `except Exception` in it catches this."""


class _Deadline(threading.local):
    """Until when the files that this thread loads may take, by the monotonic clock."""

    until: float | None = None
    watching: bool = False


_deadline = _Deadline()


def load_took_too_long(tool: Tool, at: Location | None = None) -> ToolError:
    """Return the error of a tool whose files did not load in its time.

    Args:
        at: the line that ran last, where it is known.
    """
    return ToolError(
        f"the files of '{tool.name}' took longer to load than its max_seconds "
        f"({tool.max_seconds:g} s)",
        code="TM505",
        hint="code at the top of a file runs when it is loaded: keep it short",
        at=at or tool.at,
    )


@contextmanager
def loading_within(limit_s: float) -> Iterator[None]:
    """Hold everything that this thread loads in the block to so many seconds together.

    Raises:
        LoadTimeoutError: from the line that was running when they were over.
    """
    before = _deadline.until
    _deadline.until = monotonic() + limit_s
    try:
        yield
    finally:
        _deadline.until = before


def is_loading() -> bool:
    """Tell whether this thread is running the top of a file."""
    return _deadline.watching


@contextmanager
def watched() -> Iterator[None]:
    """Stop the block, of Python code of a tenant, when the time is over.

    Raises:
        LoadTimeoutError: then, from the line that was running.
    """
    if _deadline.watching:  # a file that another one imports
        yield
        return
    until = _deadline.until  # None: a worker, which its parent ends, or a run with its own limit
    watch = None if until is None else _Watch(threading.get_ident(), max(until - monotonic(), 0))
    _deadline.watching = True
    if watch is not None:
        watch.start()
    try:
        yield
    finally:
        if watch is not None:
            watch.end()
        _deadline.watching = False


class _Watch(threading.Thread):
    """Raises an error in another thread after some seconds, again and again until it is told."""

    def __init__(self, thread: int, wait_s: float) -> None:
        super().__init__(name="load limit", daemon=True)
        self._thread = thread
        self._wait_s = wait_s
        self._ended = False
        self._wake = threading.Condition()

    def run(self) -> None:
        """Wait, and interrupt."""
        with self._wake:
            self._wake.wait_for(lambda: self._ended, self._wait_s)
            while not self._ended:
                _raise_in(self._thread, LoadTimeoutError)
                self._wake.wait_for(lambda: self._ended, _AGAIN_S)

    def end(self) -> None:
        """Let the other thread go on; no error comes after this."""
        with self._wake:
            self._ended = True
            self._wake.notify()


def _raise_in(thread: int, error: type[BaseException]) -> None:
    from ctypes import c_ulong, py_object, pythonapi  # noqa: PLC0415  only a file that hangs needs it

    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(error))
