"""The host of a tool's functions in this process: what their ctx can cause."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Protocol

from tm.errors import ConfigError, TmError, ToolError, UsageError
from tm.http.messages import ApiRequest
from tm.model import ABSENT, SHARED, Api, Json, Tool
from tm.records import record
from tm.runner.context import CtxFacts, HttpAnswer, HttpRequest
from tm.runner.events import Level, Report
from tm.runner.run import ToolRun, prepare

# Control characters but tab and newline, line separators, and what turns the reading direction.
_OBEYED: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_FRAMES: Final = 1000  # Python's own limit
_FRAMES_A_RUN: Final = 12


class RunNested(Protocol):
    """Runs a prepared tool run to its end; the pipeline, seen from here."""

    def __call__(self, run: ToolRun, args: Json) -> Report:
        """Run it and return its report; a failure is in `run.error`."""
        ...


@record
class ToolHost:
    """Implements `Host` for the functions of one run.

    Attributes:
        run_nested: runs the tools that they call.
    """

    run: ToolRun
    run_nested: RunNested

    def log(self, level: Level, message: str, context: Mapping[str, Any]) -> None:
        """Write a line into the run's log."""
        self.run.log(level, message, context)

    def print(self, text: str) -> None:
        """Write what a function prints to stderr, masked: stdout is the command's result.

        Each line says that it was printed: it must not be taken for a line of the log, and what
        a terminal would obey is shown instead.
        """
        masked = self.run.scope.redactor.text(text)
        lines = _OBEYED.sub(_escaped, masked).removesuffix("\n").split("\n")
        sys.stderr.write("".join(f"| {line}\n" for line in lines))

    def facts(self) -> CtxFacts:
        """Return the plain data of a ctx."""
        scope = self.run.scope
        return CtxFacts(
            tenant=scope.tenant,
            chat_id=scope.options.chat_id,
            user_id=scope.options.user_id,
            session=scope.session,
            api_config=None if self.run.api is None else scope.masked_api(self.run.api),
            files_path=scope.files_path,
        )

    def config(self) -> dict[str, Any]:
        """Return a fresh copy of the tenant's merged config, secrets masked."""
        scope = self.run.scope
        masked_config: dict[str, Any] = scope.redactor.json(scope.facts.merged_config(scope.tenant))
        return masked_config

    def request(self, request: HttpRequest) -> HttpAnswer:
        """Send a request of `ctx["http"]`.

        Raises:
            ToolError: TM516 for a host that is not declared, TM504 for a status of 400 or more,
                and what else the client raises.
        """
        scope, client = self.run.scope, self.run.client
        apis = self._apis()
        allow = scope.facts.settings(scope.tenant).get("http_allow") or ()
        api, path = client.resolve(request.url, self.run.api, apis, allow)
        body, body_format = _body(request)
        response = client.send(
            api,
            ApiRequest(
                method=request.method,
                path=path,
                query=request.params or {},
                headers=request.headers or {},
                body=body,
                body_format=body_format,
            ),
        )
        return HttpAnswer(
            response.status,
            response.headers,
            response.content,
            response.text,
            response.json,
            response.url,
        )

    def _apis(self) -> Mapping[str, Api]:
        """Return the apis whose addresses the run's functions may call."""
        facts, tool, own = self.run.scope.facts, self.run.tool, self.run.api
        apis = facts.apis(tool.tenant, with_shared=tool.home == SHARED)
        return apis if own is None else {**apis, own.name: own}

    def call_tool(self, name: str, args: Json) -> Json:
        """Run another tool of the tenant and return its result.

        Raises:
            ToolError: TM502 for an unknown tool, TM510 past the limit, or the tool's own error.
        """
        self.run.scope.take_nested_call(name)
        _make_room(len(self.run.scope.active))
        try:
            child = prepare(self.run.scope, name, parent=self.run)
        except (UsageError, ConfigError) as problem:
            raise _as_tool_error(problem) from problem
        with self._shorter_deadline(child.tool):
            self.run_nested(child, args)
        if child.error is not None:
            raise _as_tool_error(child.error) from child.error
        return child.result

    @contextmanager
    def _shorter_deadline(self, tool: Tool) -> Iterator[None]:
        scope = self.run.scope
        before = scope.deadline
        scope.deadline = min(before, scope.clock.monotonic() + tool.max_seconds)
        try:
            yield
        finally:
            scope.deadline = before


def _escaped(hit: re.Match[str]) -> str:
    number = ord(hit.group())
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def _make_room(depth: int) -> None:
    """Let the interpreter's limit of frames grow with the nested runs that are under way.

    Each takes some ten frames, and a hundred may stand on each other; what is left is for the
    functions themselves. The limit is the process's: it is never lowered again.
    """
    wanted = _FRAMES + _FRAMES_A_RUN * depth
    if sys.getrecursionlimit() < wanted:
        sys.setrecursionlimit(wanted)


def _as_tool_error(problem: TmError) -> TmError:
    """Return what a handler may catch: a tool that can't load is TM520 where the scan refused."""
    if not isinstance(problem, (UsageError, ConfigError)):
        return problem
    is_scan = problem.code.startswith("TM30")
    return ToolError(
        str(problem),
        code="TM520" if is_scan else problem.code,
        hint=problem.hint,
        details=problem.details,
    )


def _body(request: HttpRequest) -> tuple[Any, Any]:
    """Return a request's body and its format."""
    if request.json is not None:
        return request.json, "json"
    if request.data is None:
        return ABSENT, "json"
    return request.data, "form" if isinstance(request.data, dict) else "text"
