"""Filling in defaults (SPEC 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tm.model import ABSENT, Absent, Json
from tm.schema.json_value import copy_json
from tm.schema.walk import same_instance


def mentions_default(schema: Json) -> bool:
    """Tell whether anything in a schema is called `default`; if not, nothing has to be filled."""
    if isinstance(schema, Mapping):
        return "default" in schema or any(map(mentions_default, schema.values()))
    return isinstance(schema, list) and any(map(mentions_default, schema))


def fill_defaults(root: Mapping[str, Any], args: dict[str, Json]) -> None:
    """Put a copy of its default into each absent property, at every depth, in place.

    Holds for properties that surely apply: those of the schema itself, `$ref` and `allOf`; in the
    objects of the value, in the items of its lists, and in objects that a default brought.
    """
    _fill(root, root, args, ())


def _fill(root: Json, schema: Json, value: Json, inside: tuple[int, ...]) -> None:
    if isinstance(value, dict):
        for name, below in _properties(root, schema):
            if name in value:
                _fill(root, below, value[name], inside)
            elif id(below) not in inside:
                default = _default(root, below)
                if default is not ABSENT:
                    value[name] = copy_json(default)
                    _fill(root, below, value[name], (*inside, id(below)))
    elif isinstance(value, list):
        for here in same_instance(root, schema, sure=True):
            if isinstance(here.get("items"), Mapping):
                for element in value:
                    _fill(root, here["items"], element, inside)


def _properties(root: Json, schema: Json) -> Iterator[tuple[str, Json]]:
    for here in same_instance(root, schema, sure=True):
        properties = here.get("properties")
        if isinstance(properties, Mapping):
            yield from properties.items()


def _default(root: Json, schema: Json) -> Json | Absent:
    if isinstance(schema, Mapping) and "default" in schema:
        return schema["default"]
    declared = (
        here["default"] for here in same_instance(root, schema, sure=True) if "default" in here
    )
    return next(declared, ABSENT)
