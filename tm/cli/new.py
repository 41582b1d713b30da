"""`tm new`: begin a tool or a tenant from a template that works."""

import re
from pathlib import Path
from typing import Annotated

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.errors import ConfigError, UsageError, did_you_mean
from tm.render.lines import Span, line

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm new tenant teashop                  a tenant with one tool and one assistant
  tm new tool findTea -t teashop         a tool that is only Python, and runs at once
  tm new tool getOrder --api erp         a tool that asks a declared api"""


@app.callback(epilog=EPILOG)
def new() -> None:
    """Begin a tool or a tenant from a template that lints clean and runs."""


@app.command(epilog=EPILOG)
def tool(  # noqa: PLR0913  one parameter for each option
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the new tool.")],
    api: Annotated[
        str | None, typer.Option("--api", metavar="NAME", help="Ask this declared api.")
    ] = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Write a new tool into a tenant's folder; nothing that exists is touched."""
    from tm.exchange.create import create_files
    from tm.exchange.templates import api_tool, python_tool

    call = Call(root=root, tenant=tenant, color=color)
    code = call.one_tenant()
    check_new_name(call, code, name)
    if api is None:
        files = python_tool(name)
    else:
        check_declared_api(call, code, api)
        files = api_tool(name, api)
    written = create_files(call.root_folder, code, files)
    run = f"tm test-tool {name} -t {code}"
    _tell(call, written, run if api is None else f"{run} --curl", as_json=as_json)
    if not as_json:
        hint = f"and add {name} to an assistant's tools, so that a model sees it"
        call.screen.show([line(Span(hint, "dim"))])


@app.command(epilog=EPILOG)
def tenant(
    *,
    code: Annotated[str, typer.Argument(metavar="CODE", help="Of the new tenant.")],
    root: Root = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Make a tenant with one tool and one assistant; without a workspace, begin one here."""
    from tm.config.discover import is_tenant_code
    from tm.exchange.create import create_files
    from tm.exchange.templates import new_tenant

    call = Call(root=root, color=color)
    if not is_tenant_code(code):
        raise UsageError(
            f"{code!a:.80} can't be a tenant's code",
            code="TM524",
            hint="a code is 1 to 63 of a-z, 0-9, _ and -, and begins with a letter or a digit",
        )
    folder = _root_or_here(call)
    if (folder / "tenants" / code).exists():
        raise UsageError(f"tenant '{code}' exists already; nothing was written", code="TM524")
    written = create_files(folder, code, new_tenant(code))
    _tell(call, written, f"tm test-tool greet -t {code}", as_json=as_json)


def _root_or_here(call: Call) -> Path:
    """Return the workspace's root; where there is none, the folder that was named, or this one."""
    try:
        return call.root_folder
    except UsageError:
        named = call.root or call.environ.get("TM_ROOT")
        return Path(named) if named else Path.cwd()


def check_new_name(call: Call, code: str, name: str) -> None:
    """Refuse a name that models reject, or that a tool of the tenant has.

    Raises:
        UsageError: TM115, TM006.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise UsageError(
            f"{name!a:.80} can't be a tool's name",
            code="TM115",
            hint="a name is 1 to 64 of A-Z, a-z, 0-9, _ and -",
        )
    try:
        found = call.catalog.find_tool(code, name)
    except UsageError:
        return
    except ConfigError as problem:
        message = f"tenant '{code}' has a tool '{name}', in a broken file: {problem}"
        raise UsageError(message, code="TM006") from problem
    if found.home == code:
        raise UsageError(
            f"tenant '{code}' has a tool '{name}' already, in {found.at}; nothing was written",
            code="TM006",
            hint=f"tm show {name} -t {code}",
        )


def check_declared_api(call: Call, code: str, api: str) -> None:
    """Refuse an api that the tenant does not declare.

    Raises:
        UsageError: TM515 with the nearest names.
    """
    known = sorted(call.catalog.apis(code))
    if api not in known:
        near = did_you_mean(api, known) or f"; it declares: {', '.join(known) or 'none'}"
        message = f"tenant '{code}' declares no api {api!a:.80}{near}"
        raise UsageError(message, code="TM515", hint="an api is declared under `apis:` of a file")


def _tell(call: Call, written: list[str], run: str, *, as_json: bool) -> None:
    """Print what was written, and what to type next."""
    if as_json:
        call.print_json({"ok": True, "files": written, "next": run})
        return
    call.print_lines([line(path) for path in written])
    call.screen.show([line(Span("next: ", "dim"), run)])
