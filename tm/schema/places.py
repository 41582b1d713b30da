"""Where things stand in a schema: every subschema with its keys, for findings at their line.

Works on any data, also on a schema that is wrong: what can't be read is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import unquote

from tm.model import Json
from tm.schema.walk import resolve_pointer

Keys: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the root of a schema."""

_MAPPINGS: Final = (
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
)  # fmt: skip
_SINGLES: Final = (
    "items", "additionalProperties", "additionalItems", "unevaluatedProperties",
    "unevaluatedItems", "propertyNames", "contains", "not", "if", "then", "else", "contentSchema",
)  # fmt: skip
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_SAME_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SAME_SINGLES: Final = ("if", "then", "else")
_SAME: Final = frozenset({"$ref", *_SAME_LISTS, *_SAME_SINGLES, "dependentSchemas"})
_ELEMENTS: Final = ("items", "additionalItems", "unevaluatedItems", "contains")

_UNNAMED: Final = ("additionalProperties", "unevaluatedProperties")
_INSIDE: Final = frozenset({*_ELEMENTS, *_UNNAMED, "prefixItems", "patternProperties"})


class Placed(NamedTuple):
    """A schema and the keys that lead to it."""

    keys: Keys
    schema: Json


class Instance(NamedTuple):
    """All schemas that look at one and the same value: its own, `$ref`, `allOf`, `anyOf`, ...

    Attributes:
        name: of the property that the value is; None for elements and for the arguments.
        starts: what names the value, before references and branches are followed.
        parts: those that are mappings, each with its keys.
    """

    name: str | None
    starts: tuple[Placed, ...]
    parts: tuple[Placed, ...]


def subschemas(root: Json) -> Iterator[Placed]:
    """Yield every mapping that stands where a schema may stand, in the order of the text."""
    stack = [Placed((), root)]
    while stack:
        here = stack.pop()
        if isinstance(here.schema, dict):
            yield here
            stack.extend(reversed(list(_below(here))))


def _below(here: Placed) -> Iterator[Placed]:
    for keyword, value in here.schema.items():
        if keyword in _MAPPINGS and isinstance(value, dict):
            yield from (Placed((*here.keys, keyword, name), one) for name, one in value.items())
        elif keyword in _SINGLES and isinstance(value, dict):
            yield Placed((*here.keys, keyword), value)
        elif keyword in _LISTS and isinstance(value, list):
            yield from (Placed((*here.keys, keyword, i), one) for i, one in enumerate(value))


def instances(root: Json) -> Iterator[Instance]:
    """Yield every value that a schema speaks of, once, with all that is said of it."""
    waiting: list[tuple[str | None, tuple[Placed, ...]]] = [(None, (Placed((), root),))]
    seen: set[frozenset[int]] = set()
    while waiting:
        name, starts = waiting.pop()
        key = frozenset(id(start.schema) for start in starts if isinstance(start.schema, dict))
        if key in seen:
            continue
        if key:
            seen.add(key)
        instance = Instance(name, starts, tuple(_same_value(root, starts)))
        yield instance
        waiting.extend(reversed(list(_inside(instance))))


def _same_value(root: Json, starts: Sequence[Placed]) -> Iterator[Placed]:
    """Yield the mappings that look at the same value as the given ones."""
    stack, seen = list(reversed(starts)), set[int]()
    while stack:
        here = stack.pop()
        if not isinstance(here.schema, dict) or id(here.schema) in seen:
            continue
        seen.add(id(here.schema))
        yield here
        stack.extend(reversed(list(_beside(root, here))))


def _beside(root: Json, here: Placed) -> Iterator[Placed]:
    if _SAME.isdisjoint(here.schema):
        return
    ref = here.schema.get("$ref")
    if isinstance(ref, str):
        yield Placed(reference_keys(ref), resolve_pointer(root, ref))
    for keyword in _SAME_LISTS:
        below = here.schema.get(keyword)
        for number, one in enumerate(below if isinstance(below, list) else ()):
            yield Placed((*here.keys, keyword, number), one)
    for keyword in _SAME_SINGLES:
        yield Placed((*here.keys, keyword), here.schema.get(keyword))
    below = here.schema.get("dependentSchemas")
    for name, one in below.items() if isinstance(below, dict) else ():
        yield Placed((*here.keys, "dependentSchemas", name), one)


def reference_keys(ref: str) -> Keys:
    """Return the keys that a local reference names; those of the root for any other."""
    steps = unquote(ref).removeprefix("#/").split("/") if ref.startswith("#/") else []
    named = [step.replace("~1", "/").replace("~0", "~") for step in steps]
    return tuple(int(step) if step.isascii() and step.isdigit() else step for step in named)


def _inside(instance: Instance) -> Iterator[tuple[str | None, tuple[Placed, ...]]]:
    """Yield the values inside a value: its properties by name, and its elements."""
    named: dict[str, list[Placed]] = {}
    for part in instance.parts:
        properties = part.schema.get("properties")
        for name, one in properties.items() if isinstance(properties, dict) else ():
            named.setdefault(name, []).append(Placed((*part.keys, "properties", name), one))
    yield from ((name, tuple(starts)) for name, starts in named.items())
    for part in instance.parts:
        yield from ((None, (one,)) for one in _elements(part))


def _elements(part: Placed) -> Iterator[Placed]:
    """Yield what a schema says of elements and of properties that it does not name."""
    if _INSIDE.isdisjoint(part.schema):
        return
    for keyword in (*_ELEMENTS, *_UNNAMED):
        below: Any = part.schema.get(keyword)
        if isinstance(below, dict):
            yield Placed((*part.keys, keyword), below)
    for keyword in ("prefixItems", "items"):
        below = part.schema.get(keyword)
        for number, one in enumerate(below if isinstance(below, list) else ()):
            yield Placed((*part.keys, keyword, number), one)
    below = part.schema.get("patternProperties")
    for pattern, one in below.items() if isinstance(below, dict) else ():
        yield Placed((*part.keys, "patternProperties", pattern), one)
