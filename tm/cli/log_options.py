"""Which runs a subcommand of `tm log` is about: the same options everywhere."""

from enum import StrEnum
from typing import Annotated

import typer

from tm.cli.completions import assistant_names, tool_names


class EntryType(StrEnum):
    """What started a run."""

    CHAT = "chat"
    SCHEDULED_TASK = "scheduled_task"
    CLI = "cli"
    MCP = "mcp"


OfTool = Annotated[
    str | None,
    typer.Option("--tool", metavar="NAME", autocompletion=tool_names, help="Runs of this tool."),
]
OfType = Annotated[EntryType | None, typer.Option("--entry-type", help="What started them.")]
OfAssistant = Annotated[
    str | None,
    typer.Option(
        "--assistant",
        metavar="NAME",
        autocompletion=assistant_names,
        help="Runs for this assistant.",
    ),
]
OfChat = Annotated[str | None, typer.Option("--chat", metavar="ID", help="Runs of this chat.")]
OnlyFailed = Annotated[bool, typer.Option("--failed", help="Only runs that failed.")]
OnlyDryRun = Annotated[bool, typer.Option("--dry-run", help="Only dry runs.")]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="WHEN", help="A date, a time, or a span such as 2h."),
]
Until = Annotated[str | None, typer.Option("--until", metavar="WHEN", help="As --since.")]
SlowerThan = Annotated[
    float | None,
    typer.Option("--slower-than", metavar="MS", help="Runs that took longer, in milliseconds."),
]
Search = Annotated[
    str | None,
    typer.Option(
        "--search", metavar="WORDS", help="Runs whose arguments or result hold all the words."
    ),
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Rows at most.")]
Number = Annotated[int, typer.Argument(metavar="ID", help="As `tm log` lists it.")]
