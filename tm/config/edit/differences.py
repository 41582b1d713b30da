"""The differences of two values as edits of the text that holds the first one.

What is equal in both keeps its place, its comments and the way it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tm.config.edit.layout import Entry, Place
from tm.config.edit.written import Writer, block_entry, block_value
from tm.model import Json
from tm.records import record

_SPACE: Final = re.compile(r"(?:\s|#[^\n]*)*")


class NotWrittenOutError(Exception):
    """A value can't be changed where it stands; the text says why."""


class _KeyBeginsItemError(NotWrittenOutError):
    """A key to remove stands behind the dash of its list item, and not on a line of its own."""


@record
class TextEdit:
    """A piece of text that is replaced: from `start` up to `stop`, in characters."""

    start: int
    stop: int
    new: str


def same(left: Json, right: Json) -> bool:
    """Say whether two values are the same JSON: `1` and `true` are not."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


class Differences:
    """Collects the edits of one file."""

    def __init__(self, text: str, writer: Writer) -> None:
        self._text = text
        self._writer = writer

    def edits(self, entry: Entry, old: Json, new: Json, column: int = 0) -> Iterator[TextEdit]:
        """Yield what makes the text of one value read as another.

        Args:
            entry: where it stands.
            old: what stands there now.
            column: of the entry.

        Raises:
            NotWrittenOutError: it is a name or a call, or a key stands elsewhere.
        """
        place = entry.place
        if same(old, new):
            return
        parts = _parts(place, old, new)
        try:
            inside = None if parts is None else list(self._inside(place, *parts))
        except _KeyBeginsItemError:
            inside = None
        yield from [self._replaced(entry, new, column)] if inside is None else inside

    def _inside(
        self, place: Place, old: dict[str | int, Json], new: dict[str | int, Json]
    ) -> Iterator[TextEdit]:
        kept = {entry.key for entry in place.entries if entry.key in new}
        added = {key: value for key, value in new.items() if key not in old}
        if any(key in new and key not in kept for key in old):
            raise NotWrittenOutError("the value is put together from other places")
        for entry in place.entries:
            if entry.key is not None and entry.key in kept:
                yield from self.edits(
                    entry, old[entry.key], new[entry.key], self._column(place, entry)
                )
        yield from self._without(place, new)
        if added:
            yield from self._added(place, added, kept)

    def _column(self, place: Place, entry: Entry) -> int:
        if place.is_block:
            return place.column
        line = self._text[self._text.rfind("\n", 0, entry.start) + 1 :]
        return len(line) - len(line.lstrip(" "))

    def _replaced(self, entry: Entry, new: Json, column: int) -> TextEdit:
        place = entry.place
        if not place.is_literal:
            raise NotWrittenOutError("the value is not written out where it stands")
        between = self._text[entry.value_from : place.start]
        if place.is_block and not between.strip() and "#" not in between:
            # What stood on lines of its own may fit behind the key, and the other way round.
            is_item = isinstance(entry.key, int)
            text = block_entry(None, new, column)[1:] if is_item else block_value(new, column)
            return TextEdit(entry.value_from, place.stop, text)
        gap = " " if place.start == entry.value_from and place.start == place.stop else ""
        return TextEdit(place.start, place.stop, gap + self._writer.value(new, column))

    # -- entries that go

    def _without(self, place: Place, new: dict[str | int, Json]) -> Iterator[TextEdit]:
        """Yield the removal of each run of entries that are not in the new value."""
        entries = place.entries
        number = 0
        while number < len(entries):
            if entries[number].key is None or entries[number].key in new:
                number += 1
                continue
            first = number
            while number < len(entries) and entries[number].key not in new:
                number += 1
            yield self._removed(place, first, number)

    def _removed(self, place: Place, first: int, after: int) -> TextEdit:
        entries = place.entries
        start, stop = entries[first].start, entries[after - 1].place.stop
        if place.is_block:
            begin = self._text.rfind("\n", 0, start) + 1
            if self._text[begin:start].strip():
                raise _KeyBeginsItemError
            return TextEdit(begin, self._line_end(stop) + 1, "")
        if after < len(entries):
            return TextEdit(start, entries[after].start, "")
        return TextEdit(entries[first - 1].place.stop, stop, "")

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end

    # -- entries that come

    def _added(
        self, place: Place, added: dict[str | int, Json], kept: set[str | int]
    ) -> Iterator[TextEdit]:
        keys = [(key if isinstance(key, str) else None, value) for key, value in added.items()]
        last = place.entries[-1]
        if place.is_block:
            # Behind one that stays: the lines of one that goes are taken out whole.
            last = [entry for entry in place.entries if entry.key in kept or entry.key is None][-1]
            lines = [block_entry(key, value, place.column) for key, value in keys]
            pad = "\n" + " " * place.column
            end = self._line_end(last.place.stop)
            yield TextEdit(end, end, "".join(pad + text for text in lines))
            return
        column = self._column(place, last)
        texts = [self._writer.entry(key, value, column) for key, value in keys]
        begin = self._text.rfind("\n", 0, last.start) + 1
        if begin and begin > place.start and not self._text[begin : last.start].strip():
            yield from self._on_lines(last, column, texts)
        else:
            yield TextEdit(last.place.stop, last.place.stop, "".join(f", {t}" for t in texts))

    def _on_lines(self, last: Entry, column: int, texts: list[str]) -> Iterator[TextEdit]:
        """Yield new entries on lines of their own, with a comma behind each as the last had."""
        stop = last.place.stop
        hit = _SPACE.match(self._text, stop)
        after = hit.end() if hit else stop
        has_comma = self._text[after : after + 1] == ","
        pad = "\n" + " " * column
        joined = ",".join(pad + text for text in texts)
        if not has_comma:
            yield TextEdit(stop, stop, ",")
        end = self._line_end(after if has_comma else stop)
        closing = self._text.find("}", after, end) >= 0 or self._text.find("]", after, end) >= 0
        if closing:  # the brace stands on the same line
            end = after + 1 if has_comma else stop
        yield TextEdit(end, end, joined + ("," if has_comma else ""))


def _parts(
    place: Place, old: Json, new: Json
) -> tuple[dict[str | int, Json], dict[str | int, Json]] | None:
    """Return both values by key, or position; None where nothing of the first one stays."""
    if isinstance(old, list) and isinstance(new, list) and place.kind == "list":
        old, new = dict(enumerate(old)), dict(enumerate(new))
    elif not (isinstance(old, dict) and isinstance(new, dict) and place.kind == "mapping"):
        return None
    keys = [entry.key for entry in place.entries]
    stays = any(key is None or key in new for key in keys)
    return (old, new) if stays else None


def applied(text: str, edits: Iterator[TextEdit]) -> str:
    """Return the text with its edits; what another one removes anyway is not edited."""
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.stop)):
        if edit.start < done:
            continue
        parts += (text[done : edit.start], edit.new)
        done = edit.stop
    return "".join((*parts, text[done:]))
