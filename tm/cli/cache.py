"""`tm cache`: the index of parsed config files."""

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.render.lines import line

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm cache clear            the next command reads every config file again
  tm cache clear -t demo    only those of one tenant"""


@app.callback(epilog=EPILOG)
def cache() -> None:
    """Clear the index of parsed config files."""


@app.command(epilog=EPILOG)
def clear(
    *,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Forget the index of this workspace; the next command builds it again.

    Needed where TM_ENV=production: there the index is trusted until it is cleared.
    """
    call = Call(root=root, tenant=tenant, color=color)
    removed = call.catalog.clear_cache(call.only_tenant() if tenant else None)
    if as_json:
        call.print_json({"ok": True, "removed": removed})
    else:
        call.print_lines([line(f"the index is cleared ({removed} files removed)")])
