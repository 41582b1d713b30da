"""What providers refuse of JSON Schema, as their documentation and their errors say.

`openai`: keywords that its Structured Outputs do not take, and what it refuses of any function.
`openai-strict`: also what `strict: true` asks of every object. `anthropic`: the root of
`input_schema`, names, draft-07 forms. `gemini`: its Schema is a part of OpenAPI's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from tm.errors import join_path
from tm.records import record
from tm.schema.places import Keys, Placed, subschemas

DIALECTS: Final = ("openai", "openai-strict", "anthropic", "gemini")
_COMPOSED: Final = ("anyOf", "oneOf", "allOf", "not", "enum")
_NAMES: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_GEMINI_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_HAS_INSIDE: Final = frozenset({"$ref", "anyOf", "additionalProperties"})
_ONE: Final = "one schema that has the properties of all, some of them optional"
_WORDS: Final = "words in the description; tm checks the arguments all the same"
_INLINE: Final = "the schema itself in its place"

_OPENAI: Final[Mapping[str, str]] = {
    "allOf": _ONE,
    "oneOf": "anyOf",
    "not": _WORDS,
    "if": _WORDS,
    "dependentRequired": _WORDS,
    "dependentSchemas": _WORDS,
    "dependencies": _WORDS,
    "patternProperties": "a list of {name, value} objects",
    "propertyNames": _WORDS,
    "unevaluatedProperties": "additionalProperties: false",
    "unevaluatedItems": _WORDS,
    "contains": _WORDS,
    "uniqueItems": _WORDS,
    "prefixItems": "an object with a property for each place",
    "minProperties": _WORDS,
    "maxProperties": _WORDS,
}
_STRICT: Final[Mapping[str, str]] = {
    **_OPENAI,
    "default": "words in the description",
    "minLength": _WORDS,
    "maxLength": _WORDS,
}
_GEMINI: Final[Mapping[str, str]] = {
    "$ref": _INLINE,
    "$schema": "nothing: leave it out",
    "$id": "nothing: leave it out",
    "const": "enum with one value",
    "oneOf": "anyOf",
    "allOf": _ONE,
    "not": _WORDS,
    "if": _WORDS,
    "additionalProperties": "nothing: leave it out, tm refuses unknown arguments all the same",
    "patternProperties": "a list of {name, value} objects",
    "unevaluatedProperties": "nothing: leave it out",
    "propertyNames": _WORDS,
    "dependentRequired": _WORDS,
    "dependentSchemas": _WORDS,
    "dependencies": _WORDS,
    "prefixItems": "an object with a property for each place",
    "contains": _WORDS,
    "uniqueItems": _WORDS,
    "multipleOf": _WORDS,
    "exclusiveMinimum": "minimum",
    "exclusiveMaximum": "maximum",
    "examples": "words in the description",
}


@record
class Refusal:
    """One thing that a provider refuses.

    Attributes:
        keys: from the root of `parameters`.
        what: in words, with the place.
        instead: what to write.
    """

    keys: Keys
    what: str
    instead: str


def refusals(schema: Mapping[str, Any], dialect: str) -> list[Refusal]:
    """Return what a provider refuses of the `parameters` of a tool.

    Args:
        schema: a valid one, of type object.
        dialect: one of `DIALECTS`; any other refuses nothing.
    """
    check = _CHECKS.get(dialect)
    return [refusal for here in subschemas(schema) for refusal in check(here)] if check else []


def refused_name(name: str, dialect: str) -> str | None:
    """Return why a provider refuses a tool's name that is right elsewhere; None: it does not."""
    if dialect == "gemini" and not _GEMINI_NAME.fullmatch(name):
        return "a name begins with a letter or _"
    return None


def _at(keys: Keys, what: str, instead: str) -> Refusal:
    place = join_path(key for key in keys if key != "properties")
    return Refusal(keys, f"{what} at {place}" if place else what, instead)


def _keywords(here: Placed, table: Mapping[str, str]) -> Iterator[Refusal]:
    for keyword in here.schema:
        if keyword in table:
            yield _at((*here.keys, keyword), keyword, table[keyword])


