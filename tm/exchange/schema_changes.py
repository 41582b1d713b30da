"""What changed between two schemas of arguments, and whether calls that were right still are.

What lives here: the comparison of JSON Schemas, keyword by keyword. What must not: tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tm.model import Json

Level: TypeAlias = Literal["breaking", "risky", "harmless"]


class Difference(NamedTuple):
    """One difference of two definitions.

    Attributes:
        path: in dots, of what changed within the definition.
        message: in words.
    """

    level: Level
    path: str
    message: str


_TOP: Final = "parameters"
_ALL_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
# Values may only get smaller, or larger, without refusing what was allowed.
_UPPER: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_LOWER: Final = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_NARROWING: Final = (
    "pattern", "format", "const", "multipleOf", "uniqueItems", "allOf", "anyOf", "oneOf", "not",
    "if", "then", "else", "$ref", "$defs", "definitions", "prefixItems", "contains",
    "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas",
    "unevaluatedProperties", "unevaluatedItems",
)  # fmt: skip
_WORDS: Final = ("title", "examples", "deprecated", "$comment")


def schema_differences(old: Json, new: Json, path: str = _TOP) -> Iterator[Difference]:
    """Yield what changed between two schemas.

    Breaking is what refuses a call that was right before; risky what a model may read another
    way, or what refuses some calls; harmless is the rest.

    Args:
        old: a schema: a mapping, or true or false.
        new: as it is now.
        path: of the schema within the definition.
    """
    if old == new:
        return
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        level: Level = "breaking" if new is False else "risky"
        yield Difference(level, path, f"{_named(path)} has another schema")
        return
    yield from _type(old, new, path)
    yield from _properties(old, new, path)
    yield from _enum(old, new, path)
    yield from _bounds(old, new, path)
    yield from _keywords(old, new, path)
    if "items" in old or "items" in new:
        items = schema_differences(old.get("items", True), new.get("items", True), f"{path}.items")
        yield from items


def _named(path: str) -> str:
    """Return a schema's path in words: the argument that it is of."""
    steps = [step for step in path.split(".") if step not in {"parameters", "properties"}]
    return f"argument '{'.'.join(steps)}'" if steps else "the arguments"


def _type(old: Mapping[str, Json], new: Mapping[str, Json], path: str) -> Iterator[Difference]:
    before, after = _types(old), _types(new)
    if before == after:
        return
    is_wider = before <= after
    said = f"{_named(path)} is {_types_in_words(after)} now, not {_types_in_words(before)}"
    yield Difference("harmless" if is_wider else "breaking", f"{path}.type", said)


def _types(schema: Mapping[str, Json]) -> frozenset[str]:
    """Return the types that a schema allows; an integer is a number too."""
    kind = schema.get("type")
    if kind is None:
        return _ALL_TYPES
    names = frozenset(map(str, kind)) if isinstance(kind, list) else frozenset({str(kind)})
    return names | {"integer"} if "number" in names else names


def _types_in_words(names: frozenset[str]) -> str:
    if names == _ALL_TYPES:
        return "of any type"
    shown = names - {"integer"} if "number" in names else names
    return " or ".join(sorted(shown))


def _properties(
    old: Mapping[str, Json], new: Mapping[str, Json], path: str
) -> Iterator[Difference]:
    before, after = _mapping(old, "properties"), _mapping(new, "properties")
    needed_before, needed = _required(old), _required(new)
    for name in [*before, *(name for name in after if name not in before)]:
        place = f"{path}.properties.{name}"
        if name not in after:
            yield _gone(_others(new, path), place)
            continue
        if name in needed and name not in needed_before:
            word = "is required now" if name in before else "is new and required"
            yield Difference("breaking", place, f"{_named(place)} {word}")
        elif name not in before:
            yield Difference("harmless", place, f"{_named(place)} is new and optional")
        elif name in needed_before and name not in needed:
            yield Difference("harmless", place, f"{_named(place)} is optional now")
        if name in before:
            yield from schema_differences(before[name], after[name], place)
    yield from _closed(old, new, path)


def _gone(others: Json, place: str) -> Difference:
    """Return what a missing property means: where others are refused, calls with it fail."""
    if others is False:
        return Difference("breaking", place, f"{_named(place)} is gone, and is refused now")
    return Difference("risky", place, f"{_named(place)} is gone")


def _others(schema: Mapping[str, Json], path: str) -> Json:
    """Return the schema of what no property names; the arguments are closed by themselves."""
    return schema.get("additionalProperties", path != _TOP)


def _closed(old: Mapping[str, Json], new: Mapping[str, Json], path: str) -> Iterator[Difference]:
    before, after = _others(old, path), _others(new, path)
    if before == after:
        return
    place = f"{path}.additionalProperties"
    if after is False:
        said = f"{_named(path)}: what no property names is refused now"
        yield Difference("breaking", place, said)
    elif before is False or after is True:
        said = f"{_named(path)}: other properties are allowed now"
        yield Difference("harmless", place, said)
    else:
        said = f"{_named(path)}: other properties have another schema"
        yield Difference("risky", place, said)


def _mapping(schema: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = schema.get(key)
    return value if isinstance(value, Mapping) else {}


def _required(schema: Mapping[str, Json]) -> frozenset[str]:
    value = schema.get("required")
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset()


def _enum(old: Mapping[str, Json], new: Mapping[str, Json], path: str) -> Iterator[Difference]:
    before, after = old.get("enum"), new.get("enum")
    if before == after:
        return
    gone = [value for value in before or [] if after is not None and value not in after]
    more = [value for value in after or [] if before is not None and value not in before]
    parts = [f"no longer takes {_listed(gone)}"] * bool(gone)
    parts += [f"takes {_listed(more)} too"] * bool(more)
    if before is None:
        parts = [f"takes only {_listed(after)} now"]
    elif after is None:
        parts = ["takes any value now"]
    said = f"{_named(path)} {' and '.join(parts) or 'has its values in another order'}"
    yield Difference("risky" if parts else "harmless", f"{path}.enum", said)


def _listed(values: Any) -> str:
    shown = ", ".join(repr(value) for value in list(values)[:5])
    return shown + (", ..." if len(values) > 5 else "")


def _bounds(old: Mapping[str, Json], new: Mapping[str, Json], path: str) -> Iterator[Difference]:
    for key in (*_UPPER, *_LOWER):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        is_wider = after is None or (
            before is not None and (after > before if key in _UPPER else after < before)
        )
        said = f"{_named(path)}: {key} is {_shown(after)}, it was {_shown(before)}"
        yield Difference("harmless" if is_wider else "risky", f"{path}.{key}", said)


def _shown(value: Json) -> str:
    return "not set" if value is None else repr(value)


def _keywords(old: Mapping[str, Json], new: Mapping[str, Json], path: str) -> Iterator[Difference]:
    """Yield what changed in keywords that are compared as a whole."""
    if old.get("description") != new.get("description"):
        said = f"the description of {_named(path)} changed"
        yield Difference("risky", f"{path}.description", said)
    if old.get("default") != new.get("default"):
        said = f"{_named(path)}: the default is {_shown(new.get('default'))}"
        yield Difference("risky", f"{path}.default", said)
    for key in _NARROWING:
        if old.get(key) != new.get(key):
            is_wider = key not in new and not key.startswith("$")
            said = f"{_named(path)}: {key} changed"
            yield Difference("harmless" if is_wider else "risky", f"{path}.{key}", said)
    for key in _WORDS:
        if old.get(key) != new.get(key):
            yield Difference("harmless", f"{path}.{key}", f"{_named(path)}: {key} changed")
