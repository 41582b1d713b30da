"""Schemas of arguments as other systems write them, made to JSON Schema that every model takes.

What lives here: one schema at a time, with no `$ref` left to follow outside of it. What must not:
where it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tm.exchange.imported import one_line
from tm.exchange.secret_texts import is_open
from tm.model import Json
from tm.schema.patterns import PatternError, compile_pattern

_TYPES: Final = {
    "dict": "object", "hashmap": "object", "map": "object", "struct": "object", "mapping": "object",
    "float": "number", "double": "number", "decimal": "number",
    "int": "integer", "long": "integer", "short": "integer", "int32": "integer", "int64": "integer",
    "tuple": "array", "list": "array", "arraylist": "array", "set": "array", "sequence": "array",
    "str": "string", "char": "string", "text": "string", "date": "string", "file": "string",
    "bool": "boolean", "none": "null", "nonetype": "null",
}  # fmt: skip
"""Words for types that published lists of tools have, in lower case."""

_KNOWN_TYPES: Final = frozenset(
    {"object", "array", "string", "number", "integer", "boolean", "null"}
)
_ONE: Final = (
    "items", "additionalProperties", "not", "contains", "propertyNames", "if", "then",
    "else",
)  # fmt: skip
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_MAPPINGS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_KEPT: Final = frozenset({
    "type", "enum", "const", "title", "description", "default", "examples", "format", "pattern",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
    "required", "dependentRequired", "deprecated", "readOnly", "$ref",
    *_ONE, *_LISTS, *_MAPPINGS,
})  # fmt: skip
# Numbers, and whole ones, that a keyword must have.
_NUMBERS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS: Final = (
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
)  # fmt: skip
_VALUES: Final = frozenset({"default", "enum", "examples", "const"})
_FIRST: Final = ("type", "description", "enum", "default", "properties", "items", "required")
_DEEPEST: Final = 24


def to_json_schema(schema: object, depth: int = 0) -> Json:
    """Return a schema in the words of JSON Schema 2020-12.

    Types in other words are mapped, `nullable` of OpenAPI 3.0 becomes a type, keywords that no
    validator knows are dropped, and so are values that make a schema invalid.

    Args:
        schema: as it was found; what is no schema allows anything.
        depth: of the schema in the whole; what is too deep allows anything.
    """
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return {}
    found: dict[str, Json] = {}
    for key, value in schema.items():
        if key in _VALUES and not is_open(value):
            continue
        if key in _KEPT and (kept := _value(key, value, depth)) is not None:
            found[key] = kept[0]
    _type(found, schema.get("type"))
    _bounds(found, schema)
    _null(found, schema)
    _required(found, schema)
    if "example" in schema and "examples" not in found and is_open(schema["example"]):
        found["examples"] = [schema["example"]]
    for name, part in found.get("properties", {}).items():
        if isinstance(part, dict):
            part.setdefault("description", f"The {name}.")
    return {key: found[key] for key in sorted(found, key=_place)}


def _place(key: str) -> int:
    """Return where a keyword stands in a schema: first what a reader looks for first."""
    return _FIRST.index(key) if key in _FIRST else len(_FIRST)


def _value(key: str, value: object, depth: int) -> tuple[Json] | None:
    """Return a keyword's value; None where it has to go."""
    if key in _ONE:
        # Before 2020-12, items could be a list: one schema for each position.
        if key == "items" and isinstance(value, list):
            return None
        return (to_json_schema(value, depth + 1),)
    if key in _LISTS:
        many = (
            [to_json_schema(part, depth + 1) for part in value] if isinstance(value, list) else []
        )
        return (many,) if many else None
    if key in _MAPPINGS:
        if not isinstance(value, Mapping):
            return None
        return ({str(name): to_json_schema(part, depth + 1) for name, part in value.items()},)
    return _plain_value(key, value)


def _plain_value(key: str, value: object) -> tuple[Json] | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if key == "description":
        text = one_line(value)
        return (text,) if text else None
    if key == "pattern":
        return (value,) if isinstance(value, str) and _is_usable(value) else None
    if key in {"format", "$ref", "title"}:
        return (value,) if isinstance(value, str) else None
    if key in {"enum", "examples"}:
        return (_unequal(value),) if isinstance(value, list) and value else None
    if key in {"uniqueItems", "deprecated", "readOnly"}:
        return (value,) if isinstance(value, bool) else None
    if key in _COUNTS:
        return (value,) if isinstance(value, int) and is_number and value >= 0 else None
    if key in _NUMBERS:
        return (value,) if is_number and not (key == "multipleOf" and value == 0) else None
    return None if key in {"type", "required"} else (value,)


def _unequal(values: list[Json]) -> list[Json]:
    """Return the values without repetition: JSON Schema wants the values of an enum to differ."""
    found: list[Json] = []
    for value in values:
        if not any(value == other and type(value) is type(other) for other in found):
            found.append(value)
    return found


def _is_usable(pattern: str) -> bool:
    try:
        compile_pattern(pattern)
    except PatternError:
        return False
    return True


def _type(found: dict[str, Json], given: object) -> None:
    """Set the type in the words of JSON Schema; what names none is left out."""
    names = given if isinstance(given, list) else [given]
    known = [name for name in map(_type_name, names) if name]
    if not known:
        if "properties" in found:
            found["type"] = "object"
        return
    unequal = list(dict.fromkeys(known))
    found["type"] = unequal[0] if len(unequal) == 1 else unequal


def _type_name(word: object) -> str | None:
    lower = word.lower() if isinstance(word, str) else ""
    name = _TYPES.get(lower, lower)
    return name if name in _KNOWN_TYPES else None


def _bounds(found: dict[str, Json], schema: Mapping[str, Any]) -> None:
    """Take over the bounds of OpenAPI 3.0, where `exclusiveMinimum` is true or false."""
    for key, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if schema.get(key) is True and bound in found:
            found[key] = found.pop(bound)


def _null(found: dict[str, Json], schema: Mapping[str, Any]) -> None:
    if schema.get("nullable") is not True:
        return
    kind = found.get("type")
    if kind is None:
        return  # anything is allowed already
    names = kind if isinstance(kind, list) else [kind]
    found["type"] = names if "null" in names else [*names, "null"]
    if "enum" in found and None not in found["enum"]:
        found["enum"] = [*found["enum"], None]


def _required(found: dict[str, Json], schema: Mapping[str, Any]) -> None:
    """Set what is required: names that are properties, also where a property says it itself."""
    properties = found.get("properties")
    if not isinstance(properties, dict):
        return
    given = schema.get("required")
    names = [name for name in given if name in properties] if isinstance(given, list) else []
    declared = schema.get("properties")
    for name, part in declared.items() if isinstance(declared, Mapping) else ():
        if isinstance(part, Mapping) and part.get("required") is True:
            names.append(name)
    if names:
        found["required"] = list(dict.fromkeys(names))
