"""Where the values of a file stand in its text: the same tree for YAML and for Python literals."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, Literal

from tm.config.scalars import MERGE
from tm.config.yaml_source import Node
from tm.records import record

_COLON: Final = re.compile(r"\s*:")
_LITERALS: Final = (ast.Constant, ast.Dict, ast.List, ast.Tuple, ast.UnaryOp, ast.JoinedStr)


@record
class Entry:
    """One entry of a mapping or list.

    Attributes:
        key: None for what is no plain key, such as a merge.
        start: where its key, or its dash, begins; in characters.
        value_from: right behind its colon or dash.
    """

    key: str | int | None
    start: int
    value_from: int
    place: Place


@record
class Place:
    """Where a value stands.

    Attributes:
        start, stop: its first character, and the one behind its last.
        is_block: written by indentation, in YAML.
        column: of its entries, where it is a block.
        is_literal: written out here, so that it may be replaced.
    """

    kind: Literal["mapping", "list", "other"]
    start: int
    stop: int
    is_block: bool = False
    column: int = 0
    is_literal: bool = True
    entries: tuple[Entry, ...] = ()


def yaml_place(text: str, node: Node, *, empty_at: int = 0) -> Place:
    """Return where a composed YAML node stands.

    Args:
        empty_at: where a value that is not written at all would stand.
    """
    start, stop = node.start_mark.index, node.end_mark.index
    if node.id == "scalar":
        if start == stop:
            return Place("other", empty_at, empty_at)
        return Place("other", start, len(text[:stop].rstrip()) if node.style in "|>" else stop)
    entries = tuple(_yaml_entries(text, node))
    kind: Literal["mapping", "list"] = "mapping" if node.id == "mapping" else "list"
    if node.flow_style or not entries:
        return Place(kind, start, stop, entries=entries)
    first = entries[0].start
    column = first - (text.rfind("\n", 0, first) + 1)
    stop = entries[-1].place.stop
    return Place(kind, start, stop, is_block=True, column=column, entries=entries)


def _yaml_entries(text: str, node: Node) -> Iterator[Entry]:
    if node.id == "mapping":
        for key, value in node.value:
            colon = _COLON.match(text, key.end_mark.index)
            after = colon.end() if colon else key.end_mark.index
            name = None if key.tag is MERGE or key.id != "scalar" else key.value
            place = yaml_place(text, value, empty_at=after)
            yield Entry(name, key.start_mark.index, after, place)
        return
    done = node.start_mark.index
    for number, item in enumerate(node.value):
        start = item.start_mark.index
        dash = start if node.flow_style else text.find("-", done)
        place = yaml_place(text, item, empty_at=dash + 1)
        yield Entry(number, dash, dash if node.flow_style else dash + 1, place)
        done = place.stop


class PythonPlaces:
    """Where the literals of a Python file stand."""

    def __init__(self, text: str) -> None:
        self._lines = text.encode().split(b"\n")
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def place(self, node: ast.expr) -> Place:
        """Return where an expression stands."""
        start = self._offset(node.lineno, node.col_offset)
        stop = self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        if isinstance(node, ast.Dict):
            return Place("mapping", start, stop, entries=tuple(self._pairs(node)))
        if isinstance(node, ast.List):
            entries = tuple(self._items(node))
            return Place("list", start, stop, entries=entries)
        return Place("other", start, stop, is_literal=isinstance(node, _LITERALS))

    def _pairs(self, node: ast.Dict) -> Iterator[Entry]:
        for key, value in zip(node.keys, node.values, strict=True):
            place = self.place(value)
            name = key.value if isinstance(key, ast.Constant) else None
            start = place.start if key is None else self.place(key).start
            yield Entry(name if isinstance(name, str) else None, start, place.start, place)

    def _items(self, node: ast.List) -> Iterator[Entry]:
        is_plain = not any(isinstance(item, ast.Starred) for item in node.elts)
        for number, item in enumerate(node.elts):
            place = self.place(item)
            yield Entry(number if is_plain else None, place.start, place.start, place)

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1][:column].decode())
