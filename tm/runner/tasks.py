"""Scheduled tasks: which are due, and how one is run (SPEC, section 8).

What lives here: the decision and the run. What must not: the chat loop; who asks for a task of
an assistant hands that in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, TypeAlias, TypeVar

from tm.errors import ConfigError, TmError, UsageError, did_you_mean
from tm.grammar.cron_times import matches_between, minute_of, next_match, time_zone
from tm.model import Json, ScheduledTask, Tenant
from tm.records import record
from tm.runner.events import Sink
from tm.runner.scope import RunOptions
from tm.runner.workspace import Workspace
from tm.store.claims import Claims

T = TypeVar("T")


@record
class TaskOutcome:
    """What became of one run of a task.

    Attributes:
        result: of its tool; None for an assistant's, or where it failed.
        answer: of its assistant; None for a tool's, or where it failed.
        log_id: of the tool's run in the execution log; None without one.
    """

    tenant: str
    task: str
    result: Json = None
    answer: str | None = None
    error: TmError | None = None
    log_id: int | None = None
    is_chat: bool = False

    @property
    def ok(self) -> bool:
        """Tell whether it ran well."""
        return self.error is None

    def to_json(self) -> dict[str, Any]:
        """Return the outcome in the shape of `tm schedule run --json`."""
        said = {"answer": self.answer} if self.is_chat else {"result": self.result}
        return {
            "ok": self.ok,
            "task": self.task,
            "tenant": self.tenant,
            **said,
            "error": None if self.error is None else self.error.to_json(),
            "log_id": self.log_id,
        }


AskAssistant: TypeAlias = Callable[[str, str, str, RunOptions], str]
"""Asks an assistant once: tenant, assistant, message, options; returns its answer in words."""


def expression_of(task: ScheduledTask) -> str:
    """Return a task's cron expression.

    Raises:
        ConfigError: TM405, it has none.
    """
    cron = task.declared.get("cron")
    if not isinstance(cron, str):
        message = f"task '{task.name}' has no cron expression"
        raise ConfigError(message, code="TM405", hint="cron: '0 6 * * 1-5'", at=task.at)
    return cron


def zone_of(task: ScheduledTask, settings: Mapping[str, Any]) -> tuple[str, tzinfo]:
    """Return name and zone of a task: its own, else the tenant's, else UTC.

    Raises:
        ConfigError: TM405, there is no such zone.
    """
    name = task.declared.get("timezone") or settings.get("timezone") or "UTC"
    return str(name), _placed(lambda: time_zone(name), task)


def next_run(task: ScheduledTask, settings: Mapping[str, Any], now: datetime) -> datetime | None:
    """Return when a task is due next, in its zone; None: never.

    Raises:
        ConfigError: TM405, for an expression or a zone that is none.
    """
    _, zone = zone_of(task, settings)
    return _placed(lambda: next_match(expression_of(task), now, zone), task)


def _placed(work: Callable[[], T], task: ScheduledTask) -> T:
    """Do work whose errors are the task's, and say where the task is."""
    try:
        return work()
    except ConfigError as problem:
        if problem.at is not None:
            raise
        raise ConfigError(
            f"task '{task.name}': {problem.message}",
            code=problem.code,
            hint=problem.hint,
            at=task.at,
        ) from problem


def find_task(tenant: Tenant, name: str) -> ScheduledTask:
    """Return a tenant's task.

    Raises:
        UsageError: TM524, there is none of that name; with the nearest ones.
    """
    if name in tenant.scheduled:
        return tenant.scheduled[name]
    known = sorted(tenant.scheduled)
    near = did_you_mean(name, known) or f"; there are: {', '.join(known) or 'none'}"
    raise UsageError(
        f"tenant '{tenant.code}' has no task {name!a:.80}{near}",
        code="TM524",
        hint="tm schedule list shows them",
    )


def run_due(
    workspace: Workspace,
    tenant: Tenant,
    claims: Claims,
    *,
    ask: AskAssistant,
    sink: Sink,
) -> Iterator[TaskOutcome]:
    """Run a tenant's tasks that are due, each at most once however many ask; yield what became.

    Due is a task whose expression matched a minute since its last run, or the present one. One
    that can't be run is an outcome that says so, and the others run.
    """
    for name in sorted(tenant.scheduled):
        task = tenant.scheduled[name]
        now = workspace.clock.now()
        try:
            is_mine = _claim(task, tenant, claims, now)
        except ConfigError as problem:
            yield TaskOutcome(tenant.code, name, error=problem)
            continue
        if is_mine:
            yield run_task(workspace, tenant.code, task, ask=ask, sink=sink)


def _claim(task: ScheduledTask, tenant: Tenant, claims: Claims, now: datetime) -> bool:
    """Tell whether a task is due and nobody else runs it."""
    minute = minute_of(now)
    _, zone = zone_of(task, tenant.settings)
    state = claims.state(tenant.code, task.name)
    since = minute - timedelta(minutes=1) if state is None else state.done_until.astimezone(UTC)

    def is_due() -> bool:
        return matches_between(expression_of(task), since, minute, zone)

    if not _placed(is_due, task):
        claims.note(tenant.code, task.name, minute)
        return False
    return claims.claim(tenant.code, task.name, minute, now)


def run_task(
    workspace: Workspace,
    tenant: str,
    task: ScheduledTask,
    *,
    ask: AskAssistant,
    sink: Sink,
    dry_run: bool = False,
) -> TaskOutcome:
    """Run a task now: its tool with its arguments, or its assistant with its message."""
    options = RunOptions(entry_type="scheduled_task", dry_run=dry_run)
    tool, assistant = task.declared.get("tool"), task.declared.get("assistant")
    try:
        if isinstance(assistant, str) and tool is None:
            message = str(task.declared.get("message") or "")
            answer = ask(tenant, assistant, message, options)
            return TaskOutcome(tenant, task.name, answer=answer, is_chat=True)
        if not isinstance(tool, str) or assistant is not None:
            raise _neither(task)
        args = task.declared.get("args") or {}
        report = workspace.run_tool(tenant, tool, args, options, sink)
    except TmError as problem:
        return TaskOutcome(tenant, task.name, error=problem, is_chat=assistant is not None)
    return TaskOutcome(
        tenant, task.name, result=report.result, error=report.error, log_id=report.log_id
    )


def _neither(task: ScheduledTask) -> ConfigError:
    return ConfigError(
        f"task '{task.name}' names neither a tool nor an assistant, or both",
        code="TM402",
        hint="give it `tool` and `args`, or `assistant` and `message`",
        at=task.at,
    )
