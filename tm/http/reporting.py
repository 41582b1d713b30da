"""Reports every exchange that was made or stubbed, masked, with its curl command.

What lives here: the layers that call `on_exchange`. What must not: log lines of tries (`retries`).
"""

from __future__ import annotations

from collections.abc import Callable

from tm.http.bodies import json_text
from tm.http.display import shown_body, shown_headers
from tm.http.messages import Answer, Call, Exchange, Transport, UnansweredError
from tm.http.retries import Log
from tm.model import Absent
from tm.redact import Redactor

OnExchange = Callable[[Exchange], None]


class Reported:
    """Reports each exchange, also one that failed."""

    __slots__ = ("_clock", "_curl", "_inner", "_on_exchange")

    def __init__(
        self,
        inner: Transport,
        on_exchange: OnExchange,
        curl: Callable[[Call], str],
        clock: Callable[[], float],
    ) -> None:
        """Wrap a transport.

        Args:
            inner: sends.
            on_exchange: called after each exchange.
            curl: gives the command of a call; an empty text where nobody wants it.
            clock: seconds that only grow.
        """
        self._inner = inner
        self._on_exchange = on_exchange
        self._curl = curl
        self._clock = clock

    def send(self, call: Call) -> Answer:
        """Send and report. What was refused before anything was sent is no exchange."""
        began = self._clock()
        try:
            answer = self._inner.send(call)
        except UnansweredError as error:
            self._report(call, error.status, 0, began, error.attempts)
            raise
        self._report(call, answer.status, len(answer.content), began, answer.attempts)
        return answer

    def _report(
        self, call: Call, status: int | None, size: int, began: float, attempts: int
    ) -> None:
        self._on_exchange(
            Exchange(
                method=call.method,
                url=call.shown_url,
                status=status,
                bytes=size,
                ms=round((self._clock() - began) * 1000, 3),
                stubbed=False,
                attempts=attempts,
                curl=self._curl(call),
            )
        )


class DryRun:
    """Answers writes with a stub and sends only reads. The outermost layer: nothing gets around it.

    Nothing below it is touched for a stub, so no secret is needed and no token fetched.
    """

    __slots__ = ("_inner", "_log", "_redactor", "_report")

    def __init__(
        self, inner: Transport, report: Callable[[Call], None], redactor: Redactor, log: Log
    ) -> None:
        """Wrap a transport.

        Args:
            inner: sends the reads.
            report: called with each stubbed call.
            redactor: masks what the stub tells.
            log: gets one line for each stub.
        """
        self._inner = inner
        self._report = report
        self._redactor = redactor
        self._log = log

    def send(self, call: Call) -> Answer:
        """Return the stub of a write: the tool's `response_fixture`, else what would be sent."""
        if not call.writes:
            return self._inner.send(call)
        self._log("info", f"dry run: {call.method} {call.shown_url} not sent", {})
        self._report(call)
        stub = call.fixture
        if isinstance(stub, Absent):
            stub = {
                "dry_run": True,
                "method": call.method,
                "url": call.shown_url,
                "headers": shown_headers(call, self._redactor),
                "body": shown_body(call, self._redactor),
            }
        return Answer(
            status=200,
            headers={"content-type": "application/json"},
            content=json_text(stub).encode(),
            attempts=0,
            stubbed=True,
            url=call.shown_url,
        )
