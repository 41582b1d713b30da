"""The fork server: a process of one thread that forks a locked worker when it is asked to.

It is started with nothing but the descriptor of its control socket (0), holds no secret and reads
no tenant's file. Modules that a tenant's code imports are loaded here, before the fork: a worker
can open no file.

What lives here: the loop over requests and ends of workers. What must not: what a worker does.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NoReturn

from tm.runner.isolation import lock, worker
from tm.runner.isolation.codecs_held import hold_codecs
from tm.runner.isolation.rehearsal import rehearse
from tm.runner.legal_events import LAZY
from tm.scan.policy import MODULES

CONTROL: Final = 0
MAX_REQUEST_BYTES: Final = 65_536

# Loaded where a tenant's code imports them: they take as long as all the others together.
_ON_DEMAND: Final = frozenset(
    {"tm", "xml.sax.saxutils", "xml.etree.ElementTree", "email.utils", "email.charset"}
)
# Where C code is there, nothing imports it.
_NEVER: Final = frozenset({"_pydecimal"})


class ForkServer:
    """Forks workers until the control socket is closed; then it ends them and itself.

    Each request brings two descriptors: the worker's pipe, and a line to whoever asked. The line
    being closed from the other side ends the worker; on it goes how a worker ended.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._poll = select.poll()
        self._lines: dict[int, int] = {}  # descriptor of the line to pid
        self._ends: dict[int, tuple[int, int]] = {}  # descriptor of the process to (pid, line)
        self._poll.register(control.fileno(), select.POLLIN)

    def serve(self) -> None:
        """Answer requests until nobody is there to ask."""
        while True:
            for descriptor, _event in self._poll.poll():
                if descriptor == self._control.fileno():
                    if not self._take_request():
                        self._end_all()
                        return
                elif descriptor in self._ends:
                    self._note_end(descriptor)
                elif descriptor in self._lines:
                    os.kill(self._lines[descriptor], signal.SIGKILL)
                    self._poll.unregister(descriptor)

    def _take_request(self) -> bool:
        data, descriptors, _flags, _from = socket.recv_fds(self._control, MAX_REQUEST_BYTES, 2)
        if not data or len(descriptors) != 2:
            return False
        request: dict[str, Any] = json.loads(data)
        load_modules(request["modules"])
        pipe, line = descriptors
        self._fork(pipe, line, request["cpu_s"])
        return True

    def _fork(self, pipe: int, line: int, cpu_s: int) -> None:
        me = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            os.write(line, json.dumps({"unable": str(error)}).encode())
            os.close(pipe)
            os.close(line)
            return
        if pid == 0:
            worker.run_locked(pipe, parent=me, cpu_s=cpu_s)
        os.close(pipe)
        process = os.pidfd_open(pid)
        self._lines[line] = pid
        self._ends[process] = (pid, line)
        self._poll.register(line, 0)  # hang-ups are always told
        self._poll.register(process, select.POLLIN)

    def _note_end(self, process: int) -> None:
        pid, line = self._ends.pop(process)
        _, status = os.waitpid(pid, 0)
        self._poll.unregister(process)
        os.close(process)
        del self._lines[line]
        with suppress(KeyError):  # the worker was ended because its line was closed
            self._poll.unregister(line)
        with suppress(OSError):  # nobody listens any more
            os.write(line, json.dumps({"ended": os.waitstatus_to_exitcode(status)}).encode())
        os.close(line)

    def _end_all(self) -> None:
        for pid, _line in self._ends.values():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def load_modules(names: list[str]) -> None:
    """Load modules of the policy that the next worker's code imports."""
    for name in names:
        if name in MODULES and name != "tm" and name not in sys.modules:
            _load(name)
    if "email.utils" in sys.modules:
        _load("email.charset")


def _load(name: str) -> None:
    with suppress(ImportError):  # this Python lacks it, and the tenant's import says so
        import_module(name)


def main() -> NoReturn:  # pragma: no cover  of a process without coverage's environment
    """Serve on descriptor 0."""
    os.closerange(3, 65_536)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    time.tzset()
    time.localtime()
    # Functions of one module import others when they are first called: `most_common` does.
    for name in sorted((MODULES.keys() | LAZY) - _ON_DEMAND - _NEVER):
        _load(name)
    hold_codecs()
    rehearse()
    lock.prepare()
    gc.freeze()  # pages that workers share stay shared
    try:
        ForkServer(socket.socket(fileno=CONTROL)).serve()
    finally:
        os._exit(0)
