"""JSON Schema written as the subset that Gemini's `parameters` takes.

Gemini's Schema is OpenAPI's, not JSON Schema: one type, `nullable`, no `$ref`, no `const`. What it
has no word for is left out; the tool's own schema still checks the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tm.model import Json
from tm.schema.walk import resolve_pointer

_KEPT: Final = frozenset(
    {"type", "title", "description", "nullable", "enum", "format", "default", "example", "pattern"}
    | {"required", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
    | {"minProperties", "maxProperties"}
)
_FORMATS: Final = frozenset({"date-time", "enum", "int32", "int64", "float", "double"})
_DEEPEST: Final = 24


def gemini_schema(root: Mapping[str, Json]) -> dict[str, Json]:
    """Return a JSON Schema as Gemini takes it.

    `$ref` is written out; where a schema holds itself, an object without properties stands in.
    """
    return _convert(root, root, (), 0)


def _convert(
    schema: Json, root: Mapping[str, Json], seen: tuple[str, ...], depth: int
) -> dict[str, Json]:
    if not isinstance(schema, Mapping):
        return {}
    if depth > _DEEPEST:
        return {"type": "object"}
    ref = schema.get("$ref")
    if isinstance(ref, str):
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        if ref in seen:
            return _convert({"type": "object", **rest}, root, seen, depth + 1)
        target = resolve_pointer(root, ref)
        merged = {**target, **rest} if isinstance(target, Mapping) else rest
        return _convert(merged, root, (*seen, ref), depth + 1)
    converted = {key: value for key, value in schema.items() if key in _KEPT}
    _convert_type(schema, converted)
    _convert_below(schema, converted, root, seen, depth)
    return converted


def _convert_type(schema: Mapping[str, Json], converted: dict[str, Json]) -> None:
    if "const" in schema:
        converted["enum"] = [schema["const"]]
    if not all(isinstance(value, str) for value in converted.get("enum", [])):
        # Gemini has enums of strings only; the values go into the description.
        listed = ", ".join(str(value) for value in converted.pop("enum"))
        converted["description"] = f"{converted.get('description', '')} One of: {listed}.".strip()
    if converted.get("format") not in _FORMATS:
        converted.pop("format", None)
    types = schema.get("type")
    if isinstance(types, list):
        _convert_type_list(types, converted)


def _convert_type_list(types: list[Json], converted: dict[str, Json]) -> None:
    named = [name for name in types if name != "null"]
    converted.pop("type")
    if len(named) < len(types):
        converted["nullable"] = True
    if len(named) == 1:
        converted["type"] = named[0]
    elif named:
        converted["anyOf"] = [{"type": name} for name in named]


def _convert_below(
    schema: Mapping[str, Json],
    converted: dict[str, Json],
    root: Mapping[str, Json],
    seen: tuple[str, ...],
    depth: int,
) -> None:
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        converted["properties"] = {
            name: _convert(below, root, seen, depth + 1) for name, below in properties.items()
        }
    if isinstance(schema.get("items"), Mapping):
        converted["items"] = _convert(schema["items"], root, seen, depth + 1)
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            branches = [_convert(below, root, seen, depth + 1) for below in schema[keyword]]
            plain = [branch for branch in branches if branch != {"type": "null"}]
            if len(plain) < len(branches):
                converted["nullable"] = True
            converted["anyOf"] = plain
