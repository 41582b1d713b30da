"""Serves what a worker asks for during one call, and counts it.

What lives here: which message means which call of the host. What must not: pipes and processes.
"""

from __future__ import annotations

from typing import Any, Final, cast

from tm.errors import SecurityError, TmError
from tm.model import Json
from tm.runner.context import LEVELS, HttpRequest
from tm.runner.events import Level
from tm.runner.guard import FORBIDDEN
from tm.runner.host import ToolHost
from tm.runner.isolation.frames import FrameError, fields
from tm.runner.isolation.messages import answer_data, error_data, packed, read_error
from tm.runner.isolation.zones import zone_data

MAX_LINES: Final = 10_000
MAX_LINE_CHARS: Final = 16_000_000


class Desk:
    """One call's messages.

    Args:
        host: None while files are loaded, when code can ask for nothing but time zones.
        call: the number that every message must have.
        may_call: whether the function may call APIs and tools.
    """

    def __init__(self, host: ToolHost | None, call: int, *, may_call: bool) -> None:
        self._host = host
        self._call = call
        self._may_call = may_call
        self._lines = 0
        self._chars = 0
        self._refused: SecurityError | None = None

    def take(self, message: Any) -> tuple[str, Any]:
        """Serve a message; returns `done` and the result, or another kind and the reply.

        A reply of None is none: the worker goes on without it.

        Raises:
            FrameError: it is no message of this call, or there were too many.
            TmError: the function has failed.
        """
        call, kind = fields(message, call=int, kind=str)
        if call != self._call:
            raise FrameError(f"it sent a message of call {call} during call {self._call}")
        serve = {
            "done": self._done,
            "failed": self._failed,
            "log": self._log,
            "print": self._print,
            "zone": self._zone,
            "config": self._config,
            "request": self._request,
            "tool": self._tool,
        }.get(kind)
        if serve is None:
            raise FrameError(f"it sent a message of the unknown kind {kind[:40]!a}")
        return kind, serve(message)

    @property
    def is_loading(self) -> bool:
        """Whether the worker has run nothing of a function yet."""
        return self._host is None

    @property
    def host(self) -> ToolHost:
        """The host; files that are loaded have none."""
        if self._host is None:
            raise FrameError("it asked for something while its files were loaded")
        return self._host

    def _done(self, message: Any) -> Json:
        result, session = fields(message, result=object, session=dict)
        if self._refused is not None:
            raise self._refused  # an honest worker would have failed
        self._take_session(session)
        return cast("Json", result)

    def _failed(self, message: Any) -> None:
        error, session = fields(message, error=dict, session=object)
        if type(session) is dict:
            self._take_session(session)
        raise read_error(error)

    def _take_session(self, session: dict[str, Any]) -> None:
        if self._host is not None:
            kept = self._host.run.scope.session
            kept.clear()
            kept.update(session)

    def _log(self, message: Any) -> None:
        level, text, context = fields(message, level=str, message=str, context=dict)
        if level not in LEVELS:
            raise FrameError("it sent a log line of an unknown level")
        self._count(len(text) + len(repr(context)))
        self.host.log(cast("Level", level), text, context)

    def _print(self, message: Any) -> None:
        (text,) = fields(message, text=str)
        self._count(len(text))
        if self._host is not None:
            self._host.print(text)

    def _count(self, chars: int) -> None:
        self._lines += 1
        self._chars += chars
        if self._lines > MAX_LINES or self._chars > MAX_LINE_CHARS:
            raise FrameError(
                f"it wrote more than {MAX_LINES:,} log lines or {MAX_LINE_CHARS:,} characters"
            )

    def _zone(self, message: Any) -> Json:
        (key,) = fields(message, key=str)
        found = zone_data(key)
        return {"answer": None if found is None else packed(found)}

    def _config(self, _message: Any) -> Json:
        return {"answer": self.host.config()}

    def _request(self, message: Any) -> Json:
        (asked,) = fields(message, request=dict)
        method, url, params, json, data, headers = fields(
            asked, method=str, url=str, params=object, json=object, data=object, headers=object
        )
        self._check_may_call()
        try:
            answer = self.host.request(HttpRequest(method, url, params, json, data, headers))
        except TmError as error:
            return self._error(error)
        return {"answer": answer_data(answer)}

    def _tool(self, message: Any) -> Json:
        name, args, session = fields(message, name=str, args=object, session=dict)
        self._check_may_call()
        host = self.host
        self._take_session(session)
        try:
            reply: dict[str, Any] = {"answer": host.call_tool(name, args)}
        except TmError as error:
            reply = self._error(error)
        changed = host.run.scope.session
        return {**reply, "session": changed} if changed != session else reply

    def _check_may_call(self) -> None:
        if not self._may_call:
            raise FrameError("it called an API or a tool where none may be called")

    def _error(self, error: TmError) -> dict[str, Any]:
        """Return the reply for a failure; a refusal in a nested tool is the caller's too."""
        if isinstance(error, SecurityError) and error.code == FORBIDDEN:
            self._refused = error
        return {"error": error_data(error)}
