"""`tm export`: tool definitions for other systems."""

from enum import StrEnum
from typing import Annotated

import typer

from tm.cli.call import Call
from tm.cli.completions import assistant_names
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.model import Tenant, Tool

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm export --to openai -t demo                      every tool of a tenant
  tm export --to anthropic -t demo -a support        what one assistant's model sees
  tm export --to mcp -t demo > tools.json"""


class Target(StrEnum):
    """Whose document."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    MCP = "mcp"


@app.command(epilog=EPILOG)
def export(  # noqa: PLR0913  one parameter for each option
    *,
    target: Annotated[Target, typer.Option("--to", help="Who is to read the definitions.")],
    assistant: Annotated[
        str | None,
        typer.Option(
            "--assistant",
            "-a",
            metavar="NAME",
            autocompletion=assistant_names,
            help="Only the tools of this assistant.",
        ),
    ] = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,  # it is JSON in any case
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Print the tool definitions of a tenant's own tools, or of one assistant's, as JSON.

    Addresses, mappings, fixtures and code stay here. Files that could not be loaded are named on
    stderr; their tools are missing.
    """
    from tm.exchange.export import export_tools

    call = Call(root=root, tenant=tenant, color=color)
    found = call.catalog.tenant(call.one_tenant())
    tools = _own_tools(call, found) if assistant is None else _tools_of(call, found, assistant)
    call.print_json(export_tools(tools, target.value))


def _own_tools(call: Call, tenant: Tenant) -> list[Tool]:
    call.warn_of_problems(tenant)
    return sorted(tenant.tools.values(), key=lambda tool: tool.name)


def _tools_of(call: Call, tenant: Tenant, name: str) -> list[Tool]:
    """Return an assistant's tools in its own order.

    Raises:
        UsageError: TM524 for an unknown assistant; TM502 for a tool that it names and nobody has.
        ConfigError: its declaration, or the file of one of its tools, is broken.
    """
    assistant = call.catalog.find_assistant(tenant.code, name)
    return [call.catalog.find_tool(tenant.code, tool, fresh=False) for tool in assistant.tools]
