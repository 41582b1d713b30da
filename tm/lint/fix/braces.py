"""A mapping in braces inside another one, taken out of its braces: Python dicts and YAML flow."""

from __future__ import annotations

from collections.abc import Sequence

from tm.lint.fix.edits import CantFixError, Edit, Offsets
from tm.records import record


@record
class Pair:
    """A key with its value: where the key begins and the value ends, in bytes."""

    name: str
    start: int
    stop: int


@record
class Braces:
    """A mapping in braces, from its `{` up to behind its `}`."""

    start: int
    stop: int
    pairs: Sequence[Pair]


def flattened(
    offsets: Offsets, tool: Braces, function: Braces, dropped: set[str], fixed: set[int]
) -> list[Edit]:
    """Return the edits that take `type` off a tool and its fields out of `function`.

    Args:
        dropped: names under `function` that go.
        fixed: numbers of lines that are not to be moved left.

    Raises:
        CantFixError: where nothing would be left of `function`.
    """
    kept = [pair for pair in function.pairs if pair.name not in dropped]
    if not kept:
        raise CantFixError("its `function` holds nothing but a name")
    key = next(pair for pair in tool.pairs if pair.name == "function")
    head = _removed(offsets, key.start, function.start + 1)
    edits = [head, *drop_pairs(offsets, tool, {"type"}), *drop_pairs(offsets, function, dropped)]
    edits += _tail(offsets, function, is_kept=kept[-1] is function.pairs[-1])
    shift = _shift(offsets, key.start, function)
    return edits + _moved(offsets, (head.stop, function.stop - 1), shift, fixed)


def drop_pairs(offsets: Offsets, braces: Braces, names: set[str]) -> list[Edit]:
    """Return the edits that remove pairs with their commas; a comment behind one stays."""
    return [
        _removed(offsets, pair.start, _behind_comma(offsets, pair.stop))
        for pair in braces.pairs
        if pair.name in names
    ]


def _removed(offsets: Offsets, start: int, stop: int) -> Edit:
    """Return the edit that removes a range and the blanks behind it, or its whole lines."""
    first, last = offsets.whole_line(start, stop)
    if (first, last) == (start, stop):
        while offsets.text[last : last + 1] in {b" ", b"\t"}:
            last += 1
    return Edit(first, last)


def _end(offsets: Offsets, stop: int) -> int:
    """Return the place of what stands behind a value: a comma or the closing brace."""
    return offsets.skip(_behind_brackets(offsets, stop))


def _behind_brackets(offsets: Offsets, stop: int) -> int:
    """Return the place behind a value and the brackets around it."""
    while offsets.text[(after := offsets.skip(stop)) : after + 1] == b")":
        stop = after + 1
    return stop


def _behind_comma(offsets: Offsets, stop: int) -> int:
    """Return the place behind the comma after a value, or behind the value where none is."""
    after = _end(offsets, stop)
    return after + 1 if offsets.text[after : after + 1] == b"," else stop


def _tail(offsets: Offsets, function: Braces, *, is_kept: bool) -> list[Edit]:
    """Return the edits of the closing brace: one comma stays between the pairs.

    Args:
        is_kept: whether the last pair stays; where it goes, so does its comma.
    """
    close, last = function.stop - 1, function.pairs[-1].stop
    has_comma = not is_kept or _behind_comma(offsets, last) != last
    outer = _behind_comma(offsets, function.stop)
    place = _behind_brackets(offsets, last)
    if has_comma:
        return [_removed(offsets, close, outer)]
    if outer == function.stop or b"\n" not in offsets.text[place:close]:
        return [Edit(*offsets.whole_line(close, function.stop))]
    return [Edit(place, place, b","), _removed(offsets, close, outer)]


def _shift(offsets: Offsets, start: int, function: Braces) -> int:
    """Return by how many blanks the lines inside move left."""
    inner = function.pairs[0].start
    if not offsets.is_first(inner) or not offsets.is_first(start):
        return 0
    return max(offsets.indent(inner) - offsets.indent(start), 0)


def _moved(offsets: Offsets, inside: tuple[int, int], shift: int, fixed: set[int]) -> list[Edit]:
    """Return the edits that move the lines of a range left."""
    edits: list[Edit] = []
    for number, start in enumerate(offsets.starts, start=1):
        blanks = min(offsets.indent(start), shift) if inside[0] <= start < inside[1] else 0
        if blanks and number not in fixed:
            edits.append(Edit(start, start + blanks))
    return edits
