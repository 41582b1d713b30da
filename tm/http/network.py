"""The innermost transport: httpx. The only module that imports it, and itself imported late.

What lives here: sockets, TLS, timeouts, failures in plain words. What must not: retries, auth,
redirects. The transport is used without httpx's client: no cookies are kept, no proxy of the
environment is read, no redirect is followed, nothing is logged.
"""

from __future__ import annotations

import posixpath
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import httpcore
import httpx

from tm.errors import SecurityError, ToolError
from tm.http.hosts import PUBLIC_ONLY
from tm.http.limits import EncodingError, TooLargeError, read_limited
from tm.http.messages import Answer, Call, UnansweredError
from tm.http.pool import ConnectionPool
from tm.http.sockets import Backend, Deadline
from tm.http.urls import split_origin
from tm.model import Api

KEEPALIVE_S: Final = 15.0
MAX_CA_BYTES: Final = 1_000_000


class Network:
    """Sends over the network, within the api's limits and the run's deadline."""

    __slots__ = ("_pool", "_remaining_s", "_tenant")

    def __init__(self, pool: ConnectionPool, tenant: str, remaining_s: Callable[[], float]) -> None:
        self._pool = pool
        self._tenant = tenant
        self._remaining_s = remaining_s

    def send(self, call: Call) -> Answer:
        """Return the answer.

        Raises:
            UnansweredError: TM505 past a time limit, TM506 where the connection fails, TM507 where
                the body is too large.
            ToolError: TM516 for a private address that was not declared.
        """
        if self._remaining_s() <= 0:
            raise UnansweredError(
                f"{_of(call)} was not sent: the run's time is over (max_seconds)", code="TM505"
            )
        transport = self._transport(call)
        transport.deadline.remaining_s = self._remaining_s
        try:
            return _exchange(transport, call)
        except httpx.TimeoutException as error:
            raise _timed_out(call, error, self._remaining_s()) from error
        except httpx.HTTPError as error:
            raise _failed(call, error) from error
        except httpx.InvalidURL as error:
            raise ToolError(f"{_of(call)}: {error}", code="TM501") from error

    def _transport(self, call: Call) -> _Transport:
        origin, _ = split_origin(call.url)
        public_only = bool(call.api.declared.get(PUBLIC_ONLY))
        verify = (call.api.home, call.api.verify) if call.api.verify else None
        key = (self._tenant, origin, verify, public_only)

        def make() -> _Transport:
            context = None
            if origin.startswith("https:"):
                context = self._pool.shared(("tls", verify), lambda: _tls(self._pool, call.api))
            return _Transport(context, Deadline(), public_only=public_only)

        transport: _Transport = self._pool.connection(key, make)
        return transport


def _exchange(transport: _Transport, call: Call) -> Answer:
    headers = [(name.encode(), value.encode()) for name, value in call.headers.items()]
    limits = call.timeouts
    timeout = {
        "connect": limits.connect_s, "read": limits.read_s,
        "write": limits.read_s, "pool": limits.connect_s,
    }  # fmt: skip
    request = httpx.Request(
        call.method, call.url, headers=headers,
        content=call.payload.content if call.payload else None, extensions={"timeout": timeout},
    )  # fmt: skip
    response = transport.handle_request(request)
    try:
        answered = dict(response.headers.items())
        content = _content(response, call, answered)
    finally:
        response.close()
    return Answer(response.status_code, answered, content)


def _content(response: httpx.Response, call: Call, headers: Mapping[str, str]) -> bytes:
    encoding = headers.get("content-encoding", "")
    length = headers.get("content-length", "")
    try:
        if call.method == "HEAD" or response.status_code in {204, 304}:
            return b""
        if not encoding and length.isdigit() and int(length[:20]) > call.max_response_bytes:
            raise TooLargeError
        stream = response.stream
        assert isinstance(stream, httpx.SyncByteStream)  # noqa: S101  for the type checker
        return read_limited(stream, encoding, call.max_response_bytes)
    except TooLargeError as error:
        large = UnansweredError(
            f"the answer of {_of(call)} is larger than {call.max_response_bytes:,} bytes and was "
            "cut off",
            code="TM507",
            hint="ask for less, or raise max_response_bytes of the tool or api",
        )
        large.status = response.status_code
        raise large from error
    except EncodingError as error:
        raise UnansweredError(
            f"the answer of {_of(call)} can't be read: {error}", code="TM506"
        ) from error


