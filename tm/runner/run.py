"""One run of one tool: what it has done so far, and what it tells of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from tm.errors import TmError, ToolError
from tm.http.messages import Exchange
from tm.model import Api, Json, Tool
from tm.records import field, record
from tm.runner.events import (
    STEPS,
    HttpCall,
    Level,
    LogLine,
    Report,
    RunFinished,
    RunStarted,
    Step,
    StepName,
    StepStatus,
)
from tm.runner.mapping import check_paths
from tm.runner.scope import Functions, Scope

if TYPE_CHECKING:
    from tm.http.client import HttpClient


@record(frozen=False)
class StepState:
    """A step that is running; its code may set another status than ok."""

    name: StepName
    status: StepStatus = "ok"


@record(frozen=False)
class ToolRun:
    """One run of one tool, nested ones too.

    Attributes:
        api: the tool's api; None without one.
        functions: loaded before the first step, so that a broken handler is found before a
            request is sent; None where the tool has none.
        parent: the run whose handler called this one; None at the top.
        http, log: of this run and of those nested in it, in order.
        own_log: lines of this run alone.
        last_call: the last exchange of this run alone.
        misses: what `mapping` did not find, each in one line.
        result, error: raw; masked only in the report.
    """

    scope: Scope
    tool: Tool
    api: Api | None
    functions: Functions | None
    case: str | None = None
    parent: ToolRun | None = None
    row_id: int | None = None
    began: float = 0.0
    args: Json = None
    steps: list[Step] = field(default_factory=list)
    http: list[HttpCall] = field(default_factory=list)
    log_lines: list[LogLine] = field(default_factory=list)
    own_log: list[LogLine] = field(default_factory=list)
    last_call: HttpCall | None = None
    logged_by_handler: bool = False
    misses: list[str] = field(default_factory=list)
    running_step: StepState | None = None
    step_began: float = 0.0
    result: Json = None
    error: TmError | None = None
    _client: HttpClient | None = None

    @property
    def depth(self) -> int:
        """Return 0 for the tool that was called, 1 for one that it called, and so on."""
        return 0 if self.parent is None else self.parent.depth + 1

    @property
    def client(self) -> HttpClient:
        """Return this run's HTTP client, made on first use."""
        if self._client is None:
            self._client = self.scope.connect(log=self.log, on_exchange=self.note_exchange)
        return self._client

    # -- events

    def start(self, args: Json) -> None:
        """Open the row in the execution log and tell that the run begins."""
        scope, options = self.scope, self.scope.options
        self.began = scope.clock.monotonic()
        self.args = scope.redactor.json(args)
        self.row_id = scope.store.start(
            tenant=scope.tenant,
            tool_name=self.tool.name,
            entry_type=options.entry_type,
            args=self.args,
            parent_id=self.parent.row_id if self.parent else None,
            chat_id=options.chat_id,
            user_id=options.user_id,
            assistant=options.assistant,
            dry_run=options.dry_run,
        )
        scope.emit(RunStarted(self.tool.name, self.depth, self.args))

    def log(self, level: str, message: str, context: Mapping[str, Any] | None = None) -> None:
        """Write a line into the log of this run and of the runs above it."""
        scope = self.scope
        if self.running_step is not None and self.running_step.name == "handler":
            self.logged_by_handler = True
        room = scope.room_for_line(message, context or {})
        if room < 1:
            return
        if room == 1:
            level, context = "warning", {}
            message = "the log of this run is full: what follows is dropped"
        line = LogLine(
            scope.timestamp(),
            cast("Level", level),
            self.tool.name,
            self.depth,
            scope.redactor.text(message),
            scope.redactor.json(dict(context or {})),
        )
        if scope.emit(line):
            self.own_log.append(line)
            for run in self.lineage():
                run.log_lines.append(line)

    def note_exchange(self, exchange: Exchange) -> None:
        """Keep an HTTP exchange, and write a line about one that was really made."""
        call = HttpCall(
            exchange.method,
            exchange.url,
            exchange.status,
            exchange.bytes,
            exchange.ms,
            exchange.stubbed,
            exchange.attempts,
            exchange.curl,
        )
        if not self.scope.emit(call):
            return
        self.last_call = call
        for run in self.lineage():
            run.http.append(call)

    def lineage(self) -> Iterator[ToolRun]:
        """Yield this run and those above it, innermost first."""
        run: ToolRun | None = self
        while run is not None:
            yield run
            run = run.parent

    @contextmanager
    def step(self, name: StepName) -> Iterator[StepState]:
        """Time a step, and keep how it ended.

        Raises:
            ToolError: TM505 where the run's time is over before the step begins.
        """
        state = self.running_step = StepState(name)
        began = self.step_began = self.scope.clock.monotonic()
        try:
            if self.scope.remaining_s() <= 0:
                raise self.out_of_time()
            yield state
        except BaseException:
            state.status = "failed"
            raise
        finally:
            self.running_step = None
            self._end_step(state, self.scope.clock.monotonic() - began)

    def skip(self, *names: StepName) -> None:
        """Note steps that this tool does not have."""
        for name in names:
            self._end_step(StepState(name, "skipped"), 0.0)

    def _end_step(self, state: StepState, took_s: float) -> None:
        step = Step(state.name, state.status, round(took_s * 1000, 3))
        if self.scope.is_live():
            self.steps.append(step)
            if self.parent is None:
                self.scope.emit(step)

    def give_up(self, error: TmError) -> None:
        """End a run that its thread can't end: the step it is in has failed with this error."""
        state = self.running_step
        if state is not None:
            state.status = "failed"
            self._end_step(state, self.scope.clock.monotonic() - self.step_began)
        self.error = error

    def close(self) -> None:
        """Give back what the run's functions hold; calling it twice is fine."""
        if self.functions is not None:
            self.functions.close()

    def out_of_time(self) -> ToolError:
        """Return the error of a run that took longer than `max_seconds`."""
        where = f" in step {self.running_step.name}" if self.running_step else ""
        return ToolError(
            f"'{self.tool.name}' took longer than its max_seconds "
            f"({self.tool.max_seconds:g} s){where}",
            code="TM505",
            hint="look at the step times; raise max_seconds only if the API needs it",
        )

    def finish(self, state: str) -> Report:
        """Close the row and return the report, everything masked."""
        self.close()
        scope = self.scope
        if not scope.is_live():
            return self._report()
        done = {step.name for step in self.steps}
        self.skip(*(name for name in STEPS if name not in done))
        report = self._report()
        error = report.error
        scope.store.finish(
            self.row_id,
            state=state,
            args=report.args,
            result=report.result,
            error_code=error.code if error else None,
            error_message=str(error) if error else None,
            duration_ms=report.duration_ms,
            http_status=self.last_call.status if self.last_call else None,
            request_url=self.last_call.url if self.last_call else None,
            response_bytes=self.last_call.bytes if self.last_call else None,
            steps=[step.to_json() for step in self.steps],
            log=[line.to_json() for line in self.own_log],
        )
        scope.emit(RunFinished(self.depth, report))
        return report

    def _report(self) -> Report:
        scope = self.scope
        return Report(
            tool=self.tool.name,
            tenant=scope.tenant,
            case=self.case,
            ok=self.error is None,
            dry_run=scope.options.dry_run,
            mode=scope.mode,
            args=scope.redactor.json(self.args),
            result=None if self.error else scope.redactor.json(self.result),
            error=masked(self.error, scope.redactor.text) if self.error else None,
            steps=tuple(sorted(self.steps, key=lambda step: STEPS.index(step.name))),
            http=tuple(self.http),
            log=tuple(self.log_lines),
            duration_ms=round((scope.clock.monotonic() - self.began) * 1000, 3),
            log_id=self.row_id,
        )


