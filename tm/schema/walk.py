"""Walking a schema without a validator: local references, the names and types it allows.

Works on any data, also on a schema that is wrong: what can't be read is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

from tm.errors import did_you_mean
from tm.model import ABSENT, Absent, Json

SAME_INSTANCE_LISTS: Final = ("allOf", "anyOf", "oneOf")
SAME_INSTANCE_SINGLES: Final = ("if", "then", "else")
SAME_INSTANCE_MAPPINGS: Final = ("dependentSchemas", "dependencies")


JSON_TYPES: Final = ("string", "integer", "number", "boolean", "array", "object", "null")
_TYPES_ELSEWHERE: Final = {
    "str": "string", "text": "string", "char": "string", "date": "string", "datetime": "string",
    "int": "integer", "long": "integer", "float": "number", "double": "number", "decimal": "number",
    "bool": "boolean", "list": "array", "tuple": "array", "set": "array", "dict": "object",
    "map": "object", "hashmap": "object", "mapping": "object", "none": "null", "nil": "null",
}  # fmt: skip


def type_hint(name: str) -> str:
    """Return `; did you mean 'x'?` for a word that is no JSON type, or an empty text."""
    known = _TYPES_ELSEWHERE.get(name.lower())
    return f"; did you mean '{known}'?" if known else did_you_mean(name, JSON_TYPES)


def resolve_pointer(root: Json, ref: str) -> Json | Absent:
    """Follow a local reference (`#`, `#/$defs/x`); `ABSENT` for any other and for a dead end."""
    if ref in {"#", ""}:
        return root
    if not ref.startswith("#"):
        return ABSENT
    if not ref.startswith("#/"):
        return _find_anchor(root, ref[1:])
    here: Json = root
    for raw in unquote(ref[2:]).split("/"):
        step = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(here, Mapping):
            here = here.get(step, ABSENT)
        elif isinstance(here, list) and step.isascii() and step.isdigit() and len(step) < 10:
            here = here[int(step)] if int(step) < len(here) else ABSENT
        else:
            return ABSENT
    return here


def _find_anchor(schema: Json, name: str) -> Json | Absent:
    if isinstance(schema, Mapping):
        # Draft 7 writes an anchor as `$id: "#name"`.
        if schema.get("$anchor") == name or schema.get("$id") == f"#{name}":
            return schema
        below: Iterable[Json] = schema.values()
    else:
        below = schema if isinstance(schema, list) else ()
    found = (_find_anchor(value, name) for value in below)
    return next((value for value in found if value is not ABSENT), ABSENT)


def same_instance(root: Json, schema: Json, *, sure: bool = False) -> Iterator[Mapping[str, Any]]:
    """Yield the schema and all that look at the same value: `$ref`, `allOf`, `anyOf`, ...

    Args:
        root: what references start from.
        schema: where to start.
        sure: only those that always hold: `$ref` and `allOf`.
    """
    seen: set[int] = set()
    stack: list[Json] = [schema]
    while stack:
        here = stack.pop()
        if not isinstance(here, Mapping) or id(here) in seen:
            continue
        seen.add(id(here))
        yield here
        if sure and "$ref" not in here and "allOf" not in here:
            continue
        stack.extend(reversed(list(_beside(root, here, sure=sure))))


def _beside(root: Json, schema: Mapping[str, Any], *, sure: bool) -> Iterator[Json]:
    if isinstance(schema.get("$ref"), str):
        yield resolve_pointer(root, schema["$ref"])
    for keyword in SAME_INSTANCE_LISTS[:1] if sure else SAME_INSTANCE_LISTS:
        below = schema.get(keyword)
        yield from below if isinstance(below, list) else ()
    if sure:
        return
    yield from (schema.get(keyword) for keyword in SAME_INSTANCE_SINGLES)
    for keyword in SAME_INSTANCE_MAPPINGS:
        below = schema.get(keyword)
        yield from below.values() if isinstance(below, Mapping) else ()


def properties_of(root: Json) -> dict[str, list[Json]]:
    """Return every property that a schema names at its top level, with all its schemas."""
    named: dict[str, list[Json]] = {}
    for schema in same_instance(root, root):
        properties = schema.get("properties")
        for name, below in properties.items() if isinstance(properties, Mapping) else ():
            named.setdefault(name, []).append(below)
    return named


def types_of(root: Json, schemas: list[Json]) -> set[str]:
    """Return the JSON types that some of the schemas name; empty where none names any."""
    types: set[str] = set()
    for start in schemas:
        for schema in same_instance(root, start):
            declared = schema.get("type")
            if isinstance(declared, str):
                types.add(declared)
            elif isinstance(declared, list):
                types.update(name for name in declared if isinstance(name, str))
            else:
                types.update(_types_of_values(schema))
    return types


def _types_of_values(schema: Mapping[str, Any]) -> Iterator[str]:
    values = schema.get("enum")
    listed = list(values) if isinstance(values, list) else []
    listed.extend([schema["const"]] if "const" in schema else [])
    yield from (type_of(value) for value in listed)


def type_of(value: Json) -> str:
    """Return the JSON type of a value; a number with no fraction is an `integer`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"
