"""`tm explain`: what a code means, why, and how to mend it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tm.cli.call import Call
from tm.cli.completions import code_names
from tm.cli.options import AsJson, Color, ColorWhen, Traceback
from tm.codes import Page, all_pages, page
from tm.errors import UsageError, nearest
from tm.render.pages import index_lines, page_lines

Unused = Annotated[Path | None, typer.Option("--root", hidden=True)]
"""Every command takes these two options; the codes are the same in every workspace."""
UnusedTenant = Annotated[str | None, typer.Option("--tenant", "-t", hidden=True)]

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm explain TM504
  tm explain --all    every code with its title"""


@app.command(epilog=EPILOG)
def explain(  # noqa: PLR0913  one parameter for each option
    *,
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE", autocompletion=code_names, help="TM504, tm504, 504 or http-status."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List all codes with their titles.")] = False,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    root: Unused = None,
    tenant: UnusedTenant = None,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Explain a code: what it means, why it is there, what to do, a bad and a good example."""
    call = Call(color=color)
    if every:
        pages = all_pages()
        if as_json:
            call.print_json({"codes": [_as_json(found) for found in pages]})
        else:
            call.print_lines(index_lines(pages))
        return
    found = _known_page(code)
    if as_json:
        call.print_json(_as_json(found))
    else:
        call.print_lines(page_lines(found))


def _as_json(found: Page) -> dict[str, Any]:
    return {name: getattr(found, name) for name in Page.__annotations__}


def _known_page(code: str | None) -> Page:
    if code is None:
        raise UsageError(
            "no code is named",
            code="TM500",
            hint="give one, such as TM504, or --all",
        )
    found = page(f"TM{code}" if code.isdecimal() else code)
    if found is not None:
        return found
    named = next((known for known in all_pages() if known.name == code.lower()), None)
    if named is not None:
        return named
    near = nearest(code, [known.code for known in all_pages()])
    raise UsageError(
        f"there is no code {code!a}" + (f"; near it: {', '.join(near)}" if near else ""),
        code="TM500",
        hint="tm explain --all lists them",
    )
