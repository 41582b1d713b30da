"""`tm lint`: finds what is wrong in config files and functions, before they run."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tm.cli.completions import code_list
from tm.cli.options import AsJson, Color, ColorWhen, Root, Traceback
from tm.cli.run_lint import lint_with_options

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm lint                                 every tenant, and the shared tools
  tm lint -t demo --strict                one tenant; warnings fail too
  tm lint tenants/demo/tools              only findings in this folder
  tm lint --since origin/main             what changed, and what that reaches
  tm lint --fix                           mend what can be mended safely
  tm lint --select TM3,TM101 --statistics
  tm lint --format sarif > lint.sarif
  tm lint --baseline lint-baseline.json   only findings that are new
Suppress one with a reason: # tm: ignore[TM202] its caller logs
Exit codes: 0 no errors, 1 errors (with --strict also warnings), 2 the call or the workspace
is wrong. tm explain CODE says more about a code."""


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    GITLAB = "gitlab"
    SARIF = "sarif"
    JUNIT = "junit"


@app.command(epilog=EPILOG)
def lint(  # noqa: PLR0913  one parameter for each option
    *,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help="Only findings in these files and folders."),
    ] = None,
    output_format: Annotated[
        Format | None, typer.Option("--format", help="Default: text.", show_default=False)
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES",
            autocompletion=code_list,
            help="Only these codes or prefixes: TM3,TM101.",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES", autocompletion=code_list, help="All but these codes or prefixes."
        ),
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended safely.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change; write nothing.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="The number of findings of each code.")
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Known findings to leave out; written if missing."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="REF", help="Only what changed since this git ref, and its users."),
    ] = None,
    root: Root = None,
    tenant: Annotated[
        str | None,
        typer.Option("--tenant", "-t", metavar="CODE", help="Only this tenant; default: all."),
    ] = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Find what is wrong in config files and functions, before they run.

    Runs none of the tenants' code and needs no network. The report goes to stdout.
    """
    raise typer.Exit(lint_with_options(locals()))  # its parameters are the options, one to one
