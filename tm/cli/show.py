"""`tm show`: one tool as it is after `extends`, or as a model sees it."""

from enum import StrEnum
from typing import Annotated

import typer

from tm.cli.call import Call
from tm.cli.completions import tool_names
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.model import Tool
from tm.render.lines import Span, line
from tm.render.origin import field_lines, fields_json

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm show getInvoice                 each field, with the file and line it comes from
  tm show getInvoice --for openai    what a model gets, and how many tokens it costs"""


class Kind(StrEnum):
    """Whose form of a tool definition."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    MCP = "mcp"


@app.command(epilog=EPILOG)
def show(  # noqa: PLR0913  one parameter for each option
    *,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            autocompletion=tool_names,
            help="The tool.",
        ),
    ],
    kind: Annotated[
        Kind | None, typer.Option("--for", help="Show the definition that this model gets.")
    ] = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Show one tool as it is after extends, each field with its file and line."""
    call = Call(root=root, tenant=tenant, color=color)
    tool = call.catalog.find_tool(call.tenant_for(name), name)
    if kind is not None:
        _show_definition(call, tool, kind)
    elif as_json:
        call.print_json(fields_json(tool))
    else:
        call.print_lines(field_lines(tool))


def _show_definition(call: Call, tool: Tool, kind: Kind) -> None:
    """Print the definition on stdout and its size on stderr, so that stdout stays JSON."""
    from tm.schema.function_tool import for_model, token_estimate  # only for --for

    definition = for_model(tool, kind.value)
    call.print_json(definition)
    tokens = token_estimate(definition)
    call.screen.show([line(Span(f"about {tokens} tokens as {kind.value} gets it", "dim"))])
