"""Gathers pages into one list.

What lives here: where the next page is, and when there is none. What must not: sending (a callable
does it), mapping.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from tm.errors import ToolError
from tm.grammar.dotpath import Path, parse_path
from tm.http.messages import ApiRequest, Response
from tm.model import Json, Pagination

Warn = Callable[[str], None]
_LINK: Final = r"<([^>]*)>((?:[^,\"]|\"[^\"]*\")*)"
_NEXT: Final = r";\s*rel\s*=\s*(?:\"[^\"]*\bnext\b[^\"]*\"|next\b)"


class Page(NamedTuple):
    """One page as it came.

    Attributes:
        url: that answered, filled, for relative links.
    """

    response: Response
    url: str


Send = Callable[[ApiRequest, str | None], Page]
Follow = Callable[[str, str], str | None]
Wanted = tuple[ApiRequest, str | None]


def gather(
    request: ApiRequest, pagination: Pagination, *, send: Send, follow: Follow, warn: Warn
) -> Response:
    """Return the last page's response with the joined list as its body.

    Args:
        request: of the first page.
        pagination: as declared.
        send: sends one page's request; to the second argument instead of its own URL, if any.
        follow: from a page's URL and a link on it to the whole URL that is meant, or None where it
            leads to another origin.
        warn: called with a sentence where pages are missing.

    Raises:
        ToolError: whatever `send` raises.
    """
    pages = _Pages(request, pagination, follow, warn)
    items: list[Json] = []
    response: Response | None = None
    for number, (wanted, link) in enumerate(pages.requests(), 1):
        page = send(wanted, link)
        found = pages.items_of(page)
        if found is None:
            return _without_list(page, response, items, pagination, warn)
        response = page.response
        items += found
        pages.note(page, found)
        if pages.upcoming is not None and number == pagination.max_pages:
            warn(f"stopped after {number} pages (max_pages); there may be more")
            break
    assert response is not None  # noqa: S101  for the type checker: there is a first page
    return response._replace(body=items)


def only_page(response: Response, pagination: Pagination) -> Response:
    """Return a response that stands for all pages, with its elements as its body, if it has any."""
    path = parse_path(pagination.items)
    found = path.find(response.body, status=response.status, headers=response.headers).value
    return response._replace(body=found) if isinstance(found, list) else response


def _without_list(
    page: Page, last: Response | None, items: list[Json], pagination: Pagination, warn: Warn
) -> Response:
    what = f"pagination: {pagination.items!r} is no list in the answer of {page.response.url}"
    if last is None:
        warn(f"{what}; it is taken as it is")
        return page.response
    warn(f"{what}; that page is left out")
    return last._replace(body=items)


class _Pages:
    """The requests of the pages, one after the other."""

    def __init__(
        self, first: ApiRequest, pagination: Pagination, follow: Follow, warn: Warn
    ) -> None:
        self.upcoming: Wanted | None = (first, None)
        self._first = first
        self._pagination = pagination
        self._follow = follow
        self._warn = warn
        self._items: Path = parse_path(pagination.items)
        self._next: Path | None = parse_path(pagination.next) if pagination.next else None
        self._position: int = pagination.start if pagination.kind == "page" else 0
        self._seen: set[str] = set()

    def requests(self) -> Iterator[Wanted]:
        """Yield the first page's request, and each one that `note` found."""
        if self._pagination.kind in {"page", "offset"}:
            self.upcoming = self._at(self._position)
        while self.upcoming is not None:
            request, self.upcoming = self.upcoming, None
            yield request

    def items_of(self, page: Page) -> list[Json] | None:
        """Return a page's elements, or None where there is no list."""
        found = self._find(self._items, page)
        if found is None and page.response.body in ({}, None, []):
            return []  # 204, or nothing at all: an empty page
        return found if isinstance(found, list) else None

    def _find(self, path: Path, page: Page) -> Any:
        response = page.response
        return path.find(response.body, status=response.status, headers=response.headers).value

    def note(self, page: Page, items: list[Json]) -> None:
        """Find out which request comes next, if any."""
        pagination = self._pagination
        if not items:
            return
        if pagination.kind == "page":
            self._position += 1
            self.upcoming = self._at(self._position)
        elif pagination.kind == "offset":
            self._position += pagination.limit or len(items)
            self.upcoming = self._at(self._position)
        elif pagination.kind == "cursor":
            self._note_cursor(page)
        else:
            self._note_link(page)

    def _at(self, position: int) -> Wanted:
        extra: dict[str, Json] = {self._pagination.param or self._pagination.kind: position}
        if self._pagination.limit_param and self._pagination.limit:
            extra[self._pagination.limit_param] = self._pagination.limit
        return self._with(extra)

    def _with(self, extra: dict[str, Json]) -> Wanted:
        return self._first._replace(query={**self._first.query, **extra}), None

    def _note_cursor(self, page: Page) -> None:
        cursor = self._find(self._next, page) if self._next else None
        if cursor is None or cursor is False or cursor == "":
            return
        if not isinstance(cursor, str | int | float):
            raise ToolError(
                f"pagination: {self._pagination.next!r} is no cursor in the answer of "
                f"{page.response.url}",
                code="TM508",
            )
        if self._is_new(str(cursor)):
            self.upcoming = self._with({self._pagination.param or "cursor": cursor})

    def _note_link(self, page: Page) -> None:
        link = self._find(self._next, page) if self._next else next_link(page.response)
        if not isinstance(link, str) or not link.strip():
            return
        self._seen.add(unquote(page.url))
        target = self._follow(page.url, link)
        if target is None:
            self._warn("the next page lies at another origin and is not fetched")
        elif self._is_new(unquote(target)):
            # The link holds the whole query; what the tool gave must not be added again.
            self.upcoming = self._first._replace(query={}), target

    def _is_new(self, key: str) -> bool:
        if key in self._seen:
            self._warn("the next page was fetched before; stopped there")
            return False
        self._seen.add(key)
        return True


def next_link(response: Response) -> str | None:
    """Return the target of the `Link` header with `rel=next` (RFC 8288), or None."""
    for target, parameters in re.findall(_LINK, response.headers.get("link", "")):
        if re.search(_NEXT, parameters, re.IGNORECASE):
            return str(target)
    return None
