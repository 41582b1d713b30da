"""`tm schedule`: tasks that run by the clock."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from tm.cli.call import RunCall
from tm.cli.completions import task_names
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.errors import EXIT_FAILED, EXIT_OK, ConfigError, UsageError
from tm.render.schedule import TaskRow

if TYPE_CHECKING:
    from tm.model import ScheduledTask, Tenant
    from tm.runner.events import Sink
    from tm.runner.scope import RunOptions
    from tm.runner.tasks import AskAssistant, TaskOutcome
    from tm.store.claims import Claims

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm schedule list -t demo        when each task runs next, and ran last
  tm schedule run nightlyStock    run one now
  tm schedule due                 run what is due; for cron, every minute:
      * * * * * cd /srv/shop && tm schedule due"""


@app.callback(epilog=EPILOG)
def schedule() -> None:
    """List and run the tasks that a tenant declares under `scheduled`."""


@app.command("list", epilog=EPILOG)
def list_tasks(
    *,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """List tasks with the time at which each is due next."""
    from tm.render.schedule import task_lines

    call = RunCall(root=root, tenant=tenant, color=color)
    claims = _claims(call)
    rows = []
    for code in call.tenants():
        found = call.catalog.tenant(code)
        call.warn_of_problems(found)
        rows += [_row(call, found, task, claims) for _, task in sorted(found.scheduled.items())]
    if as_json:
        call.print_json({"tasks": [row.to_json() for row in rows]})
        return
    call.print_lines(task_lines(rows))
    if not rows:
        call.warn("there are no tasks: a task is declared under `scheduled:` of a tenant's file")


@app.command(epilog=EPILOG)
def run(  # noqa: PLR0913  one parameter for each option
    *,
    name: Annotated[
        str, typer.Argument(metavar="NAME", autocompletion=task_names, help="The task.")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Send nothing that writes.")] = False,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Run one task now, whether it is due or not."""
    from tm.grammar.cron_times import minute_of
    from tm.render.failure import error_lines
    from tm.render.schedule import task_outcome_line
    from tm.runner.tasks import find_task, run_task

    call = RunCall(root=root, tenant=tenant, color=color)
    found = _tenant_of(call, name)
    task = find_task(found, name)
    if not dry_run:
        now = call.workspace.clock.now()
        _claims(call).take(found.code, task.name, minute_of(now), now)
    outcome = run_task(
        call.workspace, found.code, task, ask=_ask(call), sink=_sink(call, as_json), dry_run=dry_run
    )
    if outcome.error is not None:
        call.screen.show(error_lines(outcome.error))
    if as_json:
        call.print_json(outcome.to_json())
    else:
        call.screen.show([task_outcome_line(outcome)])
        if outcome.ok:
            call.print_json(outcome.answer if outcome.is_chat else outcome.result)
    raise typer.Exit(EXIT_OK if outcome.error is None else outcome.error.exit_code)


@app.command(epilog=EPILOG)
def due(
    *,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Run every task that is due, each once, however many processes ask.

    Due is a task whose expression matched a minute since its last run, or the present one: what
    was missed is caught up by one run.
    """
    from tm.render.failure import error_lines
    from tm.render.schedule import task_outcome_line

    call = RunCall(root=root, tenant=tenant, color=color)
    outcomes = []
    for outcome in _run_due(call, _sink(call, as_json)):
        outcomes.append(outcome)
        call.screen.show([task_outcome_line(outcome)])
        if outcome.error is not None:
            call.screen.show(error_lines(outcome.error))
    ok = all(outcome.ok for outcome in outcomes)
    if as_json:
        call.print_json({"ok": ok, "tasks": [outcome.to_json() for outcome in outcomes]})
    raise typer.Exit(EXIT_OK if ok else EXIT_FAILED)


def _run_due(call: RunCall, sink: "Sink") -> "Iterator[TaskOutcome]":
    from tm.runner.tasks import run_due

    claims, ask = _claims(call), _ask(call)
    for code in call.tenants():
        tenant = call.catalog.tenant(code)
        call.warn_of_problems(tenant)
        yield from run_due(call.workspace, tenant, claims, ask=ask, sink=sink)


def _row(call: RunCall, tenant: "Tenant", task: "ScheduledTask", claims: "Claims") -> TaskRow:
    """Return a task's row; what is wrong with its declaration is told, and the others listed."""
    from tm.runner.tasks import expression_of, next_run, zone_of

    state = claims.state(tenant.code, task.name)
    last = None if state is None else state.last_run_at
    try:
        zone_name, _ = zone_of(task, tenant.settings)
        due = next_run(task, tenant.settings, call.workspace.clock.now())
        return TaskRow(tenant.code, task.name, expression_of(task), zone_name, due, last)
    except ConfigError as problem:
        call.warn(f"{problem} [{problem.code}]")
        cron, zone = _text(task, "cron"), _text(task, "timezone")
        return TaskRow(tenant.code, task.name, cron, zone, None, last)


def _text(task: "ScheduledTask", key: str) -> str | None:
    value = task.declared.get(key)
    return value if isinstance(value, str) else None


def _claims(call: RunCall) -> "Claims":
    from tm.store.claims import Claims
    from tm.store.tables import open_tables

    return Claims(open_tables(call.root_folder, call.environ, now=call.workspace.clock.now))


def _sink(call: RunCall, as_json: bool) -> "Sink":  # noqa: FBT001  passed on
    from tm.render.live import LiveLog

    return LiveLog(call.screen, least=None if as_json else "info", curl=False)


def _tenant_of(call: RunCall, name: str) -> "Tenant":
    """Return the tenant that is chosen, else the only one that has a task of this name.

    Raises:
        UsageError: several have it; they are listed.
    """
    tenants = [call.catalog.tenant(code) for code in call.tenants()]
    if not tenants:
        raise UsageError("there is no tenant", code="TM524", hint="tm new tenant CODE")
    having = [tenant for tenant in tenants if name in tenant.scheduled]
    if len(having) > 1:
        codes = ", ".join(tenant.code for tenant in having)
        message = f"task {name!a:.80} is in several tenants: {codes}"
        raise UsageError(message, code="TM524", hint="say which one with --tenant CODE")
    if having or len(tenants) == 1:
        return (having or tenants)[0]
    return _nearest(tenants, name)


def _nearest(tenants: "list[Tenant]", name: str) -> "Tenant":
    """Return the tenant whose tasks come nearest to a name that none has."""
    from tm.errors import nearest

    known = {task: tenant for tenant in tenants for task in tenant.scheduled}
    near = nearest(name, sorted(known))
    return known[near[0]] if near else tenants[0]


def _ask(call: RunCall) -> "AskAssistant":
    """Return what asks an assistant once, in a chat of its own."""

    def ask(tenant: str, assistant: str, message: str, options: "RunOptions") -> str:
        from tm.chat.conversation import Chat
        from tm.render.chat import ChatScreen

        screen = ChatScreen(call.screen, None, least="warning")
        with Chat(call.workspace, tenant, assistant, options=options, sink=screen) as chat:
            return chat.ask(message).answer

    return ask
