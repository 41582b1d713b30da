"""The decider's keywords that hold no schema, and the form that each keyword must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from tm.model import Json
from tm.schema.formats import CHECKERS
from tm.schema.json_value import first_repeat, freeze, is_multiple
from tm.schema.patterns import PatternError, compile_pattern

Check: TypeAlias = Callable[[Json], bool]


class NotDecidableError(Exception):
    """The schema is beyond the decider; jsonschema is to judge."""


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: Json) -> bool:
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: Final[Mapping[str, Check]] = {
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def _type(named: Json) -> Check:
    if isinstance(named, str):
        return _TYPES[named]
    checks = [_TYPES[name] for name in named]
    return lambda value: any(check(value) for check in checks)


def _enum(allowed: list[Json]) -> Check:
    frozen = frozenset(map(freeze, allowed))
    return lambda value: freeze(value) in frozen


def _number(holds: Callable[[Json, Json], bool]) -> Callable[[Json], Check]:
    return lambda limit: lambda value: not _is_number(value) or holds(value, limit)


def _length(kind: type[Any], holds: Callable[[int, int], bool]) -> Callable[[Json], Check]:
    return lambda limit: lambda value: not isinstance(value, kind) or holds(len(value), limit)


def _pattern(pattern: str) -> Check:
    try:
        search = compile_pattern(pattern).search
    except PatternError as error:
        raise NotDecidableError from error
    return lambda value: not isinstance(value, str) or search(value) is not None


def _format(name: str) -> Check | None:
    check = CHECKERS.get(name)
    return check and (lambda value: not isinstance(value, str) or check(value))


def _unique(wanted: bool) -> Check | None:  # noqa: FBT001  the keyword's value
    if not wanted:
        return None
    return lambda value: not isinstance(value, list) or first_repeat(value) is None


def _required(names: list[str]) -> Check:
    needed = frozenset(names)
    return lambda value: not isinstance(value, dict) or needed <= value.keys()


def _dependent_required(declared: Mapping[str, list[str]]) -> Check:
    return lambda value: (
        not isinstance(value, dict)
        or all(value.keys() >= set(needed) for name, needed in declared.items() if name in value)
    )


def _at_least(value: Any, limit: Any) -> bool:
    return bool(value >= limit)


def _at_most(value: Any, limit: Any) -> bool:
    return bool(value <= limit)


BUILDERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda value: _enum([value]),
    "minimum": _number(_at_least),
    "maximum": _number(_at_most),
    "exclusiveMinimum": _number(lambda value, limit: bool(value > limit)),
    "exclusiveMaximum": _number(lambda value, limit: bool(value < limit)),
    "multipleOf": _number(is_multiple),
    "minLength": _length(str, _at_least),
    "maxLength": _length(str, _at_most),
    "minItems": _length(list, _at_least),
    "maxItems": _length(list, _at_most),
    "minProperties": _length(dict, _at_least),
    "maxProperties": _length(dict, _at_most),
    "pattern": _pattern,
    "format": _format,
    "uniqueItems": _unique,
    "required": _required,
    "dependentRequired": _dependent_required,
}
"""Keyword to what makes a check of its value; the check may be None where it says nothing."""


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_bool(value: Json) -> bool:
    return isinstance(value, bool)


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_names(value: Json) -> bool:
    return isinstance(value, list) and all(map(_is_text, value)) and len(set(value)) == len(value)


def _is_types(value: Json) -> bool:
    names = [value] if isinstance(value, str) else value
    return _is_names(names) and bool(names) and all(name in _TYPES for name in names)


def _is_list(value: Json) -> bool:
    return isinstance(value, list)


def _is_schemas(value: Json) -> bool:
    return isinstance(value, list) and bool(value)


def _is_mapping(value: Json) -> bool:
    return isinstance(value, Mapping)


def _any_value(_: Json) -> bool:
    return True


_FORMS: Final[Mapping[str, Check]] = {
    "type": _is_types,
    "enum": _is_list,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    "multipleOf": lambda value: _is_number(value) and value > 0,
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _is_count),
    **dict.fromkeys(("minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("pattern", "format", "$ref", "$schema", "$comment"), _is_text),
    **dict.fromkeys(("title", "description", "contentEncoding", "contentMediaType"), _is_text),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _is_bool),
    "required": _is_names,
    "examples": _is_list,
    "dependentRequired": lambda value: _is_mapping(value) and all(map(_is_names, value.values())),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), _is_schemas),
    **dict.fromkeys(("properties", "patternProperties", "$defs", "definitions"), _is_mapping),
}


def has_form(keyword: str, value: Json) -> bool:
    """Tell whether a keyword's value is of the form that the meta-schema wants."""
    return _FORMS.get(keyword, _any_value)(value)
