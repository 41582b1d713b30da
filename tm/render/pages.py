"""The pages of `tm explain`, and their index."""

from __future__ import annotations

from collections.abc import Sequence

from tm.codes import Page, render_page
from tm.render.lines import Line, Span, columns, line


def page_lines(page: Page) -> list[Line]:
    """Return a page, its headings and examples marked."""
    return [line(Span(row, _style(row))) for row in render_page(page).rstrip("\n").split("\n")]


def index_lines(pages: Sequence[Page]) -> list[Line]:
    """Return one line for each code: severity, name, title."""
    rows = columns((page.code, page.severity, page.name, page.title) for page in pages)
    return [
        line(
            Span(code, "bold"),
            Span(severity, "yellow" if severity.startswith("warning") else ""),
            name,
            Span(title, "dim"),
        )
        for code, severity, name, title in rows
    ]


def _style(row: str) -> str:
    if row.startswith("#"):
        return "bold"
    return "cyan" if row.startswith("    ") else ""
