"""The `tm` command for Typer: each command is imported only when it is called."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tm._version import __version__
from tm.cli.overview import MODULES, overview
from tm.cli.usage import taught_usage


class Commands(TyperGroup):
    """The group of all commands; imports a command's module when it is called for."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the commands' names in the order of the help."""
        return list(MODULES)

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """Import and return a command; None for an unknown one."""
        if cmd_name not in MODULES:
            return None
        command = typer.main.get_command(import_module(MODULES[cmd_name]).app)
        command.name = cmd_name
        return command

    def format_help(self, _ctx: Any, formatter: Any) -> None:
        """Write the overview, which is the same where Typer is not asked."""
        formatter.write(overview())

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the words before the command."""
        with taught_usage():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Read the command's own words and run it."""
        with taught_usage():
            return super().invoke(ctx)


app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  Typer calls it with one value
    if wanted:
        typer.echo(f"tm {__version__}")
        raise typer.Exit


@app.callback()
def tm(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Write, run, watch and check LLM tools for many customers."""


def build_command() -> Any:
    """Return the command that reads the words of a command line."""
    return typer.main.get_command(app)


def teach_shells() -> None:
    """Let the command answer a shell that asks what could follow."""
    from typer._completion_classes import completion_init  # shells only

    completion_init()
