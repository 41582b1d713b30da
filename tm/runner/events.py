"""What a run tells while it happens, and the report at its end.

The runner emits these to a sink and knows nothing of terminals, JSON or databases. Everything in
an event is already masked: a sink may show, store or send it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from tm.errors import TmError
from tm.model import Json
from tm.records import field, record

Level: TypeAlias = Literal["debug", "info", "success", "warning", "error"]
StepName: TypeAlias = Literal[
    "validate", "placeholders", "preprocess", "request", "mapping", "postprocess", "handler"
]
StepStatus: TypeAlias = Literal["ok", "skipped", "failed", "stubbed"]
Mode: TypeAlias = Literal["live", "record", "replay"]

STEPS: tuple[StepName, ...] = (
    "validate", "placeholders", "preprocess", "request", "mapping", "postprocess", "handler",
)  # fmt: skip


@record
class LogLine:
    """One line of a run's log.

    Attributes:
        time: UTC, ISO 8601 with milliseconds and `Z`.
        depth: 0 for the tool that was called, 1 for a tool that it called, and so on.
        context: JSON data; empty where the line has none.
    """

    time: str
    level: Level
    tool: str
    depth: int
    message: str
    context: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the line's shape in `--json` output."""
        return {
            "time": self.time,
            "level": self.level,
            "tool": self.tool,
            "depth": self.depth,
            "message": self.message,
            "context": dict(self.context),
        }


@record
class Step:
    """A step of the pipeline that has ended; `ms` in milliseconds."""

    name: StepName
    status: StepStatus
    ms: float

    def to_json(self) -> dict[str, Any]:
        """Return the step's shape in `--json` output."""
        return {"name": self.name, "status": self.status, "ms": self.ms}


@record
class HttpCall:
    """One HTTP exchange, or its stub.

    Attributes:
        url: with its query, secrets masked.
        status: None where nothing came back.
        bytes: size of the body after decompression.
        attempts: tries that were made; 0 for a stub.
        curl: the request as a curl command for POSIX shells, secrets as `$NAME`.
    """

    method: str
    url: str
    status: int | None
    bytes: int
    ms: float
    stubbed: bool
    attempts: int
    curl: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the exchange's shape in `--json` output."""
        return {
            "method": self.method,
            "url": self.url,
            "status": self.status,
            "bytes": self.bytes,
            "ms": self.ms,
            "stubbed": self.stubbed,
            "attempts": self.attempts,
        }


@record
class RunStarted:
    """A tool run begins, before its arguments are checked."""

    tool: str
    depth: int
    args: Json


@record
class Report:
    """The whole of one run, as `--json` prints it and the terminal sums it up.

    Attributes:
        case: name of the fixture, `default` for args_fixture, None for given arguments.
        args: the validated arguments before placeholders were filled.
        result: None where the run failed.
        error: None where it did not.
        log_id: row in the execution log; None where it could not be written.
    """

    tool: str
    tenant: str
    case: str | None
    ok: bool
    dry_run: bool
    mode: Mode
    args: Json
    result: Json
    error: TmError | None
    steps: Sequence[Step]
    http: Sequence[HttpCall]
    log: Sequence[LogLine]
    duration_ms: float
    log_id: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the one object that `tm test-tool --json` prints (SPEC, section 10)."""
        return {
            "tool": self.tool,
            "tenant": self.tenant,
            "case": self.case,
            "ok": self.ok,
            "dry_run": self.dry_run,
            "mode": self.mode,
            "args": self.args,
            "result": self.result,
            "error": self.error.to_json() if self.error else None,
            "steps": [step.to_json() for step in self.steps],
            "http": [call.to_json() for call in self.http],
            "log": [line.to_json() for line in self.log],
            "duration_ms": self.duration_ms,
            "log_id": self.log_id,
        }


@record
class RunFinished:
    """A tool run has ended; for nested runs too."""

    depth: int
    report: Report


Event: TypeAlias = RunStarted | LogLine | Step | HttpCall | RunFinished
Sink: TypeAlias = Callable[[Event], None]
