"""`tm test-tool`: run tools, and show what happened inside."""

from pathlib import Path
from typing import Annotated

import typer

from tm.cli.completions import case_names, tool_names
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.cli.run_named import run_with_options

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm test-tool getInvoice                         with its args_fixture
  tm test-tool getInvoice --arg id=INV-7          one argument, typed by the schema
  tm test-tool getInvoice --args @invoice.json    from a file; - reads stdin
  tm test-tool placeOrder --dry-run --curl        what would be sent
  tm test-tool 'get*' -t demo --json              many tools, one JSON document
  tm test-tool --all --replay --junit smoke.xml   every case of every tool, for CI
  tm test-tool --since main --jobs 8              what a branch changed
  tm test-tool getInvoice --watch                 again, each time a file is saved
Exit codes: 0 all well, 1 a tool failed, 2 the call or the workspace is wrong."""


@app.command(epilog=EPILOG)
def run_test_tool(  # noqa: PLR0913  one parameter for each option
    *,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            autocompletion=tool_names,
            help="Tools to run; globs such as 'get*' are fine.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Run every tool, with all its cases.")
    ] = False,
    args: Annotated[
        str | None,
        typer.Option(metavar="JSON", help="All arguments: a JSON object, @FILE, or - for stdin."),
    ] = None,
    arg: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="One argument, typed by the schema; KEY:=JSON as JSON. Wins over --args.",
        ),
    ] = None,
    case: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", autocompletion=case_names, help="Run a named case of fixtures."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Send nothing that writes.")] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Run live and write the cassette.")
    ] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="Answer from the cassette; open no connection.")
    ] = False,
    live: Annotated[
        bool, typer.Option("--live", help="Run live, whatever settings.http says.")
    ] = False,
    chat: Annotated[str | None, typer.Option(metavar="ID", help="The chat's id, for ctx.")] = None,
    user: Annotated[str | None, typer.Option(metavar="ID", help="The user's id, for ctx.")] = None,
    session: Annotated[
        str | None, typer.Option(metavar="JSON", help="The chat's session to begin with.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Runs side by side. Default: 1; with --replay one for each processor.",
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only part I of N of the tools, for several machines."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="REF", help="Only tools that changed since a git ref, new ones too."),
    ] = None,
    last_failed: Annotated[
        bool, typer.Option("--last-failed", help="Only what failed when it was run last.")
    ] = False,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Begin no more after the first failure.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Run again what a saved file touches, until Ctrl-C.")
    ] = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a JUnit report too.")
    ] = None,
    update: Annotated[
        bool,
        typer.Option("--update", help="Write results that are not as expected into their cases."),
    ] = False,
    curl: Annotated[
        bool, typer.Option("--curl", help="Also print each request as a curl command on stderr.")
    ] = False,
    isolate: Annotated[
        bool,
        typer.Option("--isolate", help="Run functions in processes that the kernel locks in."),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only the result, and errors.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Debug lines too.")] = False,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Run tools and show what happened inside.

    The result goes to stdout as JSON; log lines, steps and errors go to stderr.
    """
    raise typer.Exit(run_with_options(locals()))  # its parameters are the options, one to one
