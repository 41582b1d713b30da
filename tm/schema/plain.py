"""Plain schemas, as nearly all tools have them: judged in one pass, and nothing is built.

A plain schema has only keywords whose meaning is clear at a glance, and nothing is wrong with it:
no fault of `tm.schema.faults`, nothing required that is no property, nothing without a description.
What is not plain is not wrong: it is for the code that looks closely, and that finds the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tm.model import Json

_MOST_LEVELS: Final = 12
_BIG: Final = 2**53

_TYPES: Final = frozenset({"string", "integer", "number", "boolean", "array", "object"})
_TEXTS: Final = ("description", "title", "format")
_COUNTS: Final = (
    "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
)  # fmt: skip
_LIMITS: Final = frozenset({"format", "additionalProperties", *_COUNTS})
"""What a value has to be held against by the code that looks closely."""
_SIMPLE: Final = frozenset({"type", "description"})
_SHAPE: Final = frozenset({"type", "description", "properties", "required", "items", "enum"})
_WORDS: Final = _SHAPE | _LIMITS | {"title"}


def is_plain(parameters: Mapping[str, Any]) -> bool:
    """Say whether the parameters of a tool are plain. False says nothing about them."""
    if not parameters:
        return True
    return parameters.get("type") == "object" and _is_plain(parameters, 0)


def _is_plain(schema: Json, level: int) -> bool:
    if type(schema) is not dict or level > _MOST_LEVELS or not _WORDS.issuperset(schema):
        return False
    kind = schema.get("type")
    if type(kind) is not str or kind not in _TYPES:
        return False
    if _SIMPLE.issuperset(schema):
        return type(schema.get("description", "")) is str
    return _has_plain_words(schema, kind) and _is_plain_below(schema, level)


def _has_plain_words(schema: dict[str, Any], kind: str) -> bool:
    """Say whether the keywords that hold no schema have the form that they should."""
    if any(word in schema and type(schema[word]) is not str for word in _TEXTS):
        return False
    enum = schema.get("enum")
    if "enum" in schema and not (kind == "string" and enum and is_texts(enum)):
        return False
    if _LIMITS.isdisjoint(schema):
        return True
    if type(schema.get("additionalProperties", False)) is not bool:
        return False
    return all(_is_count(schema[word]) for word in _COUNTS if word in schema)


def is_texts(value: Json) -> bool:
    """Say whether a value is a list of texts."""
    return type(value) is list and all(type(item) is str for item in value)


def _is_count(value: Json) -> bool:
    return type(value) is int and 0 <= value < _BIG


def _is_plain_below(schema: dict[str, Any], level: int) -> bool:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if type(properties) is not dict or not is_texts(required):
        return False
    if len(set(required)) < len(required) or not properties.keys() >= set(required):
        return False
    for name, below in properties.items():
        if type(name) is not str or not _is_plain(below, level + 1):
            return False
        if not below.get("description", "").strip():
            return False
    return "items" not in schema or _is_plain(schema["items"], level + 1)


def fits_plain(schema: Mapping[str, Any], value: Json) -> bool:
    """Say whether a value surely fits a plain schema; where this is False it still may.

    Args:
        schema: for which `is_plain` holds, or one below it.
        value: JSON data.
    """
    if not _LIMITS.isdisjoint(schema):
        return False
    kind = schema.get("type", "object")
    if kind == "string":
        return type(value) is str and ("enum" not in schema or value in schema["enum"])
    if kind == "object":
        return _fits_object(schema, value)
    if kind == "array":
        return type(value) is list and _fit_all(schema.get("items"), value)
    if kind == "boolean":
        return type(value) is bool
    is_near = type(value) is int and -_BIG < value < _BIG
    return is_near or (kind == "number" and type(value) is float and -_BIG < value < _BIG)


def _fits_object(schema: Mapping[str, Any], value: Json) -> bool:
    if type(value) is not dict or any(name not in value for name in schema.get("required", ())):
        return False
    properties = schema.get("properties", {})
    return all(
        name in properties and fits_plain(properties[name], below) for name, below in value.items()
    )


def _fit_all(items: Mapping[str, Any] | None, value: list[Json]) -> bool:
    if items is None:
        return not value  # of any kind: they would have to be looked at
    return all(fits_plain(items, below) for below in value)
