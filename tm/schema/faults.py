"""Everything that is wrong with a schema, each fault with its keys: for lint.

`check_arguments` stops at the first fault (`tm.schema.soundness`); what stops it is found here
too, since where nothing else is found, that check itself is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.errors import ConfigError, did_you_mean, nearest
from tm.model import ABSENT, Json
from tm.records import record
from tm.schema.arguments import CompiledSchema, compiled_schema
from tm.schema.dialect import Dialect, dialect_of
from tm.schema.json_value import shorten
from tm.schema.patterns import PatternError, compile_pattern
from tm.schema.places import Keys, Placed, subschemas
from tm.schema.walk import resolve_pointer, type_of

_KEYWORDS: Final = (
    "$schema", "$id", "$ref", "$defs", "$anchor", "$comment", "$dynamicRef", "$dynamicAnchor",
    "$vocabulary", "type", "title", "description", "default", "examples", "enum", "const",
    "format", "deprecated", "readOnly", "writeOnly", "properties", "patternProperties",
    "additionalProperties", "unevaluatedProperties", "propertyNames", "required",
    "dependentRequired", "dependentSchemas", "dependencies", "minProperties", "maxProperties",
    "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "minContains",
    "maxContains", "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "pattern",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "allOf", "anyOf",
    "oneOf", "not", "if", "then", "else", "contentEncoding", "contentMediaType", "contentSchema",
    "definitions",
)  # fmt: skip
_NOT_MISSPELT: Final = frozenset(
    {*_KEYWORDS, "id", "example", "nullable", "discriminator", "propertyOrdering"}
)
"""Also what is known outside JSON Schema, and near to a word of it."""

_SAYS_SCHEMA: Final = frozenset({"type", "description", "enum", "$ref", "format", "items"})


@record
class SchemaFault:
    """One fault.

    Attributes:
        keys: from the root of the schema to what is wrong.
        code: TM103, TM119, or TM007 for a misspelt keyword, which changes what a schema means
            and stops nothing.
    """

    keys: Keys
    code: str
    message: str
    hint: str | None = None


def schema_faults(schema: Mapping[str, Any]) -> list[SchemaFault]:
    """Return everything that is wrong with the `parameters` of a tool, the gravest first."""
    faults = list(_root_faults(schema))
    try:
        dialect = dialect_of(schema)
    except ConfigError as error:
        return [*faults, SchemaFault(("$schema",), "TM103", _bare(error), error.hint)]
    if faults or not _is_usable(schema):
        faults += _unsound(schema, dialect, known=bool(faults))
    placed = list(subschemas(schema))
    if not faults:
        faults += _senseless(schema, placed)
    return [*faults, *_misspelt(placed)]


def _is_usable(schema: Mapping[str, Any]) -> bool:
    """Say whether arguments can be checked with it, by that check itself, which keeps it."""
    try:
        compiled_schema(schema)
    except ConfigError:
        return False
    return True


def _bare(error: ConfigError) -> str:
    return error.message.removeprefix("parameters: ")


def _root_faults(schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    declared = schema.get("type", "object")
    if declared != "object" and not (isinstance(declared, list) and "object" in declared):
        what = f"parameters must be of type object; it says {shorten(declared)}"
        hint = "arguments have names: {type: object, properties: {...}}"
        yield SchemaFault(("type",), "TM103", what, hint)
    if any(key in schema for key in ("properties", "$ref", "allOf", "anyOf", "oneOf")):
        return
    for key, value in schema.items():
        if key not in _KEYWORDS and isinstance(value, Mapping) and _SAYS_SCHEMA & value.keys():
            what = f"{key!r:.60} stands directly under parameters, where it means nothing"
            yield SchemaFault((key,), "TM103", what, "arguments stand under properties")
            return


def _unsound(schema: Mapping[str, Any], dialect: Dialect, *, known: bool) -> list[SchemaFault]:
    """Return what makes a schema unusable, as far as it has a place, else what the check says."""
    from tm.schema.soundness import form_faults, sound_copy  # noqa: PLC0415  a tenth of a second

    found = []
    for keys, message in form_faults(schema, dialect):
        if not (known and keys == ("type",)):
            found.append(SchemaFault(keys, "TM103", message))
    for here in subschemas(schema):
        found += _reference_faults(schema, here)
        found += _pattern_faults(here)
    if found or known:
        return found
    try:
        sound_copy(schema, dialect)
    except ConfigError as error:
        return [SchemaFault((), error.code, _bare(error), error.hint)]
    return []


def _reference_faults(root: Mapping[str, Any], here: Placed) -> Iterator[SchemaFault]:
    ref = here.schema.get("$ref")
    if not isinstance(ref, str):
        return
    keys = (*here.keys, "$ref")
    if not ref.startswith("#"):
        if not any("$id" in placed.schema for placed in subschemas(root)):
            hint = "nothing outside the schema is read; write it under $defs"
            yield SchemaFault(keys, "TM103", f"$ref {ref!r:.80} leads out of the schema", hint)
    elif not isinstance(target := resolve_pointer(root, ref), Mapping | bool):
        what = "nothing is there" if target is ABSENT else "what is there is no schema"
        near = did_you_mean(ref, [f"#/$defs/{name}" for name in _definitions(root)])
        yield SchemaFault(keys, "TM103", f"$ref {ref!r:.80} leads nowhere: {what}{near}")


def _definitions(root: Mapping[str, Any]) -> list[str]:
    found = root.get("$defs")
    return list(found) if isinstance(found, Mapping) else []


def _pattern_faults(here: Placed) -> Iterator[SchemaFault]:
    named = here.schema.get("patternProperties")
    patterns: list[tuple[Keys, Json]] = [(("pattern",), here.schema.get("pattern"))]
    patterns += [
        (("patternProperties", key), key) for key in (named if isinstance(named, Mapping) else ())
    ]
    for keys, pattern in patterns:
        try:
            compile_pattern(pattern if isinstance(pattern, str) else "")
        except PatternError as error:
            yield SchemaFault((*here.keys, *keys), "TM119", str(error), error.hint)


def _senseless(schema: Mapping[str, Any], placed: list[Placed]) -> Iterator[SchemaFault]:
    """Yield what a valid schema can't mean: values that do not fit it, an enum of nothing."""
    for here in placed:
        if here.schema.get("enum") == []:
            yield SchemaFault((*here.keys, "enum"), "TM103", "enum is empty, so that no value fits")
        elif fault := _listed_fault(here):
            yield fault
        elif "default" in here.schema:
            yield from _default_faults(schema, here)


