"""What goes in and out of the HTTP stack, as frozen data, and the protocol of its transports.

Named tuples and no dataclasses: each run of `tm` loads this, and a frozen dataclass takes ten times
as long to define (1.7 ms against 0.17 ms), so that those of this layer took a whole Python start.

What lives here: data. What must not: sending, encoding, anything that imports httpx.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from tm.errors import ToolError
from tm.http.decoding import decode_json, decode_text
from tm.http.urls import BaseUrl
from tm.model import ABSENT, METHODS, WRITE_METHODS, Absent, Api, BodyFormat, Json, Timeouts

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""No query, no headers."""

RETRIED_METHODS: Final = frozenset({"GET", "HEAD"})
READ_METHODS: Final = RETRIED_METHODS | {"OPTIONS"}
IDEMPOTENCY_KEY: Final = "idempotency-key"


def is_write(method: str, *, read_only: bool) -> bool:
    """Whether a dry run must not send it.

    What is not known to read may write; `read_only` speaks of a POST and of nothing else.
    """
    return method not in READ_METHODS and not (read_only and method == "POST")


class ApiRequest(NamedTuple):
    """What a tool or a handler asks of an api.

    Attributes:
        path: relative to the api's `base_url`, percent-encoded, may hold a query.
        query: added to the queries of `base_url` and path; None values are left out.
        headers: on top of the api's; None values are left out.
        body: JSON data, text or bytes as `body_format` needs; `ABSENT`: no body at all.
        read_only: a POST that only reads: a dry run sends it.
        timeouts, attempts, max_response_bytes, follow_redirects: None: the api's hold.
    """

    method: str
    path: str
    query: Mapping[str, Json] = NOTHING
    headers: Mapping[str, Json] = NOTHING
    body: Json | Absent = ABSENT
    body_format: BodyFormat = "json"
    read_only: bool = False
    timeouts: Timeouts | None = None
    attempts: int | None = None
    max_response_bytes: int | None = None
    follow_redirects: bool | None = None


def checked_method(request: ApiRequest) -> str:
    """Return the method, after a look at what a handler may have passed.

    Raises:
        ToolError: TM501 for an unknown method, and for query and headers that are no mappings.
    """
    method = str(request.method).upper()
    if method not in READ_METHODS and method not in WRITE_METHODS:
        known = ", ".join(METHODS)
        raise ToolError(f"unknown method {request.method!a}; known are {known}", code="TM501")
    given: dict[str, object] = {"query": request.query, "headers": request.headers}
    for name, value in given.items():
        if not isinstance(value, Mapping):
            kind = type(value).__name__
            raise ToolError(
                f"{name} must be a mapping of names to values, not {kind}", code="TM501"
            )
    return method


class Payload(NamedTuple):
    """An encoded request body.

    Attributes:
        content: the bytes as they are sent.
        content_type: for the header, unless the request has its own.
        shown: the body for people: an object for JSON, text otherwise. Not masked.
        fields: name and text of each field of a multipart body; empty for the other formats.
    """

    content: bytes
    content_type: str
    shown: Json
    fields: tuple[tuple[str, str], ...] = ()


class Call(NamedTuple):
    """A request on its way through the transports.

    Attributes:
        base: the api's address, filled as far as its variables are known.
        url: whole, filled, without what auth adds to it.
        shown_url: for people: masked, with `***` where auth adds to it.
        headers: of tool and handler, by lower-case name; the api's own and auth come last.
        payload: None: no body.
    """

    api: Api
    base: BaseUrl
    method: str
    url: str
    shown_url: str
    headers: Mapping[str, str]
    payload: Payload | None
    read_only: bool
    timeouts: Timeouts
    attempts: int
    max_response_bytes: int
    follow_redirects: bool
    fixture: Json | Absent = ABSENT

    @property
    def writes(self) -> bool:
        """Whether a dry run must not send it."""
        return is_write(self.method, read_only=self.read_only)

    @property
    def is_retried(self) -> bool:
        """Whether sending it twice does no harm (SPEC, section 3.2)."""
        if self.method in RETRIED_METHODS or IDEMPOTENCY_KEY in self.headers:
            return True
        return any(name.lower() == IDEMPOTENCY_KEY for name in self.api.headers)


class Answer(NamedTuple):
    """What a transport gives back.

    Attributes:
        headers: by lower-case name; repeated ones are joined with `, `.
        content: the body after decompression.
        attempts: tries that were made; 0 for a stub.
        url: that answered, masked; set by the layer that follows redirects.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    attempts: int = 1
    stubbed: bool = False
    url: str = ""

    def at(self, url: str) -> Answer:
        """Return the same answer with the URL that gave it."""
        return Answer(self.status, self.headers, self.content, self.attempts, self.stubbed, url)


class Transport(Protocol):
    """One layer of the stack: sends a call, by itself or through the next layer."""

    def send(self, call: Call) -> Answer:
        """Return the answer, whatever its status.

        Raises:
            ToolError: where there is none.
        """
        ...


class Late:
    """A transport that is built when it is first used."""

    __slots__ = ("_build", "_built")

    def __init__(self, build: Callable[[], Transport]) -> None:
        self._build = build
        self._built: Transport | None = None

    def send(self, call: Call) -> Answer:
        """Send through the transport."""
        if self._built is None:
            self._built = self._build()
        return self._built.send(call)


class Response(NamedTuple):
    """An answer as the steps after the request see it.

    Attributes:
        headers: a copy, by lower-case name.
        content: the body's bytes after decompression.
        body: decoded as SPEC section 3.2 says. May hold secrets that the API repeated.
        url: that answered, with its query, masked.
        stubbed: nothing was sent.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    body: Json
    url: str
    stubbed: bool = False

    @property
    def text(self) -> str:
        """The body as text; bytes that are none are replaced."""
        return decode_text(self.content, self.headers.get("content-type", ""))

    def json(self) -> Any:
        """Return the body read as JSON, whatever its content type says; an empty one is `{}`.

        Raises:
            ToolError: TM508 where it is no JSON.
        """
        if not self.content:
            return {}
        return decode_json(self.content, self.headers.get("content-type", ""), of=self.url)


class Exchange(NamedTuple):
    """One exchange or its stub, for the run's report; everything is masked.

    Attributes:
        url: with its query.
        status: None where nothing came back, and for stubs.
        bytes: size of the body after decompression.
        attempts: tries that were made; 0 for a stub.
        curl: the request as a command for POSIX shells, secrets as `${NAME}`.
    """

    method: str
    url: str
    status: int | None
    bytes: int
    ms: float
    stubbed: bool
    attempts: int
    curl: str


class UnansweredError(ToolError):
    """Nothing usable came back: TM505, TM506 or TM507.

    Attributes:
        may_retry: the connection failed in a way that a second try may mend.
        attempts: tries that were made.
        status: of the answer that could not be read; None: there was none.
    """

    may_retry: bool = False
    attempts: int = 1
    status: int | None = None
