"""The HTTP client of one run: builds the stack of transports and turns answers into responses.

The layers, outermost first: dry run, redirects, report, cassette, retries, auth, network. What
lives here: their order. What must not: their work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from tm.errors import ToolError
from tm.http import urls
from tm.http.auth import Authorized, Expand, Secrets
from tm.http.bodies import encode_body
from tm.http.decoding import decode_body
from tm.http.display import shown_url
from tm.http.failures import status_error
from tm.http.headers import request_headers
from tm.http.messages import (
    NOTHING,
    Answer,
    ApiRequest,
    Call,
    Exchange,
    Late,
    Response,
    Transport,
    checked_method,
    is_write,
)
from tm.http.pool import ConnectionPool
from tm.http.redirects import Redirected
from tm.http.reporting import DryRun, Reported
from tm.http.retries import REAL_CLOCK, Clock, Log, Retried
from tm.http.urls import BaseUrl
from tm.model import ABSENT, Absent, Api, Json, Pagination
from tm.redact import Redactor

if TYPE_CHECKING:
    from tm.http.cassettes import Cassette
    from tm.http.pagination import Page

Mode = Literal["live", "record", "replay"]


def _ignore(*_: object) -> None:
    """Stand for a log or a listener that nobody wants."""


class HttpClient:
    """Sends the requests of one run. Cheap to make; connections live in the pool."""

    def __init__(  # noqa: PLR0913  what differs between runs, all of it by name
        self,
        *,
        tenant: str,
        expand: Expand,
        redactor: Redactor,
        pool: ConnectionPool,
        mode: Mode = "live",
        dry_run: bool = False,
        cassette: Cassette | None = None,
        remaining_s: Callable[[], float] = lambda: 120.0,
        log: Log = _ignore,
        on_exchange: Callable[[Exchange], None] = _ignore,
        secret_names: Mapping[str, str] | None = NOTHING,
        clock: Clock = REAL_CLOCK,
    ) -> None:
        """Build the stack.

        Args:
            tenant: code; connections and tokens are kept apart by it.
            expand: fills `${NAME}` in a text, given its place; raises ToolError TM503.
            redactor: masks all that is shown; learns the secrets that are filled in.
            pool: of the process.
            mode, dry_run: `record` and `replay` need a cassette; writes of a dry run are stubbed.
            cassette: to record on or to play.
            remaining_s: seconds that are left for the whole run.
            log: called with level, message and context, all masked.
            on_exchange: called after each exchange or stub.
            secret_names: variables by secret value, for curl commands; None: exchanges have none.
            clock: time and chance.
        """
        self._tenant = tenant
        self._secrets = Secrets(expand, redactor)
        self._redactor = redactor
        self._pool = pool
        self._replays = mode == "replay"
        self._remaining_s = remaining_s
        self._log = log
        self._on_exchange = on_exchange
        self._secret_names = secret_names
        self._clock = clock
        self._dry_run = dry_run
        self._stack = self._built(mode, cassette)

    def _built(self, mode: Mode, cassette: Cassette | None) -> Transport:
        inner: Transport | None = None if mode == "replay" else Late(self._live)
        if mode != "live":
            from tm.http.cassettes import Taped  # noqa: PLC0415  most runs are live

            if cassette is None:
                raise ValueError(f"mode {mode!r} needs a cassette")
            inner = Taped(inner, cassette, self._redactor)
        assert inner is not None  # noqa: S101  for the type checker
        redirected = Redirected(self._reported(inner), self._redactor)
        if not self._dry_run:
            return redirected
        return DryRun(redirected, self._report_stub, self._redactor, self._log)

    def _reported(self, inner: Transport) -> Transport:
        return Reported(inner, self._on_exchange, self._curl, self._clock.monotonic)

    def _curl(self, call: Call) -> str:
        if self._secret_names is None:
            return ""
        from tm.http.curl import curl  # noqa: PLC0415  few runs show it

        return curl(call, self._redactor, self._secret_names)

    def _report_stub(self, call: Call) -> None:
        self._on_exchange(
            Exchange(
                method=call.method,
                url=call.shown_url,
                status=None,
                bytes=0,
                ms=0.0,
                stubbed=True,
                attempts=0,
                curl=self._curl(call),
            )
        )

    def _live(self) -> Transport:
        """Return the layers that reach the network; made when the first request is sent."""
        from tm.http.network import Network  # noqa: PLC0415  httpx; stubs and replays need none
        from tm.http.oauth import ClientCredentials  # noqa: PLC0415  as above

        network = Network(self._pool, self._tenant, self._remaining_s)
        retried = Retried(network, self._clock, self._remaining_s, self._log)
        tokens = ClientCredentials(
            self._tenant,
            self._reported(retried),
            self._secrets,
            self._pool.tokens,
            self._clock.monotonic,
        )
        authorized = Authorized(network, self._secrets, tokens.token)
        return Retried(authorized, self._clock, self._remaining_s, self._log)

    def send(
        self,
        api: Api,
        request: ApiRequest,
        *,
        fixture: Json | Absent = ABSENT,
        raise_for_status: bool = True,
    ) -> Response:
        """Send a request, or stub it, and return the decoded answer.

        Args:
            api: where to.
            request: what.
            fixture: the answer of a stub; `ABSENT`: the stub tells what would have been sent.
            raise_for_status: False: an answer with a status of 400 or more is returned as it is.

        Raises:
            ToolError: TM501 for values that can't be sent, TM503 to TM508, TM513, TM516.
        """
        return self._response(self._call(api, request, fixture), raise_for_status=raise_for_status)

    def _response(self, call: Call, *, raise_for_status: bool) -> Response:
        answer = self._stack.send(call)
        if answer.status >= 400 and raise_for_status:
            raise status_error(call, answer, self._redactor)
        return Response(
            answer.status, dict(answer.headers), answer.content, self._body(call, answer),
            answer.url, answer.stubbed,
        )  # fmt: skip

    def _body(self, call: Call, answer: Answer) -> Json:
        of = f"{call.method} {answer.url}"
        try:
            return decode_body(
                answer.status,
                answer.content,
                answer.headers.get("content-type", ""),
                of=of,
                warn=lambda text: self._log("warning", f"{of}: {text}", {}),
            )
        except ToolError as error:
            # What the API sent may repeat a secret.
            raise ToolError(
                self._redactor.text(error.message), code=error.code, hint=error.hint
            ) from error

    def _call(self, api: Api, request: ApiRequest, fixture: Json | Absent) -> Call:
        method = checked_method(request)
        needs_values = self.needs_values(method, read_only=request.read_only)
        base = self._base(api, needs_values=needs_values)
        url = urls.join(base, request.path, request.query, api.query_arrays)
        body = request.body
        return Call(
            api=api,
            base=base,
            method=method,
            url=url,
            shown_url=shown_url(api, base, url, self._redactor),
            headers=request_headers(request.headers, api) if request.headers else {},
            payload=None if isinstance(body, Absent) else encode_body(body, request.body_format),
            read_only=request.read_only,
            timeouts=request.timeouts or api.timeouts,
            attempts=api.attempts if request.attempts is None else request.attempts,
            max_response_bytes=request.max_response_bytes or api.max_response_bytes,
            follow_redirects=(
                api.follow_redirects
                if request.follow_redirects is None
                else request.follow_redirects
            ),
            fixture=fixture,
        )

    def needs_values(self, method: str, *, read_only: bool) -> bool:
        """Whether such a request is sent, so that every `${NAME}` in it must have a value."""
        stubs = self._dry_run and is_write(method, read_only=read_only)
        return not (self._replays or stubs)

    def _base(self, api: Api, *, needs_values: bool) -> BaseUrl:
        return urls.base_url(api.base_url, self._secrets.expand, api.at, needs_values=needs_values)

    def send_pages(
        self,
        api: Api,
        request: ApiRequest,
        pages: Pagination,
        *,
        fixture: Json | Absent = ABSENT,
        check: Callable[[Response], None] = _ignore,
    ) -> Response:
        """Send the requests of all pages; the body of the response is the joined list.

        Args:
            api: where to.
            request: of the first page.
            pages: how the next page is found.
            fixture: the answer of a stubbed write, its only page.
            check: called with each page as it came; may raise.

        Raises:
            ToolError: as `send`.
        """
        from tm.http import pagination  # noqa: PLC0415  few tools have pages

        def send(wanted: ApiRequest, link: str | None) -> Page:
            call = self._call(api, wanted, fixture)
            if link is not None:
                shown = shown_url(api, call.base, link, self._redactor)
                call = call._replace(url=link, shown_url=shown)
            response = self._response(call, raise_for_status=True)
            check(response)
            return pagination.Page(response, call.url)

        first = self._call(api, request, fixture)
        if self._dry_run and first.writes:
            stub = send(request, None).response
            return stub if isinstance(fixture, Absent) else pagination.only_page(stub, pages)
        return pagination.gather(
            request, pages, send=send,
            follow=urls.follow_within,
            warn=lambda text: self._log("warning", text, {}),
        )  # fmt: skip

    def resolve(
        self, target: str, default: Api | None, apis: Mapping[str, Api], allow: Sequence[str]
    ) -> tuple[Api, str]:
        """Return the api and the path that a handler's address means.

        Args:
            target: a path below the default api, or a whole URL.
            default: the tool's own api; None: it has none.
            apis: those that the tenant declares, by name.
            allow: `settings.http_allow`.

        Raises:
            ToolError: TM516 for a host that is not declared.
        """
        from tm.http import hosts  # noqa: PLC0415  only functions name addresses

        return hosts.resolve(target, default, self._declared(apis), allow)

    def _declared(self, apis: Mapping[str, Api]) -> list[tuple[Api, BaseUrl]]:
        found: list[tuple[Api, BaseUrl]] = []
        for api in apis.values():
            try:
                found.append((api, self._base(api, needs_values=False)))
            except ToolError:
                continue  # an api that can't be used can't be meant
        return found
