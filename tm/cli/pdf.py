"""`tm pdf`: the texts of PDFs that a chat's tools may be given."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback

if TYPE_CHECKING:
    from tm.store.pdfs import StoredPdfs

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm pdf add invoice.pdf --chat c-17          keep its text, print its key
  tm test-tool classify --chat c-17 --arg text='<PDF:pdf-3f2a>'
  tm pdf list --chat c-17                     what the chat has
  tm pdf rm pdf-3f2a --chat c-17              forget it"""

ADD_EPILOG = """\b
Examples:
  tm pdf add invoice.pdf --chat c-17
  tm pdf add contract.pdf --chat c-17 --password 'letter and spirit'"""

LIST_EPILOG = """\b
Examples:
  tm pdf list --chat c-17     of one chat; the last one is <PDF_CONTENT_AVAILABLE>
  tm pdf list                 of every chat of the tenant"""

SHOW_EPILOG = """\b
Examples:
  tm pdf show pdf-3f2a --chat c-17 | less"""

RM_EPILOG = """\b
Examples:
  tm pdf rm pdf-3f2a --chat c-17"""

Key = Annotated[str, typer.Argument(metavar="KEY", help="As `tm pdf list` shows it.")]
ChatOfKey = Annotated[
    str | None,
    typer.Option("--chat", metavar="ID", help="Default: the only chat that has the key."),
]


@app.callback(epilog=EPILOG)
def pdf() -> None:
    """Keep the texts of PDFs for a chat, where tools get them in the place of placeholders.

    In arguments, <PDF:KEY> becomes the text of that PDF, <PDF_CONTENT_AVAILABLE> that of the one
    added last.
    """


@app.command(epilog=ADD_EPILOG)
def add(  # noqa: PLR0913  one parameter for each option
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The PDF, anywhere.")],
    chat: Annotated[str, typer.Option(metavar="ID", help="The chat that may use it.")],
    password: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Of an encrypted file.")
    ] = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Extract the text of a PDF for one chat and print its key."""
    from tm.cli.pdf_file import read_pdf_file
    from tm.cli.pdf_keys import named_chat
    from tm.pdf.extract import extract_text
    from tm.render.pdf_table import added_lines, damage_note

    call = Call(root=root, tenant=tenant, color=color)
    code, chat_id = call.one_tenant(), named_chat(chat)
    data = read_pdf_file(file)
    found = extract_text(data, name=file.name, password=password)
    if found.damaged_pages:
        call.warn(damage_note(file.name, found.damaged_pages))
    with _texts(call) as texts:
        entry = texts.add(
            data, tenant=code, chat_id=chat_id, file=file.name,
            pages=len(found.pages), text=found.text,
        )  # fmt: skip
    if as_json:
        call.print_json(entry.to_json())
    else:
        call.print_lines(added_lines(entry))


@app.command(name="list", epilog=LIST_EPILOG)
def list_pdfs(
    *,
    chat: Annotated[
        str | None, typer.Option(metavar="ID", help="Only of this chat. Default: of all.")
    ] = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """List the PDFs of a chat or a tenant, in the order in which they were added."""
    from tm.render.pdf_table import list_json, list_lines

    call = Call(root=root, tenant=tenant, color=color)
    with _texts(call) as texts:
        entries = texts.entries(call.one_tenant(), chat)
    if as_json:
        call.print_json(list_json(entries, with_chat=chat is None))
    else:
        call.print_lines(list_lines(entries, width=call.width))


@app.command(epilog=SHOW_EPILOG)
def show(  # noqa: PLR0913  one parameter for each option
    *,
    key: Key,
    chat: ChatOfKey = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Print the text of a PDF."""
    from tm.cli.pdf_keys import chat_of_key
    from tm.render.lines import indented

    call = Call(root=root, tenant=tenant, color=color)
    code = call.one_tenant()
    with _texts(call) as texts:
        text = texts.text(code, chat_of_key(texts, code, key, chat), key) or ""
    if as_json:
        call.print_json({"key": key, "text": text})
    else:
        call.print_lines(indented(text, ""))


@app.command(epilog=RM_EPILOG)
def rm(  # noqa: PLR0913  one parameter for each option
    *,
    key: Key,
    chat: ChatOfKey = None,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Forget the text of a PDF."""
    from tm.cli.pdf_keys import chat_of_key
    from tm.render.lines import line

    call = Call(root=root, tenant=tenant, color=color)
    code = call.one_tenant()
    with _texts(call) as texts:
        chat_id = chat_of_key(texts, code, key, chat)
        texts.remove(code, chat_id, key)
    if as_json:
        call.print_json({"key": key})
    else:
        call.screen.show([line(f"{key} of chat {chat_id} is forgotten")])


@contextmanager
def _texts(call: Call) -> "Iterator[StoredPdfs]":
    """Open the workspace's texts, and let go of the database afterwards."""
    from tm.store.pdfs import StoredPdfs

    texts = StoredPdfs.of_workspace(call.root_folder, call.environ)
    try:
        yield texts
    finally:
        texts.close()
