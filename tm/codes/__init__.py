"""The pages of `tm explain`, one for each code that tm reports.

What lives here: an explicit catalogue, by family. What must not: the rules themselves. Nothing
on the way of a run imports this package.
"""

from __future__ import annotations

from tm.codes import (
    chat,
    exchanges,
    functions,
    requests,
    runs,
    schemas,
    security,
    surroundings,
    tools,
    workspace,
)
from tm.codes.page import Page, render_page

__all__ = ["Page", "all_pages", "page", "render_page"]

_PAGES = (
    *workspace.PAGES,
    *tools.PAGES,
    *schemas.PAGES,
    *requests.PAGES,
    *functions.PAGES,
    *security.PAGES,
    *chat.PAGES,
    *runs.PAGES,
    *exchanges.PAGES,
    *surroundings.PAGES,
)


def all_pages() -> tuple[Page, ...]:
    """Return every page in the order of the codes."""
    return tuple(sorted(_PAGES, key=lambda page: page.code))


def page(code: str) -> Page | None:
    """Return the page of a code, whatever its letter case; None where there is no such code."""
    wanted = code.strip().upper()
    return next((page for page in _PAGES if page.code == wanted), None)
