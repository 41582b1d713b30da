"""What changed in what a tool answers, as far as its config tells.

What lives here: the shape of a result out of `mapping`, `expect` and what functions return. What
must not: running anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from tm.exchange.schema_changes import Difference
from tm.model import ABSENT, Json, Tool

Shape: TypeAlias = "Mapping[str, Shape] | str"
"""Result keys to shapes; a text is a kind of value, or the mapping path that a value is from."""

_MARKERS: Final = {"<string>": "string", "<number>": "number", "<date>": "string", "<any>": "any"}


def result_differences(old: Tool, new: Tool) -> Iterator[Difference]:
    """Yield what is gone from the result, what came, and what has another type.

    Compared are the keys of `mapping`, where no function makes another result of them, and the
    results that cases of the same name expect.
    """
    if not _has_functions(old) and not _has_functions(new):
        yield from _mapping_differences(old.mapping, new.mapping, "mapping")
    expected = {case.name: case.expect for case in new.fixtures}
    for case in old.fixtures:
        expect = expected.get(case.name, ABSENT)
        if case.expect is not ABSENT and expect is not ABSENT:
            yield from _value_differences(case.expect, expect, "result")


def _has_functions(tool: Tool) -> bool:
    return tool.postprocess is not None or tool.handler is not None


def _mapping_differences(old: Json, new: Json, path: str) -> Iterator[Difference]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _by_field(old, new, path, _mapping_differences)
        return
    if isinstance(old, str) and isinstance(new, str):
        yield _path_difference(old, new, path)
        return
    yield Difference("breaking", path, f"{_field(path)} has another shape")


def _by_field(
    old: Mapping[str, Json],
    new: Mapping[str, Json],
    path: str,
    compare: Callable[[Json, Json, str], Iterator[Difference]],
) -> Iterator[Difference]:
    """Yield the fields that went and came, and what `compare` finds in those that stayed."""
    for key in [*old, *(key for key in new if key not in old)]:
        place = f"{path}.{key}"
        if key not in new:
            yield Difference("breaking", place, f"{_field(place)} is gone")
        elif key not in old:
            yield Difference("harmless", place, f"{_field(place)} is new")
        else:
            yield from compare(old[key], new[key], place)


def _path_difference(old: str, new: str, path: str) -> Difference:
    if _is_list(old) != _is_list(new):
        now = "a list" if _is_list(new) else "one value"
        return Difference("breaking", path, f"{_field(path)} is {now} now: {new}, it was {old}")
    return Difference("risky", path, f"{_field(path)} is taken from {new}, it was {old}")


def _is_list(path: str) -> bool:
    """Say whether a mapping path gives a list: `*`, a filter or a slice does."""
    return "*" in path or "[?" in path or "[]" in path


def _field(path: str) -> str:
    steps = [step for step in path.split(".")[1:] if step != "*"]
    return f"result field '{'.'.join(steps)}'" if steps else "the result"


def _value_differences(old: Json, new: Json, path: str) -> Iterator[Difference]:
    """Yield what differs in kind between two expected results; other values are no difference."""
    before, after = _kind(old), _kind(new)
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _by_field(old, new, path, _value_differences)
    elif isinstance(old, list) and isinstance(new, list):
        if old and new:
            yield from _value_differences(old[0], new[0], f"{path}.*")
    elif before != after and "any" not in {before, after} and "null" not in {before, after}:
        yield Difference("breaking", path, f"{_field(path)} is {after} now, not {before}")


def _kind(value: Json) -> str:
    if isinstance(value, str):
        return _MARKERS.get(value, "string")
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "a list" if isinstance(value, list) else "a mapping"