def _openai(here: Placed) -> Iterator[Refusal]:
    yield from _root(here, _COMPOSED)
    known = _OPENAI if here.keys else {k: v for k, v in _OPENAI.items() if k not in _COMPOSED}
    yield from _keywords(here, known)
    yield from _no_items(here)


def _strict(here: Placed) -> Iterator[Refusal]:
    yield from _root(here, _COMPOSED)
    known = _STRICT if here.keys else {k: v for k, v in _STRICT.items() if k not in _COMPOSED}
    yield from _keywords(here, known)
    yield from _no_items(here)
    properties, required = here.schema.get("properties"), here.schema.get("required", [])
    if not isinstance(properties, Mapping):
        return
    if here.schema.get("additionalProperties") is not False:
        keys = (*here.keys, "additionalProperties") if "additionalProperties" in here.schema else (
            here.keys or ("properties",)
        )  # fmt: skip
        yield _at(keys, "an object that is not closed", "additionalProperties: false")
    for name in properties:
        if name not in required:
            instead = "it under required, with null among its types"
            yield _at((*here.keys, "properties", name), "an optional property", instead)


def _anthropic(here: Placed) -> Iterator[Refusal]:
    yield from _root(here, _COMPOSED[:3])
    properties = here.schema.get("properties")
    for name in properties if isinstance(properties, Mapping) else ():
        if not _NAMES.fullmatch(name):
            instead = "letters, digits, _, . and -, at most 64"
            yield _at((*here.keys, "properties", name), "the property's name", instead)
    if isinstance(here.schema.get("items"), list):
        yield _at((*here.keys, "items"), "a list of schemas under items", "prefixItems")
    if here.schema.get("dependencies"):
        yield _at((*here.keys, "dependencies"), "dependencies", "dependentRequired")


def _gemini(here: Placed) -> Iterator[Refusal]:
    yield from _keywords(here, _GEMINI)
    schema, keys = here.schema, here.keys
    if isinstance(schema.get("type"), list):
        named = [str(name) for name in schema["type"] if name != "null"]
        kept = named[0] if len(named) == 1 else ""
        instead = f"type: {kept}, and leave the parameter optional" if kept else "anyOf"
        yield _at((*keys, "type"), "a list of types", instead)
    elif _is_typeless(here):
        yield _at(keys, "a schema without type", "a type")
    values = schema.get("enum")
    if isinstance(values, list) and not all(isinstance(v, str) and v for v in values):
        yield _at((*keys, "enum"), "an enum of other values than texts", "texts, or a type only")
    is_bare = not schema.get("properties") and not schema.keys() & _HAS_INSIDE
    if keys and schema.get("type") == "object" and is_bare:
        yield _at(keys, "an object without properties", "its properties, or type: string")
    yield from _no_items(here)


def _is_typeless(here: Placed) -> bool:
    """Say whether nothing says of what type a value is; the root's is added when it is sent."""
    says = {"type", "$ref", "anyOf", "oneOf", "allOf", "const", "enum"}
    return bool(here.keys) and not says & here.schema.keys() and here.keys[-1] not in {
        "additionalProperties", "not", "if", "then", "else",
    }  # fmt: skip


def _root(here: Placed, keywords: tuple[str, ...]) -> Iterator[Refusal]:
    """Yield what may stand in a property, but not at the root."""
    for keyword in keywords if not here.keys else ():
        if keyword in here.schema:
            yield _at((keyword,), f"{keyword} at the top level", _ONE)


def _no_items(here: Placed) -> Iterator[Refusal]:
    if here.schema.get("type") == "array" and not here.schema.keys() & {"items", "prefixItems"}:
        yield _at(here.keys, "a list without items", "items: {type: ...}")


_CHECKS: Final[Mapping[str, Callable[[Placed], Iterator[Refusal]]]] = {
    "openai": _openai,
    "openai-strict": _strict,
    "anthropic": _anthropic,
    "gemini": _gemini,
}
