"""PDFs of chats as a table, and as rows for `--json`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from tm.render.lines import Line, Span, columns, line
from tm.store.pdfs import PdfEntry

_HEAD = ("key", "chat", "pages", "characters", "added", "file")
_MIN_FILE = 12
_NARROW = 80
_SHOWN_PAGES = 10


def added_lines(entry: PdfEntry) -> list[Line]:
    """Return the key, and below it what it stands for."""
    return [
        line(Span(entry.key, "bold cyan")),
        line(
            Span(
                f"{entry.file}, {_counted(entry.pages, 'page')}, "
                f"{_counted(entry.chars, 'character')}; "
                f"use it as <PDF:{entry.key}> with --chat {entry.chat_id}",
                "dim",
            )
        ),
    ]


def list_json(entries: Sequence[PdfEntry], *, with_chat: bool) -> dict[str, Any]:
    """Return the document of `tm pdf list --json`; a list of all chats says whose each is."""
    rows = [{**entry.to_json(), "added_at": entry.added_at} for entry in entries]
    if with_chat:
        rows = [{**row, "chat": entry.chat_id} for row, entry in zip(rows, entries, strict=True)]
    return {"pdfs": rows}


def list_lines(entries: Sequence[PdfEntry], *, width: int | None) -> list[Line]:
    """Return one line for each PDF, below a line of headings; one that says so where none is.

    Args:
        entries: in the order to be shown.
        width: columns of the terminal, at which file names are cut; None: whole, for pipes.
    """
    if not entries:
        return [line(Span("no PDFs; tm pdf add FILE --chat ID adds one", "dim"))]
    is_narrow = width is not None and width < _NARROW
    cells = [_HEAD, *(_cells(entry) for entry in entries)]
    head, *rows = columns([_without_time(row) for row in cells] if is_narrow else cells)
    return [
        line(Span("".join(head), "dim")),
        *(line(Span(row[0], "cyan"), *row[1:-1], _cut(row, width)) for row in rows),
    ]


def damage_note(file: str, pages: Sequence[int]) -> str:
    """Return the warning that names the pages which could not be read."""
    shown = ", ".join(map(str, pages[:_SHOWN_PAGES]))
    more = f" and {len(pages) - _SHOWN_PAGES} more" if len(pages) > _SHOWN_PAGES else ""
    word = "page" if len(pages) == 1 else "pages"
    return f"{file}: {word} {shown}{more} could not be read; a note stands in the text instead"


def _cells(entry: PdfEntry) -> tuple[str, ...]:
    added = datetime.fromisoformat(entry.added_at).astimezone()
    return (
        entry.key,
        entry.chat_id,
        f"{entry.pages:,}",
        f"{entry.chars:,}",
        f"{added:%Y-%m-%d %H:%M:%S}",
        entry.file,
    )


def _without_time(row: tuple[str, ...]) -> tuple[str, ...]:
    """Return a row for a narrow terminal: the file's name says more than when it came."""
    return (*row[:4], row[-1])


def _cut(row: tuple[str, ...], width: int | None) -> str:
    file = row[-1]
    if width is None:
        return file
    room = max(width - sum(map(len, row[:-1])), _MIN_FILE)
    return file if len(file) <= room else file[: room - 1] + "…"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
