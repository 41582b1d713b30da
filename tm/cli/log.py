"""`tm log`: the execution log, as a list, one run at a time, and as a tool."""

from typing import Annotated

import typer

from tm.cli.call import Call
from tm.cli.log_options import (
    EntryType,
    Limit,
    Number,
    OfAssistant,
    OfChat,
    OfTool,
    OfType,
    OnlyDryRun,
    OnlyFailed,
    Search,
    Since,
    SlowerThan,
    Until,
)
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback

__all__ = ["EntryType", "app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm log                               the newest runs
  tm log --failed --since 2h           what failed in the last two hours
  tm log --tool getInvoice --slower-than 500
  tm log --search 'INV-7 Adler'        all words, in arguments or results
  tm log show 17                       one run with its steps, log and nested runs
  tm log tail --failed                 failures as they happen"""

SHOW_EPILOG = """\b
Examples:
  tm log show 17           what happened in run 17
  tm log show 17 --json    all of it, for scripts"""

TAIL_EPILOG = """\b
Examples:
  tm log tail                            every run as it ends; Ctrl-C stops it
  tm log tail --failed --json | jq .id   for scripts: one JSON object a line"""

STATS_EPILOG = """\b
Examples:
  tm log stats --since 7d    runs, failures, p50 and p95 of each tool in the last week"""

RERUN_EPILOG = """\b
Examples:
  tm log rerun 17            the same tool, arguments and tenant; a dry run stays one"""

FIXTURE_EPILOG = """\b
Examples:
  tm log to-fixture 17                      as case run-17 of its tool
  tm log to-fixture 17 --name big-order     under a name of your own"""

EXPORT_EPILOG = """\b
Examples:
  tm log export --since 1d > runs.jsonl     one JSON object a line, oldest first"""

PRUNE_EPILOG = """\b
Examples:
  tm log prune --older-than 30d -t demo     the tenant's runs of the last 30 days stay"""


def _call(ctx: typer.Context, root: Root, tenant: TenantCode, color: Color) -> Call:
    """Return the call of a subcommand; common options may stand before it too."""
    before: Call = ctx.obj
    return Call(root=root or before.root, tenant=tenant or before.tenant, color=color)


@app.callback(invoke_without_command=True, epilog=EPILOG)
def log(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    tool: OfTool = None,
    entry_type: OfType = None,
    assistant: OfAssistant = None,
    chat: OfChat = None,
    failed: OnlyFailed = False,
    dry_run: OnlyDryRun = False,
    since: Since = None,
    until: Until = None,
    slower_than: SlowerThan = None,
    search: Search = None,
    limit: Limit = 50,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """List past runs of tools, newest first, or do something with one of them."""
    options = dict(locals())  # its parameters are the options, one to one
    ctx.obj = Call(root=root, tenant=tenant, color=color)
    if ctx.invoked_subcommand is None:
        from tm.cli.run_log import list_with_options  # help needs none of it

        list_with_options(options)


@app.command(epilog=SHOW_EPILOG)
def show(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    number: Number,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Show one run: arguments, result, steps, log lines, and its nested runs as a tree."""
    from tm.cli.run_log import one_row  # help needs none of it

    call = _call(ctx, root, tenant, color)
    row = one_row(call, number)
    if as_json:
        call.print_json(row.to_json())
        return
    from tm.render.log_run import run_lines  # people only

    call.print_lines(run_lines(row))


@app.command(epilog=TAIL_EPILOG)
def tail(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    tool: OfTool = None,
    entry_type: OfType = None,
    assistant: OfAssistant = None,
    chat: OfChat = None,
    failed: OnlyFailed = False,
    dry_run: OnlyDryRun = False,
    since: Since = None,
    until: Until = None,
    slower_than: SlowerThan = None,
    search: Search = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="Past runs to begin with.")
    ] = 10,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Show runs as they end, until Ctrl-C."""
    options = dict(locals())
    from tm.cli.follow_log import follow  # help needs none of it

    follow(_call(ctx, root, tenant, color), options)


@app.command(epilog=STATS_EPILOG)
def stats(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    tool: OfTool = None,
    entry_type: OfType = None,
    assistant: OfAssistant = None,
    chat: OfChat = None,
    failed: OnlyFailed = False,
    dry_run: OnlyDryRun = False,
    since: Since = None,
    until: Until = None,
    slower_than: SlowerThan = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Count runs and failures of each tool, with the durations p50 and p95."""
    options = dict(locals())
    from tm.cli.run_log import show_statistics  # help needs none of it

    show_statistics(_call(ctx, root, tenant, color), options)


@app.command(epilog=RERUN_EPILOG)
def rerun(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    number: Number,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Run the same once more, and show it as `tm test-tool` does."""
    from tm.cli.repeat_log import rerun as run_again  # help needs none of it

    call = _call(ctx, root, tenant, color)
    raise typer.Exit(run_again(call, number, as_json=as_json, traceback=traceback))


@app.command("to-fixture", epilog=FIXTURE_EPILOG)
def to_fixture(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    number: Number,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Of the case; default: run-ID.")
    ] = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Add the run as a named case to its tool's file; everything else in it stays."""
    from tm.cli.repeat_log import to_fixture as add  # help needs none of it
    from tm.render.lines import line

    call = _call(ctx, root, tenant, color)
    case, path = add(call, number, name)
    if as_json:
        call.print_json({"ok": True, "case": case, "path": path})
    else:
        call.print_lines([line(f"added case {case} to {path}")])


@app.command(epilog=EXPORT_EPILOG)
def export(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    tool: OfTool = None,
    entry_type: OfType = None,
    assistant: OfAssistant = None,
    chat: OfChat = None,
    failed: OnlyFailed = False,
    dry_run: OnlyDryRun = False,
    since: Since = None,
    until: Until = None,
    slower_than: SlowerThan = None,
    search: Search = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Only the newest.")
    ] = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: Annotated[bool, typer.Option("--json", help="It is JSON Lines anyway.")] = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Write runs as JSON Lines on stdout, with steps and log lines, oldest first."""
    options = dict(locals())
    from tm.cli.run_log import export as write  # help needs none of it

    write(_call(ctx, root, tenant, color), options)


@app.command(epilog=PRUNE_EPILOG)
def prune(  # noqa: PLR0913  one parameter for each option
    ctx: typer.Context,
    *,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="SPAN", help="30d, 12h, ...; 0d: all of them.")
    ],
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Delete a tenant's old runs."""
    from tm.cli.run_log import prune as delete  # help needs none of it

    delete(_call(ctx, root, tenant, color), older_than, as_json=as_json)