def _listed_fault(here: Placed) -> SchemaFault | None:
    """Return the first value of `enum` or `const` that the type beside it rules out."""
    declared = here.schema.get("type")
    if declared is None:
        return None
    types = {declared} if isinstance(declared, str) else set(declared)
    types |= {"integer"} if "number" in types else set()
    # OpenAPI's and Gemini's way to allow null.
    types |= {"null"} if here.schema.get("nullable") is True else set()
    listed = [("enum", value) for value in here.schema.get("enum", ())]
    listed += [("const", here.schema["const"])] if "const" in here.schema else []
    for keyword, value in listed:
        if type_of(value) not in types:
            what = f"{keyword} lists {shorten(value)}, which type {shorten(declared)} never allows"
            in_items = "array" in types and "items" in here.schema
            hint = "what each element may be stands under items" if in_items else None
            return SchemaFault((*here.keys, keyword), "TM103", what, hint)
    return None


def _default_faults(root: Mapping[str, Any], here: Placed) -> Iterator[SchemaFault]:
    if any(not ref.startswith(("#/$defs/", "#/definitions/")) for ref in _references(here.schema)):
        return  # it could only be judged inside its root
    kept = {key: root[key] for key in ("$schema", "$defs", "definitions") if key in root}
    alone = CompiledSchema({**kept, **here.schema}, None)
    for failure in alone.failures(here.schema["default"]):
        where = f" at {failure.path}" if failure.path else ""
        what = f"the default {shorten(here.schema['default'])} does not fit its own schema{where}"
        yield SchemaFault((*here.keys, "default"), "TM103", f"{what}: {failure.message}")
        return


def _references(schema: Json) -> Iterator[str]:
    for here in subschemas(schema):
        for keyword in ("$ref", "$dynamicRef"):
            if keyword in here.schema:
                yield str(here.schema[keyword])


def _misspelt(placed: list[Placed]) -> Iterator[SchemaFault]:
    """Yield each keyword that means nothing, but is nearly one that does."""
    for here in placed:
        for key in sorted(here.schema.keys() - _NOT_MISSPELT):
            if _is_near(key):
                what = f"unknown keyword {key!r:.60} in a schema{did_you_mean(key, _KEYWORDS)}"
                yield SchemaFault((*here.keys, key), "TM007", what)


def _is_near(key: str) -> bool:
    from difflib import SequenceMatcher  # noqa: PLC0415  only an unknown keyword needs it

    plain = re.sub(r"[^a-z]", "", key.lower())
    found = nearest(plain, _KEYWORDS, limit=1)
    return bool(found) and SequenceMatcher(None, plain, found[0].lower()).ratio() > 0.84
