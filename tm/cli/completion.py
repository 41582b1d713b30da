"""`tm completion`: the lines that teach a shell to complete the words of `tm`."""

import sys
from enum import StrEnum
from typing import Annotated

import typer

from tm.cli.options import Color, ColorWhen, Root, Traceback

app = typer.Typer(rich_markup_mode=None, add_completion=False)

VARIABLE = "_TM_COMPLETE"
"""Set by a shell that asks what could follow; the name is that of the library's own scripts."""

EPILOG = """\b
Examples:
  bash:  echo 'eval "$(tm completion bash)"' >> ~/.bashrc
  zsh:   echo 'eval "$(tm completion zsh)"' >> ~/.zshrc
  fish:  tm completion fish > ~/.config/fish/completions/tm.fish
Then names of tools, tenants, assistants, tasks and codes complete with TAB."""


class Shell(StrEnum):
    """Which shell."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@app.command(epilog=EPILOG)
def completion(
    *,
    shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish", help="The shell.")],
    root: Root = None,  # every command takes it
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Print what makes a shell complete commands, options and names."""
    from typer._completion_shared import (  # no other name is exported
        get_completion_script,
    )

    script = get_completion_script(prog_name="tm", complete_var=VARIABLE, shell=shell.value)
    sys.stdout.write(script + "\n")
