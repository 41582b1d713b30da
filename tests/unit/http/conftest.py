"""A raw loopback server for what no HTTP library would send, and a client that is ready to use."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tm.errors import Location, ToolError
from tm.http.client import HttpClient
from tm.http.messages import Exchange
from tm.http.pool import ConnectionPool
from tm.http.retries import Clock
from tm.model import Api
from tm.redact import Redactor

AT = Location("tenants/acme/apis.yaml", 3, 3)

Reply = Callable[[socket.socket], None]


def http(status: str, body: bytes = b"", **headers: str) -> bytes:
    """Return an answer's bytes; header names have `_` for `-`."""
    lines = [f"HTTP/1.1 {status}"]
    given = {"content_length": str(len(body)), **headers}
    lines += [f"{name.replace('_', '-')}: {text}" for name, text in given.items() if text != ""]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def json_answer(text: str, status: str = "200 OK", **headers: str) -> bytes:
    return http(status, text.encode(), content_type="application/json", **headers)


@dataclass
class Server:
    """Answers each request with the next of `replies`; the last one repeats."""

    replies: list[bytes | Reply]
    requests: list[str] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.stopped = threading.Event()
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while not self.stopped.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            while request := _read_request(connection):
                self.requests.append(request)
                reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
                if callable(reply):
                    reply(connection)
                    connection.close()
                    return
                connection.sendall(reply)
        except OSError:
            return

    def close(self) -> None:
        self.stopped.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()


def _read_request(connection: socket.socket) -> str:
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = connection.recv(65536)
        if not chunk:
            return ""
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    match = re.search(rb"content-length: (\d+)", head.lower())
    length = int(match[1]) if match else 0
    while len(body) < length:
        body += connection.recv(65536)
    return (head + b"\r\n\r\n" + body).decode("utf-8")


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Return a function that starts a server with these replies."""
    servers: list[Server] = []

    def start(*replies: bytes | Reply) -> Server:
        servers.append(Server(list(replies)))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@dataclass
class Time:
    """A clock that moves only when somebody sleeps."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> Clock:
        return Clock(lambda: self.now, lambda: 1_700_000_000.0, self.sleep, lambda: 1.0)


@dataclass
class Bench:
    """A client with everything that it told."""

    variables: dict[str, str]
    options: dict[str, Any]
    time: Time = field(default_factory=Time)
    exchanges: list[Exchange] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    redactor: Redactor = field(default_factory=Redactor)
    expanded: list[str] = field(default_factory=list)

    def expand(self, text: str, at: Location) -> str:
        def value(match: re.Match[str]) -> str:
            if match[1] not in self.variables:
                raise ToolError(f"variable {match[1]} is not set", code="TM503", at=at)
            return self.variables[match[1]]

        self.expanded.append(text)
        return re.sub(r"\$\{(\w+)\}", value, text)

    def log(self, level: str, message: str, context: Any) -> None:
        self.lines.append((level, message))

    @property
    def text(self) -> str:
        """All that was logged."""
        return "\n".join(message for _, message in self.lines)


@pytest.fixture
def pool() -> Iterator[ConnectionPool]:
    pool = ConnectionPool()
    yield pool
    pool.close()


ClientMaker = Callable[..., tuple[HttpClient, Bench]]


@pytest.fixture
def make_client(pool: ConnectionPool) -> ClientMaker:
    """Return a function that makes a client; `variables` fill `${NAME}`."""

    def make(variables: dict[str, str] | None = None, **options: Any) -> tuple[HttpClient, Bench]:
        bench = Bench(variables or {}, options)
        client = HttpClient(
            tenant=options.pop("tenant", "acme"),
            expand=bench.expand,
            redactor=bench.redactor,
            pool=options.pop("pool", pool),
            log=bench.log,
            on_exchange=bench.exchanges.append,
            clock=bench.time.clock(),
            **options,
        )
        return client, bench

    return make


def make_api(base_url: str = "https://erp.example/api", **fields: Any) -> Api:
    return Api(name="erp", home="acme", at=AT, base_url=base_url, **fields)
