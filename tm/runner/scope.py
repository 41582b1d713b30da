"""What one top-level run shares with the runs nested in it: limits, client, secrets, sink."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, get_ident
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from tm.errors import Location, ToolError
from tm.http.urls import VARIABLE
from tm.model import Api, FunctionRef, Json, Tool
from tm.records import field, record
from tm.redact import MASK, Redactor
from tm.runner.events import Event, Mode, Sink

if TYPE_CHECKING:
    from tm.http.client import HttpClient
    from tm.http.messages import Exchange
    from tm.runner.host import ToolHost
    from tm.runner.run import ToolRun
    from tm.store.runs import LogStore

EntryType: TypeAlias = Literal["chat", "scheduled_task", "cli", "mcp"]
Role: TypeAlias = Literal["preprocess", "postprocess", "handler"]

MAX_LOG_LINES: Final = 10_000
MAX_LOG_CHARS: Final = 5_000_000


@record
class RunOptions:
    """How a tool is to be run.

    Attributes:
        case: name of a fixture; None: the given arguments, else args_fixture.
        mode: None: the tenant's `settings.http`, else live.
        session: the chat's session to begin with; None: empty.
        entry_type: who asked for the run, for the execution log.
        with_curl: requests are told with their curl commands.
        isolate: functions run in a locked worker process; so they do where `settings.isolate` is
            true.
    """

    case: str | None = None
    mode: Mode | None = None
    dry_run: bool = False
    chat_id: str | None = None
    user_id: str | None = None
    session: Mapping[str, Any] | None = None
    entry_type: EntryType = "cli"
    assistant: str | None = None
    with_curl: bool = False
    isolate: bool = False


class Clock(Protocol):
    """Time as a run sees it; tests pass their own."""

    def now(self) -> datetime:
        """Return the present time in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...


class TenantFacts(Protocol):
    """What a run needs to know of its tenant."""

    def find_tool(self, code: str, name: str, *, fresh: bool = True) -> Tool:
        """Return a tool that the tenant may use, or raise UsageError or ConfigError.

        Args:
            fresh: look whether files changed since the last look.
        """
        ...

    def api_for(self, tool: Tool) -> Api | None:
        """Return the tool's api; None where it names none."""
        ...

    def apis(self, code: str, *, with_shared: bool = False) -> Mapping[str, Api]:
        """Return the apis that the tenant's own code, or shared code, may call."""
        ...

    def settings(self, code: str) -> Mapping[str, Any]:
        """Return the tenant's merged settings."""
        ...

    def merged_config(self, code: str) -> dict[str, Any]:
        """Return everything the tenant declares, as plain data."""
        ...


class PdfTexts(Protocol):
    """Where the texts of uploaded PDFs are."""

    def text(self, tenant: str, chat_id: str | None, key: str) -> str | None:
        """Return a PDF's text; None for an unknown key, another chat's or another tenant's."""
        ...

    def latest(self, tenant: str, chat_id: str | None) -> str | None:
        """Return the text of the PDF uploaded last; None where the chat has none."""
        ...


class NoPdfs:
    """The PDF store of a workspace that has none: every placeholder is a miss."""

    def text(self, tenant: str, chat_id: str | None, key: str) -> str | None:  # noqa: ARG002  the protocol's parameters
        """Return None."""
        return None

    def latest(self, tenant: str, chat_id: str | None) -> str | None:  # noqa: ARG002  the protocol's parameters
        """Return None."""
        return None


class Functions(Protocol):
    """The functions of one tool, loaded for one run: in this process, or in a worker."""

    @property
    def can_be_stopped(self) -> bool:
        """Whether a function that goes on too long ends when its time is over."""
        ...

    def check(self) -> None:
        """Raise ToolError where they can't run; called when the run has begun."""
        ...

    def call(self, role: Role, values: Sequence[Json], host: ToolHost) -> Json:
        """Call one with fresh copies of the values and a fresh ctx; its result is JSON data.

        Raises:
            TmError: whatever the function fails with.
        """
        ...

    def close(self) -> None:
        """Give back what they hold. The run is over; calling it twice is fine."""
        ...


def function_refs(tool: Tool) -> dict[Role, FunctionRef]:
    """Return the functions that a tool names, in the order in which they load."""
    refs: dict[Role, FunctionRef | None] = {
        "preprocess": tool.preprocess,
        "postprocess": tool.postprocess,
        "handler": tool.handler,
    }
    return {role: ref for role, ref in refs.items() if ref is not None}


LoadFunctions: TypeAlias = Callable[[Tool, float], Functions | None]
"""Loads a tool's functions, in at most so many seconds; None for a tool without."""

WriteLog: TypeAlias = Callable[[str, str, Mapping[str, Any]], None]


class Connect(Protocol):
    """Makes the HTTP client of one tool run; all of a scope share pool and cassette."""

    def __call__(self, *, log: WriteLog, on_exchange: Callable[[Exchange], None]) -> HttpClient:
        """Return a client that tells its lines and exchanges to this run."""
        ...


