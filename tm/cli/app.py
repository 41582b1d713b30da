"""The `tm` command: which commands there are, each imported only when it is called."""

from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from tm._version import __version__
from tm.cli.usage import taught_usage


class Entry(NamedTuple):
    """A command in the list: its name, the module that holds it, and what a person does with it."""

    name: str
    module: str
    summary: str


SECTIONS: dict[str, tuple[Entry, ...]] = {
    "Run tools": (
        Entry("test-tool", "tm.cli.run_tool", "Run tools and show what happened inside."),
    ),
    "Look at tools": (
        Entry("list", "tm.cli.list_tools", "List the tools of a tenant."),
        Entry("show", "tm.cli.show", "Show one tool, each field with its file and line."),
    ),
    "Find out what happened": (
        Entry("log", "tm.cli.log", "List past runs, or show one with its nested runs."),
        Entry("explain", "tm.cli.explain", "Explain a code such as TM504, with examples."),
    ),
    "Keep house": (Entry("cache", "tm.cli.cache", "Clear the index of parsed config files."),),
}
ENTRIES = {entry.name: entry for entries in SECTIONS.values() for entry in entries}

EPILOG = "Start with: tm list, tm test-tool NAME, tm test-tool --help"


class Commands(TyperGroup):
    """The group of all commands; imports a command's module when it is called for."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the commands' names in the order of the help."""
        return list(ENTRIES)

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """Import and return a command; None for an unknown one."""
        entry = ENTRIES.get(cmd_name)
        if entry is None:
            return None
        command = typer.main.get_command(import_module(entry.module).app)
        command.name = cmd_name
        return command

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write the commands by what a person wants to do, without importing them."""
        width = max(map(len, ENTRIES))
        for title, entries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(e.name.ljust(width), e.summary) for e in entries])

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the words before the command."""
        with taught_usage(ENTRIES):
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Read the command's own words and run it."""
        with taught_usage(ENTRIES):
            return super().invoke(ctx)


app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog=EPILOG,
    subcommand_metavar="COMMAND ...",
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  Typer calls it with one value
    if wanted:
        typer.echo(f"tm {__version__}")
        raise typer.Exit


@app.callback()
def tm(
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Write, run, watch and check LLM tools for many customers."""


def build_command() -> Any:
    """Return the command that reads the words of a command line."""
    return typer.main.get_command(app)
