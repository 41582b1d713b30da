"""What code tries in a locked process: each attempt by the C library, past scan and guard.

`run_locked_in(attempt)` forks, locks the child in with nothing of the guard, runs the attempt
there and tells how it ended.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import socket
from collections.abc import Callable

from tm.runner.isolation.lock import PIPE, lock_in

LIMIT_S = 20


def run_locked_in(attempt: Callable[[ctypes.CDLL], object], **lock: int) -> tuple[int, str]:
    """Return the child's exit code (negative: a signal) and what the attempt gave as text."""
    libc = ctypes.CDLL(None, use_errno=True)
    ours, theirs = socket.socketpair()
    me, child = os.getpid(), os.fork()
    if child == 0:
        code = 9
        faulthandler.disable()  # its handlers set signals, which the lock refuses
        try:
            lock_in(theirs.fileno(), parent=me, cpu_s=lock.get("cpu_s", LIMIT_S))
            try:
                told = repr(attempt(libc))
            except BaseException as error:  # noqa: BLE001  how it was refused is what is asked for
                told = f"{type(error).__name__}"
            os.write(PIPE, told.encode())
            code = 0
        finally:
            os._exit(code)
    theirs.close()
    ours.settimeout(LIMIT_S)
    told = ours.recv(10_000).decode()
    ours.close()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), told


KILLED = -signal.SIGSYS
