"""Server processes of the tests: on a free loopback port, stopped by their process group."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.e2e.cache import ServerSetupError

START_S = 60
STOP_S = 10
POLL_S = 0.05


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    argv: Sequence[str], port: int, log: Path, *, env: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Run a server in its own process group while the block lasts.

    The block begins once the server answers HTTP on `port`; its output goes to `log`.

    Raises:
        ServerSetupError: it ended early or did not answer within a minute.
    """
    with log.open("wb") as out:
        server = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env={**os.environ, **(env or {})},
            start_new_session=True,
        )
    try:
        _wait(server, port, log)
        yield
    finally:
        _stop(server)


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        if _answers(port):
            return
        time.sleep(POLL_S)  # polls another process: there is no event to wait for
    tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
    raise ServerSetupError(f"{Path(server.args[0]).name} did not answer on port {port}\n{tail}")


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/")
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def _stop(server: subprocess.Popen[bytes]) -> None:
    # The group is the server's own (start_new_session): this reaches its workers and no one else.
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(server.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            server.wait(STOP_S)
            return
