"""tm's side of worker processes: the fork server, and the pipe to one worker.

What lives here: starting, sending, receiving, ending; no message is understood here.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

from tm.model import Json
from tm.runner.isolation.frames import HEADER_BYTES, decode, encode, length_of

# What a Python needs to start where its libraries lie elsewhere, and the zone of local times.
_PASSED_ON: Final = ("LD_LIBRARY_PATH", "TZ")
_END_S: Final = 5.0
_PROGRAM: Final = (
    "import sys; sys.path.append(sys.argv[1]); from tm.runner.isolation.server import main; main()"
)


class WorkerDiedError(Exception):
    """The pipe to a worker is closed; the message says how it ended.

    Attributes:
        exit_code: of the worker; negative: the signal that ended it; None: not known.
        unable: what the system lacks to start one; None where it was started.
    """

    def __init__(self, exit_code: int | None, unable: str | None = None) -> None:
        super().__init__(unable or _words(exit_code))
        self.exit_code = exit_code
        self.unable = unable


class Worker:
    """One worker process. Only the thread that runs its tool speaks to it.

    Args:
        pipe: the messages.
        line: closing it ends the worker; on it comes how it ended.
    """

    def __init__(self, pipe: socket.socket, line: socket.socket) -> None:
        self._pipe = pipe
        self._line = line

    def send(self, message: Json, remaining_s: Callable[[], float]) -> None:
        """Send a message.

        Raises:
            TimeoutError: the time is over.
            WorkerDiedError: the worker is gone.
            FrameError: it is larger than 64 MB.
        """
        data = memoryview(encode(message))
        try:
            while data:
                self._pipe.settimeout(_positive(remaining_s()))
                data = data[self._pipe.send(data) :]
        except TimeoutError:
            raise
        except OSError as error:
            raise self._death() from error

    def receive(self, remaining_s: Callable[[], float]) -> Any:
        """Wait for a message.

        Raises:
            TimeoutError: the time is over.
            WorkerDiedError: the worker is gone.
            FrameError: what came is none.
        """
        return decode(self._read(length_of(self._read(HEADER_BYTES, remaining_s)), remaining_s))

    def _read(self, size: int, remaining_s: Callable[[], float]) -> bytes:
        parts = bytearray()
        try:
            while len(parts) < size:
                self._pipe.settimeout(_positive(remaining_s()))
                part = self._pipe.recv(min(size - len(parts), 1 << 20))
                if not part:
                    raise self._death()
                parts += part
        except TimeoutError:
            raise
        except OSError as error:
            raise self._death() from error
        return bytes(parts)

    def _death(self) -> WorkerDiedError:
        """Return how the worker ended."""
        try:
            self._line.settimeout(_END_S)
            told = json.loads(self._line.recv(4096) or b"{}")
        except (OSError, ValueError):
            told = {}
        return WorkerDiedError(told.get("ended"), told.get("unable"))

    def close(self) -> None:
        """End the worker; calling it twice is fine."""
        self._pipe.close()
        self._line.close()


class Workers:
    """Starts workers from one fork server, begun with the first one. Threads may share it."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self._server = 0
        self._owner = 0
        self._lock = Lock()

    def begin(self) -> None:
        """Start the fork server, where none runs, without waiting until it is ready.

        It loads its modules while the caller scans the files for its first worker. What goes wrong
        is told by `start`.
        """
        with self._lock, suppress(OSError, WorkerDiedError):
            self._server_socket()

    def start(self, modules: Sequence[str], cpu_s: int) -> Worker:
        """Return a new worker, which locks itself in before it reads a message.

        Args:
            modules: that its code imports.
            cpu_s: processor time that it may take.

        Raises:
            WorkerDiedError: no fork server can be started.
        """
        request = json.dumps({"modules": list(modules), "cpu_s": cpu_s}).encode()
        pipe, its_pipe = socket.socketpair()
        line, its_line = socket.socketpair()
        with self._lock, its_pipe, its_line:
            try:
                self._ask(request, [its_pipe.fileno(), its_line.fileno()])
            except BaseException:
                pipe.close()
                line.close()
                raise
        return Worker(pipe, line)

    def _ask(self, request: bytes, ends: list[int]) -> None:
        try:
            socket.send_fds(self._server_socket(), [request], ends)
        except OSError:
            self._forget_server()  # it has died: another one takes its place
            try:
                socket.send_fds(self._server_socket(), [request], ends)
            except OSError as error:
                raise WorkerDiedError(None) from error

    def _server_socket(self) -> socket.socket:
        if self._control is not None and self._owner != os.getpid():
            self._control.close()  # it is the parent's, from which this process was forked
            self._control = None
        if self._control is None:
            if not sys.platform.startswith("linux"):  # what else it lacks, a worker finds out
                raise WorkerDiedError(None, f"it needs Linux, and this is {sys.platform}")
            self._control, self._server = _start_server()
            self._owner = os.getpid()
        return self._control

    def _forget_server(self) -> None:
        if self._control is None:
            return
        self._control.close()
        self._control = None
        if self._owner == os.getpid():
            _reap(self._server)

    def close(self) -> None:
        """End the fork server and every worker."""
        with self._lock:
            self._forget_server()


def _start_server() -> tuple[socket.socket, int]:
    """Start a fork server, apart from the terminal; return its control socket and its id."""
    control, its_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    home = str(Path(__file__).resolve().parents[3])
    actions = [
        (os.POSIX_SPAWN_DUP2, its_end.fileno(), 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    with its_end:
        server = os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", "-c", _PROGRAM, home],
            {name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            file_actions=actions,
            setsid=True,
        )
    return control, server


def _reap(server: int) -> None:
    with suppress(ChildProcessError):  # the embedding program waits for its children itself
        os.waitpid(server, 0)


def _positive(seconds: float) -> float:
    """Return a time-out for a socket; zero would mean not to wait at all."""
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _words(exit_code: int | None) -> str:
    if exit_code is None:
        return "ended without a word"
    if exit_code >= 0:
        return f"ended with exit code {exit_code}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    return f"was ended by {name}"
