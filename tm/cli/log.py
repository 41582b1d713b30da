"""`tm log`: the execution log, as a list and one run at a time."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.errors import UsageError


class EntryType(StrEnum):
    """What started a run."""

    CHAT = "chat"
    SCHEDULED_TASK = "scheduled_task"
    CLI = "cli"
    MCP = "mcp"


app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm log                               the newest runs
  tm log --failed --since 2h           what failed in the last two hours
  tm log --tool getInvoice --slower-than 500
  tm log show 17                       one run with its steps, log and nested runs"""

SHOW_EPILOG = """\b
Examples:
  tm log show 17           what happened in run 17
  tm log show 17 --json    all of it, for scripts"""


@app.callback(invoke_without_command=True, epilog=EPILOG)
def log(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    tool: Annotated[str | None, typer.Option(metavar="NAME", help="Runs of this tool.")] = None,
    entry_type: Annotated[EntryType | None, typer.Option(help="What started them.")] = None,
    assistant: Annotated[
        str | None, typer.Option(metavar="NAME", help="Runs for this assistant.")
    ] = None,
    chat: Annotated[str | None, typer.Option(metavar="ID", help="Runs of this chat.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Only runs that failed.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only dry runs.")] = False,
    since: Annotated[
        str | None, typer.Option(metavar="WHEN", help="A date, a time, or a span such as 2h.")
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="WHEN", help="As --since.")] = None,
    slower_than: Annotated[
        float | None, typer.Option(metavar="MS", help="Runs that took longer, in milliseconds.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Rows at most.")] = 50,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # noqa: ARG001  the boundary reads it
) -> None:
    """List past runs of tools, newest first, or show one of them."""
    ctx.obj = call = Call(root=root, tenant=tenant, color=color)
    if ctx.invoked_subcommand is not None:
        return
    wanted = {
        "tool": tool,
        "entry_type": entry_type,
        "assistant": assistant,
        "chat": chat,
        "failed": failed,
        "dry_run": dry_run,
        "slower_than_ms": slower_than,
        "limit": limit,
    }
    list_runs(call, wanted, since=since, until=until, as_json=as_json)


def list_runs(
    call: Call, wanted: dict[str, Any], *, since: str | None, until: str | None, as_json: bool
) -> None:
    """Print the runs that the filters let through.

    Args:
        call: the common options.
        wanted: fields of `Filters`, without tenant and times.
        since: as typed; None: from the beginning.
        until: as typed; None: up to now.
        as_json: print one document instead of a table.

    Raises:
        UsageError: a time that can't be read, an unknown tenant.
    """
    from tm.cli.moments import read_moment  # noqa: PLC0415  `tm log show` needs no times
    from tm.render.log_table import row_lines  # noqa: PLC0415  as above
    from tm.store.rows import Filters  # noqa: PLC0415  `tm log --help` needs no store
    from tm.store.times import utc_now  # noqa: PLC0415  as above

    now = utc_now()
    filters = Filters(
        tenant=call.only_tenant(),
        since=read_moment(since, "--since", now) if since else None,
        until=read_moment(until, "--until", now, is_end=True) if until else None,
        **wanted,
    )
    rows = call.log_reader.entries(filters)
    if as_json:
        call.print_json({"entries": [row.to_json() for row in rows]})
    else:
        call.print_lines(row_lines(rows, call.width))


@app.command(epilog=SHOW_EPILOG)
def show(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    number: Annotated[int, typer.Argument(metavar="ID", help="As `tm log` lists it.")],
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # noqa: ARG001  the boundary reads it
) -> None:
    """Show one run: arguments, result, steps, log lines, and its nested runs as a tree."""
    from tm.render.log_run import run_lines  # noqa: PLC0415  the list needs none of it

    before = ctx.obj  # options may stand before `show` too
    call = Call(root=root or before.root, tenant=tenant or before.tenant, color=color)
    own = call.only_tenant()
    row = call.log_reader.show(number, tenant=own)
    if row is None:
        where = f" of tenant '{own}'" if own else ""
        raise UsageError(
            f"there is no run {number}{where} in the log", code="TM500", hint="tm log lists them"
        )
    if as_json:
        call.print_json(row.to_json())
    else:
        call.print_lines(run_lines(row))
