"""`tm import`: tools out of other systems' documents."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.errors import UsageError
from tm.render.lines import Span, line

if TYPE_CHECKING:
    from tm.exchange.imported import Imported

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm import openapi orders.json -t shop         a tool for each operation
  tm import openapi big.yaml -t shop --only 'orders*' --api orders
  tm import openai tools.json -t shop           stubs in Python, to be filled
  pbpaste | tm import curl -t shop --name createTicket"""

MAX_BYTES = 50_000_000

Api = Annotated[str | None, typer.Option("--api", metavar="NAME", help="Name of the api.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The document; - reads stdin.")]


@app.callback(epilog=EPILOG)
def import_() -> None:
    """Make tools of other systems' documents; no file that exists is touched."""


@app.command(epilog=EPILOG)
def openapi(  # noqa: PLR0913  one parameter for each option
    *,
    file: File,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Only tools, paths or tags that fit; repeatable."),
    ] = None,
    api: Api = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Make a tool of each operation of an OpenAPI 3 document, and the api that they ask.

    Nothing but the file is read: a `$ref` to another file or address leaves its operation out.
    """
    from tm.exchange.openapi import import_openapi

    call = Call(root=root, tenant=tenant, color=color)
    code = call.one_tenant()
    text = _text(file)
    names = set(call.catalog.tool_names(code))
    apis = set(call.catalog.apis(code))
    found = import_openapi(text, str(file), names, apis, only=tuple(only or ()), api=api)
    _write(call, code, found, as_json=as_json)


@app.command(epilog=EPILOG)
def openai(  # noqa: PLR0913  one parameter for each option
    *,
    file: File,
    api: Annotated[
        str | None,
        typer.Option("--api", metavar="NAME", help="Ask this declared api; default: stubs."),
    ] = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Make tools of definitions for function calling, in OpenAI's, Gemini's or MCP's form."""
    from tm.cli.new import check_declared_api
    from tm.exchange.openai import import_definitions

    call = Call(root=root, tenant=tenant, color=color)
    code = call.one_tenant()
    if api is not None:
        check_declared_api(call, code, api)
    names = set(call.catalog.tool_names(code))
    _write(call, code, import_definitions(_text(file), str(file), names, api=api), as_json=as_json)


@app.command(epilog=EPILOG)
def curl(
    *,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Of the new tool.")],
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Make a tool of a curl command on stdin; tokens in it become variables."""
    from tm.cli.new import check_new_name
    from tm.exchange.curl import import_curl

    call = Call(root=root, tenant=tenant, color=color)
    code = call.one_tenant()
    check_new_name(call, code, name)
    _write(call, code, import_curl(_stdin(), name, call.catalog.apis(code)), as_json=as_json)


def _text(file: Path) -> str:
    """Return the document's text.

    Raises:
        UsageError: TM500, it can't be read, is too large, or is no UTF-8.
    """
    if str(file) == "-":
        return _stdin()
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        message = f"{file.name!a} can't be read: {why}"
        raise UsageError(message, code="TM500") from error
    return _decoded(data, file.name)


def _stdin() -> str:
    return _decoded(sys.stdin.buffer.read(MAX_BYTES + 1), "stdin")


def _decoded(data: bytes, source: str) -> str:
    if len(data) > MAX_BYTES:
        raise UsageError(f"{source} is larger than {MAX_BYTES:,} bytes", code="TM500")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{source} is no UTF-8 text: byte {error.start:,}"
        raise UsageError(message, code="TM500") from error


def _write(call: Call, code: str, found: "Imported", *, as_json: bool) -> None:
    """Write the files of an import, and say what came and what did not."""
    from tm.exchange.create import create_files

    written = create_files(call.root_folder, code, found.files)
    for note in found.notes:
        call.screen.show([line(Span("note: ", "cyan"), note)])
    if as_json:
        call.print_json({
            "ok": True, "tools": list(found.tools), "files": written,
            "variables": list(found.variables), "notes": list(found.notes),
        })  # fmt: skip
        return
    call.print_lines([line(path) for path in written])
    count = f"{len(found.tools)} tool{'s' if len(found.tools) != 1 else ''}"
    files = f"{len(written)} file{'s' if len(written) != 1 else ''}"
    call.screen.show([line(f"{count} in {files}")])
    for variable in found.variables:
        mend = f"echo '{variable}=...' >> tenants/{code}/.env"
        call.screen.show([line(Span("to be set: ", "yellow"), mend)])
    call.screen.show([line(Span("next: ", "dim"), f"tm lint -t {code}")])
