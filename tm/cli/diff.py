"""`tm diff`: what models would see differently since a git ref."""

import sys
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.errors import EXIT_FAILED, EXIT_OK

if TYPE_CHECKING:
    from tm.exchange.changes import Change

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm diff main                         since the branch began
  tm diff HEAD~1 -t demo --json        for scripts
  tm diff origin/main --format github --fail-on risky
Exit codes: 0 nothing that bad, 1 a breaking change (or what --fail-on says), 2 an unknown ref."""


class Format(StrEnum):
    """How the changes are written."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


class FailOn(StrEnum):
    """From which level on the command fails."""

    BREAKING = "breaking"
    RISKY = "risky"
    NEVER = "never"


@app.command(epilog=EPILOG)
def diff(  # noqa: PLR0913  one parameter for each option
    *,
    ref: Annotated[str, typer.Argument(metavar="REF", help="A commit, branch or tag of git.")],
    output: Annotated[
        Format, typer.Option("--format", help="How to write the changes.")
    ] = Format.TEXT,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="From which level on the exit code is 1.")
    ] = FailOn.BREAKING,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Show what changed for models since a git ref, for each assistant.

    Breaking: a tool, an argument or a result field is gone or of another type, or an argument is
    required now. Risky: a description, a prompt, an enum or a limit changed. The rest is harmless.
    """
    call = Call(root=root, tenant=tenant, color=color)
    changes = _changes(call, ref)
    worst = {"breaking": {"breaking"}, "risky": {"breaking", "risky"}, "never": set()}
    ok = not any(change.level in worst[fail_on.value] for change in changes)
    _show(call, changes, ref, Format.JSON if as_json else output, ok=ok)
    raise typer.Exit(EXIT_OK if ok else EXIT_FAILED)


def _changes(call: Call, ref: str) -> "list[Change]":
    """Return what changed, for the chosen tenant or for all.

    Raises:
        UsageError: TM500 for an unknown ref, or without git; TM524 for an unknown tenant.
    """
    from tm.builtin.tools import BUILTINS
    from tm.config.git import Git
    from tm.config.loader import Catalog
    from tm.exchange.changes import compare
    from tm.exchange.revision import check_out_config
    from tm.exchange.views import view_of

    git = Git(call.root_folder, call.environ, asked_by="tm diff")
    commit = git.commit(ref)
    with TemporaryDirectory(prefix="tm-diff-") as folder:
        for path in check_out_config(git, commit, Path(folder)):
            call.warn(f"{path!a} of {ref} is left out: no file of a tenant may have that name")
        before = Catalog(
            Path(folder),
            environ=call.environ,
            cache_dir=Path(folder) / "index",
            builtin=BUILTINS,
        )
        codes = _codes(call, before.tenant_codes())
        return [
            change
            for code in codes
            for change in compare(view_of(before, code), view_of(call.catalog, code))
        ]


def _codes(call: Call, before: list[str]) -> list[str]:
    """Return the tenants to compare; one that is gone counts where it is named, or all are."""
    if call.tenant in before:
        return [call.tenant]
    codes = call.tenants()
    return sorted({*codes, *before}) if codes == call.catalog.tenant_codes() else codes


def _show(call: Call, changes: "list[Change]", ref: str, output: Format, *, ok: bool) -> None:
    from tm.render.changes import (
        change_lines,
        changes_json,
        github_annotations,
    )

    match output:
        case Format.JSON:
            call.print_json(changes_json(changes, ok=ok))
        case Format.GITHUB:
            from tm.render.lint import checkout_prefix  # this format only

            prefix = checkout_prefix(str(call.root_folder), call.environ)
            sys.stdout.write(github_annotations(changes, prefix))
        case Format.TEXT:
            call.print_lines(change_lines(changes, ref))
