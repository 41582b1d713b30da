"""`tm chat`: talk to an assistant, or ask it once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tm.cli.completions import assistant_names
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.cli.run_chat import run_chat

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm chat -a support                           a conversation; /help shows its commands
  tm chat -a support -m "Where is order 7?"    one question; the answer goes to stdout
  tm chat -a support -m "And now?" --chat c-1  go on with a chat
  tm chat -a support -m "Hi" --script a.jsonl  scripted answers: no server, no key
Exit codes: 0 all well, 1 the model or a check failed, 2 the call or the workspace is wrong."""


class Protocol(StrEnum):
    """How the model is told of its tools."""

    AUTO = "auto"
    TOOLS = "tools"
    JSON_PLAN = "json-plan"


@app.command(epilog=EPILOG)
def chat(  # noqa: PLR0913  one parameter for each option
    *,
    assistant: Annotated[
        str,
        typer.Option(
            "--assistant",
            "-a",
            metavar="NAME",
            autocompletion=assistant_names,
            help="The assistant to talk to.",
        ),
    ],
    message: Annotated[
        str | None,
        typer.Option("--message", "-m", metavar="TEXT", help="Ask this once, instead of talking."),
    ] = None,
    chat_id: Annotated[
        str | None,
        typer.Option("--chat", metavar="ID", help="Continue this chat, or begin one of this name."),
    ] = None,
    user: Annotated[str | None, typer.Option(metavar="ID", help="The user's id, for ctx.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="No tool sends anything that writes.")
    ] = False,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Ask before each call that writes.")
    ] = False,
    script: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Scripted answers (JSON Lines) instead of a model."),
    ] = None,
    expect_calls: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Fail unless these tools are called, in this order."),
    ] = None,
    protocol: Annotated[
        Protocol, typer.Option(help="How the model is told of its tools.")
    ] = Protocol.AUTO,
    live: Annotated[
        bool, typer.Option("--live", help="Run tools live, whatever settings.http says.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the answer.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="The runs' log lines too.")
    ] = False,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,
) -> None:
    """Talk to an assistant; its tools run for it.

    Text comes as it is written; each tool run is a line on stderr. Every message is kept.
    """
    raise typer.Exit(run_chat(locals()))  # its parameters are the options, one to one