@record(frozen=False)
class Scope:
    """The frame of one top-level run. One per call; never shared between calls.

    Attributes:
        root: of the workspace, absolute.
        expand: fills `${NAME}` in a text; raises ToolError TM503.
        secret_values: returns what must be masked in the apis and mappings that it is given.
        nested_left: calls of nested tools that are still allowed.
        deadline: on the monotonic clock; a nested tool's own limit can only shorten it.
        active: the runs that are under way, outermost first.
        closed_by: the thread that gave the run up; what others still do in it is dropped.
        lines_left, chars_left: what the log of the run may still take.
    """

    tenant: str
    options: RunOptions
    mode: Mode
    sink: Sink
    facts: TenantFacts
    store: LogStore
    clock: Clock
    redactor: Redactor
    expand: Callable[[str, Location], str]
    secret_values: Callable[..., Collection[str]]
    load_functions: LoadFunctions
    files_path: str
    session: dict[str, Any]
    nested_left: int
    nested_limit: int
    deadline: float
    connect: Connect
    root: Path = Path()
    pdfs: PdfTexts = field(default_factory=NoPdfs)
    active: list[ToolRun] = field(default_factory=list)
    closed_by: int | None = None
    lines_left: int = MAX_LOG_LINES
    chars_left: int = MAX_LOG_CHARS
    lock: Lock = field(default_factory=Lock)

    def emit(self, event: Event) -> bool:
        """Hand an event to the sink; return False where the run was given up already."""
        with self.lock:
            if not self.is_live():
                return False
            self.sink(event)
            return True

    def room_for_line(self, message: str, context: Mapping[str, Any]) -> int:
        """Count a log line of the run, and return how many lines there was room for before it.

        A function that logs in a loop would otherwise fill the memory.
        """
        with self.lock:
            left = self.lines_left if self.chars_left > 0 else min(self.lines_left, 1)
            self.lines_left = left - 1
            self.chars_left -= len(message) + (len(str(context)) if context else 0)
            return left

    def is_live(self) -> bool:
        """Say whether what this thread does still counts."""
        return self.closed_by is None or self.closed_by == get_ident()

    def close(self) -> None:
        """Give the run up: only this thread may still tell something of it."""
        with self.lock:
            self.closed_by = get_ident()

    def remaining_s(self) -> float:
        """Return the seconds that the run may still take; negative when it is over time."""
        return self.deadline - self.clock.monotonic()

    def take_nested_call(self, name: str) -> None:
        """Count a nested call.

        Raises:
            ToolError: TM510 when the top-level tool's limit is used up.
        """
        with self.lock:
            if self.nested_left > 0:
                self.nested_left -= 1
                return
        raise ToolError(
            f"nested call of '{name}' refused: at most {self.nested_limit} nested calls are "
            "allowed below one call",
            code="TM510",
            hint="raise max_nested_calls of the tool that was called (at most 100), or fetch "
            "lists in one request",
        )

    def learn_secrets(self, api: Api | None, tool: Tool) -> None:
        """Mask what fills a tool's api and headers from now on.

        The api of a shared tool is not among the tenant's own, which are known from the start.
        """
        declared = [{"headers": tool.headers or {}}, *([api] if api else [])]
        for value in self.secret_values(*declared):
            self.redactor.add(value)

    def filled(self, text: str, at: Location, *, needs_values: bool) -> str:
        """Return a constant's text with every `${NAME}` filled.

        Args:
            at: of the text, for the error.
            needs_values: False where nothing is sent: `***` stands for a variable without a value.

        Raises:
            ToolError: TM503 for a missing variable, where its value is needed.
        """
        if needs_values:
            return self.expand(text, at)
        return VARIABLE.sub(lambda match: self._known_or_mask(match[0], at), text)

    def _known_or_mask(self, variable: str, at: Location) -> str:
        try:
            return self.expand(variable, at)
        except ToolError:
            return MASK

    def masked_api(self, api: Api) -> dict[str, Any]:
        """Return an api as it is resolved, with every secret masked, for `ctx["api_config"]`.

        A variable that is not set stays as `${NAME}`: looking at the config must not fail.
        """
        masked: dict[str, Any] = self.redactor.json(_filled(api.declared, self.expand, api.at))
        return masked

    def pdf_text(self, key: str) -> str | None:
        """Return the text of a PDF of this tenant and chat; None where there is none."""
        return self.pdfs.text(self.tenant, self.options.chat_id, key)

    def latest_pdf(self) -> str | None:
        """Return the text of the PDF uploaded last in this chat; None where there is none."""
        return self.pdfs.latest(self.tenant, self.options.chat_id)

    def timestamp(self) -> str:
        """Return the present time as UTC ISO text with milliseconds."""
        return iso_utc(self.clock.now())


def _filled(value: Any, expand: Callable[[str, Location], str], at: Location) -> Any:
    """Return a declared value with `${NAME}` filled wherever the variable is set."""
    if isinstance(value, Mapping):
        return {key: _filled(item, expand, at) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(item, expand, at) for item in value]
    if not isinstance(value, str) or "${" not in value:
        return value
    try:
        return expand(value, at)
    except ToolError:
        return value


def iso_utc(moment: datetime) -> str:
    """Return a time as `2026-05-04T12:30:00.123Z`."""
    moment = moment.astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