class _Transport(httpx.HTTPTransport):
    """httpx's own transport over sockets that know the run's deadline.

    httpx has no public way to hand it a network backend, hence the private attribute; httpcore,
    which it belongs to, has one. Being httpx's class, it is seen by respx.
    """

    def __init__(
        self, context: ssl.SSLContext | None, deadline: Deadline, *, public_only: bool
    ) -> None:
        self.deadline = deadline
        self._pool = httpcore.ConnectionPool(
            ssl_context=context,
            keepalive_expiry=KEEPALIVE_S,
            network_backend=Backend(deadline, public_only=public_only),
        )


def _tls(pool: ConnectionPool, api: Api) -> ssl.SSLContext:
    """Return a TLS context that trusts the api's CA file, or the usual authorities."""
    if api.verify is None:
        context = httpx.create_ssl_context(trust_env=False)
        context.load_default_certs()  # what this machine's administrator added
        return context
    try:
        pem = _ca_file(pool.tenants, api, api.verify).decode("ascii")
        return ssl.create_default_context(cadata=pem)
    except (SecurityError, ValueError, ssl.SSLError) as error:
        raise ToolError(
            f"the CA file {api.verify!r} of api {api.name!r} can't be used: {error}",
            code="TM506",
            at=api.at,
        ) from error


def _ca_file(tenants: Path | None, api: Api, name: str) -> bytes:
    """Return an api's CA file: beside the file that declares the api, else in the tenant's folder.

    Raises:
        SecurityError: where it is in neither, or outside the tenant's folder.
    """
    from tm.confine import read_bytes  # noqa: PLC0415  few apis have a CA file of their own

    if tenants is None:
        raise SecurityError("no folder is known for it")
    folder = tenants / api.home
    beside = posixpath.join(*api.at.path.split("/")[2:-1], name)  # behind tenants/<home>/
    with suppress(SecurityError):
        return read_bytes(folder, posixpath.normpath(beside), limit=MAX_CA_BYTES)
    return read_bytes(folder, name, limit=MAX_CA_BYTES)


def _of(call: Call) -> str:
    return f"{call.method} {call.shown_url}"


def _timed_out(call: Call, error: httpx.TimeoutException, left_s: float) -> UnansweredError:
    if left_s <= 0:
        what = "took longer than the run may (max_seconds)"
    elif isinstance(error, httpx.ConnectTimeout):
        what = f"found no connection within {call.timeouts.connect_s:g} s"
    else:
        what = f"got no answer within {call.timeouts.read_s:g} s"
    unknown = call.writes and not isinstance(error, httpx.ConnectTimeout)
    tail = "; the outcome is unknown: it may have been carried out" if unknown else ""
    return UnansweredError(
        f"{_of(call)} {what}{tail}",
        code="TM505",
        hint="look whether it was carried out before you try again" if unknown
        else "raise `timeout` of the tool or api if the server needs longer",
    )  # fmt: skip


def _failed(call: Call, error: httpx.HTTPError) -> UnansweredError:
    """Return the failure in plain words; the library's may hold the URL with its key."""
    what, hint, may_retry = _reason(call, error)
    sent = call.writes and not isinstance(error, httpx.ConnectError)
    tail = "; the outcome is unknown: it may have been carried out" if sent else ""
    failure = UnansweredError(f"{_of(call)} failed: {what}{tail}", code="TM506", hint=hint)
    failure.may_retry = may_retry
    return failure


def _reason(call: Call, error: httpx.HTTPError) -> tuple[str, str | None, bool]:
    host = split_origin(call.url)[0].partition("//")[2]
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            hint = "name the authority's file in the api's `verify` if the certificate is right"
            return f"the certificate of {host} is not trusted ({cause.verify_message})", hint, False
        if isinstance(cause, ssl.SSLError):
            return f"TLS with {host} failed ({cause.reason or 'no TLS there'})", None, False
        if isinstance(cause, socket.gaierror):
            return f"the host name of {host} is not known", "check base_url", True
        if isinstance(cause, ConnectionRefusedError):
            return f"nothing listens at {host}", "is the server running?", True
        if isinstance(cause, ConnectionError):
            return f"{host} closed the connection", None, True
    return _protocol_reason(host, error)


def _protocol_reason(host: str, error: httpx.HTTPError) -> tuple[str, str | None, bool]:
    text = str(error)
    if isinstance(error, httpx.ConnectError):
        return f"no connection to {host} ({text})", None, True
    if "without sending a response" in text:
        return f"{host} closed the connection without an answer", None, True
    if "without sending complete message" in text or "incomplete chunked" in text:
        return f"{host} closed the connection in the middle of the answer", None, True
    if "too long" in text:
        return f"the headers that {host} sent are too large", None, False
    if isinstance(error, httpx.RemoteProtocolError):
        return f"what {host} sent is no HTTP", None, False
    return f"the connection to {host} broke ({type(error).__name__})", None, True


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and what it came from; an error that was raised again may lead to itself."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__
