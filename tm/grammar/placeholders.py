"""PDF placeholders in arguments: `<PDF:key>` and `<PDF_CONTENT_AVAILABLE>` (SPEC 7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tm.errors import join_path
from tm.model import Json
from tm.records import record

_PLACEHOLDER: Final = re.compile(r"<PDF:([^<>\n]+)>|<PDF_CONTENT_AVAILABLE>")


@record
class Placeholder:
    """One placeholder that was found in the arguments.

    Attributes:
        path: of the argument that holds it, in dots.
        text: the placeholder as written.
        key: of the PDF; None for `<PDF_CONTENT_AVAILABLE>`.
        chars: length of the text put in; 0 for a miss.
    """

    path: str
    text: str
    key: str | None
    chars: int = 0


@record
class Filled:
    """Arguments with their placeholders filled; hits and misses in the order of the text."""

    args: dict[str, Json]
    hits: tuple[Placeholder, ...] = ()
    misses: tuple[Placeholder, ...] = ()


class _Filler:
    """One pass over the arguments: what was put in is never looked at again."""

    def __init__(
        self, lookup: Callable[[str], str | None], latest: Callable[[], str | None]
    ) -> None:
        self._lookup = lookup
        self._latest = latest
        self.hits: list[Placeholder] = []
        self.misses: list[Placeholder] = []

    def fill(self, value: Json, path: tuple[object, ...]) -> Json:
        """Return the value with every string in it filled; keys stay as they are."""
        if isinstance(value, str):
            return self._fill_text(value, path) if "<PDF" in value else value
        if isinstance(value, dict):
            return {key: self.fill(below, (*path, key)) for key, below in value.items()}
        if isinstance(value, list):
            return [self.fill(below, (*path, index)) for index, below in enumerate(value)]
        return value

    def _fill_text(self, text: str, path: tuple[object, ...]) -> str:
        return _PLACEHOLDER.sub(lambda match: self._replace(match, path), text)

    def _replace(self, match: re.Match[str], path: tuple[object, ...]) -> str:
        key: str | None = match.group(1)
        content = self._latest() if key is None else self._lookup(key)
        if content is None:
            self.misses.append(Placeholder(join_path(path), match.group(), key))
            return match.group()
        self.hits.append(Placeholder(join_path(path), match.group(), key, len(content)))
        return content


def find_pdf_placeholders(value: Json) -> list[str]:
    """Return the placeholders in the strings of a value, as written, however deep."""
    if isinstance(value, str):
        return [hit.group() for hit in _PLACEHOLDER.finditer(value)] if "<PDF" in value else []
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [found for one in below for found in find_pdf_placeholders(one)]


def fill_pdf_placeholders(
    args: dict[str, Json],
    lookup: Callable[[str], str | None],
    latest: Callable[[], str | None],
) -> Filled:
    """Put the text of PDFs in the place of placeholders, in every string however deep.

    Args:
        args: validated arguments; left as they are.
        lookup: gives the text of the PDF with this key, None when the chat has none such.
        latest: gives the text of the chat's last PDF, None when it has none.
    """
    filler = _Filler(lookup, latest)
    filled = {key: filler.fill(value, (key,)) for key, value in args.items()}
    return Filled(filled, tuple(filler.hits), tuple(filler.misses))
