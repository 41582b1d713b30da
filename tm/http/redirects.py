"""Redirects: followed within the same origin only, since a key would go along.

What lives here: the policy of SPEC section 3.2. `follow_redirects: false` gives the 3xx itself as
the answer: who sets it wants to read `$status` and `$headers.location`.
"""

from __future__ import annotations

from typing import Final

from tm.errors import ToolError
from tm.http.display import shown_url
from tm.http.messages import Answer, Call, Transport
from tm.http.urls import follow, split_origin
from tm.redact import Redactor

MAX_REDIRECTS: Final = 5

_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_OF_THE_BODY: Final = frozenset({"content-type", "content-encoding", "content-language"})


class Redirected:
    """Follows redirects."""

    __slots__ = ("_inner", "_redactor")

    def __init__(self, inner: Transport, redactor: Redactor) -> None:
        self._inner = inner
        self._redactor = redactor

    def send(self, call: Call) -> Answer:
        """Return the answer at the end of the redirects.

        Raises:
            ToolError: TM504 for a redirect to another origin, or a sixth one.
        """
        count = 0
        while True:
            answer = self._inner.send(call)
            location = answer.headers.get("location")
            if answer.status not in _STATUSES or not location or not call.follow_redirects:
                return answer.at(call.shown_url)
            target = self._target(call, location)
            if count == MAX_REDIRECTS:
                raise self._refused(call, target, "which is the sixth redirect in a row")
            call = self._next(call, answer.status, target)
            count += 1

    def _target(self, call: Call, location: str) -> str:
        try:
            target = follow(call.url, location)
        except ToolError as error:
            raise self._refused(call, location, "which is no address to follow") from error
        if split_origin(target)[0] != split_origin(call.url)[0]:
            raise self._refused(call, target, "another origin, where the api's key must not go")
        return target

    def _refused(self, call: Call, target: str, why: str) -> ToolError:
        return ToolError(
            f"{call.method} {call.shown_url} redirects to "
            f"{self._redactor.text(call.base.shown(target))!r}, {why}",
            code="TM504",
            hint="put the final address into base_url and path",
        )

    def _next(self, call: Call, status: int, target: str) -> Call:
        """Return the next request, as browsers make it (WHATWG Fetch, HTTP-redirect fetch)."""
        shown = shown_url(call.api, call.base, target, self._redactor)
        to_get = (status == 303 and call.method != "HEAD") or (
            status in {301, 302} and call.method == "POST"
        )
        if not to_get:
            return call._replace(url=target, shown_url=shown)
        headers = {k: v for k, v in call.headers.items() if k not in _OF_THE_BODY}
        return call._replace(
            url=target, shown_url=shown, method="GET", payload=None, headers=headers
        )
