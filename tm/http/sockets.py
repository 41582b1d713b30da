"""Sockets that know the run's deadline, and which addresses they may reach.

What lives here: httpcore's network backend. What must not: HTTP. Imported by `network` only, late.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterable
from typing import Any

import httpcore

from tm.errors import ToolError


class Deadline:
    """The moment at which a connection's reads must have ended; set before each exchange.

    A read timeout alone is no limit: a server that sends one byte at a time outlives it.
    """

    __slots__ = ("remaining_s",)

    def __init__(self) -> None:
        self.remaining_s: Callable[[], float] = lambda: 0.0

    def limited(self, timeout: float | None) -> float:
        """Return the seconds that the next socket operation may take.

        Raises:
            httpcore.ReadTimeout: where none are left.
        """
        left = self.remaining_s()
        if left <= 0:
            raise httpcore.ReadTimeout("the run's time is over")
        return left if timeout is None else min(timeout, left)


class Backend(httpcore.NetworkBackend):
    """Opens sockets that know the run's deadline, to public addresses only where that is asked."""

    def __init__(self, deadline: Deadline, *, public_only: bool) -> None:
        self._inner = httpcore.SyncBackend()
        self._deadline = deadline
        self._public_only = public_only

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect; where only public addresses are allowed, to the one that was looked at."""
        address = _public_address(host, port) if self._public_only else host
        limited = self._deadline.limited(timeout)
        stream = self._inner.connect_tcp(address, port, limited, local_address, socket_options)
        return _Stream(stream, self._deadline)


class _Stream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read what is there, within the deadline."""
        return self._inner.read(max_bytes, self._deadline.limited(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of it, within the deadline."""
        self._inner.write(buffer, self._deadline.limited(timeout))

    def close(self) -> None:
        """Close the socket."""
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        """Begin TLS, within the deadline."""
        limited = self._deadline.limited(timeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, limited), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """Return what httpcore asks of the socket."""
        return self._inner.get_extra_info(info)


def _public_address(host: str, port: int) -> str:
    """Return one address of the host, all of which are public.

    Raises:
        ToolError: TM516 where one is not (RFC 6890: loopback, private, link-local, ...).
    """
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpcore.ConnectError(str(error)) from error
    addresses = [str(entry[4][0]) for entry in found]
    if not all(ipaddress.ip_address(address.partition("%")[0]).is_global for address in addresses):
        raise ToolError(
            f"host {host!a} leads to a private address, which settings.http_allow has to name "
            "by itself, without '*'",
            code="TM516",
        )
    return addresses[0]
