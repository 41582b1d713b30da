"""`tm list`: the tools of a tenant, or of all."""

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.render.listing import builtin_lines, tool_lines, tool_rows

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm list                    every tenant's tools
  tm list -t demo            one tenant's, with the shared tools it can call
  tm list -t demo --json     for scripts"""


@app.command(epilog=EPILOG)
def list_tools(
    *,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """List the tools of a tenant with their descriptions; tm's own are named at the end.

    Files that could not be loaded are named on stderr; their neighbours are listed all the same.
    """
    call = Call(root=root, tenant=tenant, color=color)
    tenants = [call.catalog.tenant(code) for code in call.tenants()]
    if as_json:
        call.print_json({"tools": [row for found in tenants for row in tool_rows(found)]})
    else:
        lines = tool_lines(tenants, call.width)
        call.print_lines(lines)
        if not lines:
            call.warn("there are no tools yet: a tool is a YAML file below tenants/CODE/")
        call.screen.show(builtin_lines(tenants))
    for found in tenants:
        call.warn_of_problems(found)