def stopped_by(problem: BaseException) -> ToolError:
    """Return the error of a run that did not end by itself: Ctrl-C, a signal, a bug of tm."""
    by = "Ctrl-C" if isinstance(problem, KeyboardInterrupt) else type(problem).__name__
    return ToolError(f"the run was stopped by {by}", code="TM521")


def masked(error: TmError, mask: Callable[[str], str]) -> TmError:
    """Return the same error with every text masked; the cause is kept for `--traceback`."""
    copy = type(error)(
        mask(error.message),
        code=error.code,
        hint=mask(error.hint) if error.hint else None,
        at=error.at,
        details=[type(d)(mask(d.path), mask(d.message)) for d in error.details],
    )
    copy.__cause__ = error.__cause__
    copy.__traceback__ = error.__traceback__
    return copy


def prepare(
    scope: Scope,
    name: str,
    *,
    case: str | None = None,
    parent: ToolRun | None = None,
) -> ToolRun:
    """Find a tool with its api and functions, and return its run, not yet begun.

    Raises:
        UsageError: TM502 for a name that the tenant does not have.
        ConfigError: the lint code of what is wrong in the tool's files.
        ToolError: TM515 for an api that is not declared.
    """
    tool = scope.facts.find_tool(scope.tenant, name, fresh=parent is None)
    check_paths(tool)
    api = scope.facts.api_for(tool)
    scope.learn_secrets(api, tool)
    # A nested tool has at most the time that is left to the one that calls it.
    limit_s = tool.max_seconds if parent is None else min(tool.max_seconds, scope.remaining_s())
    return ToolRun(
        scope=scope,
        tool=tool,
        api=api,
        functions=scope.load_functions(tool, limit_s),
        case=case,
        parent=parent,
    )
