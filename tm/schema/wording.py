"""What jsonschema found, in words that a model can act on.

Each message says what was wrong, what is allowed, and what came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeAlias

from tm.errors import Detail, did_you_mean, join_path, nearest
from tm.model import Json
from tm.schema.formats import EXAMPLES
from tm.schema.json_value import first_repeat, shorten

_Error: TypeAlias = Any
# A ValidationError of jsonschema. Its fields are typed `Any | Unset`, and are always set here;
# naming the class would load jsonschema.

_MOST: Final = 200
"""Failures told at most: a list of 10,000 wrong rows needs no 10,000 lines."""

_TYPE_WORDS: Final = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def word_errors(errors: Iterable[_Error]) -> list[Detail]:
    """Return what was found, each once, in the order of the schema."""
    worded = dict.fromkeys(detail for error in errors for detail in _word(error))
    if len(worded) <= _MOST:
        return list(worded)
    rest = len(worded) - _MOST
    return [*islice(worded, _MOST), Detail("", f"and {rest} more failures like these")]


def _word(error: _Error) -> Iterator[Detail]:
    if error.validator in {"anyOf", "oneOf"} and error.context:
        yield from _word_branches(error)
        return
    words = _WORDS.get(str(error.validator), _word_other)
    yield Detail(join_path(error.absolute_path), words(error))


def unknown_argument(name: str, known: Iterable[str]) -> str:
    """Say that nothing is called so, with the nearest names, or else all of them."""
    names = list(known)
    near = did_you_mean(name, names)
    listed = f"; known are {', '.join(names[:20])}" if names and not near else ""
    nothing = "" if names else "; none are allowed here"
    return f"unknown argument '{name}'{near}{listed}{nothing}"


def _kinds(names: Json) -> str:
    listed = names if isinstance(names, list) else [names]
    return " or ".join(_TYPE_WORDS.get(name, str(name)) for name in listed)


def _got(error: _Error) -> str:
    return f"; got {shorten(error.instance)}"


def _word_type(error: _Error) -> str:
    kind = "the string " if isinstance(error.instance, str) else ""
    return f"must be {_kinds(error.validator_value)}; got {kind}{shorten(error.instance)}"


def _word_required(error: _Error) -> str:
    name = error.message
    declared = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
    others = [key for key in error.instance if key not in declared]
    similar = nearest(name, others, 1)
    hint = f"; '{similar[0]}' was given instead" if similar else ""
    below = declared.get(name)
    kind = below.get("type") if isinstance(below, Mapping) else None
    wanted = f": it must be {_kinds(kind)}" if kind else ""
    return f"'{name}' is missing; it is required{wanted}{hint}"


def _word_additional(error: _Error) -> str:
    return unknown_argument(error.message, error.schema.get("properties", {}))


def _word_enum(error: _Error) -> str:
    allowed = error.validator_value
    if not allowed:
        return "is never allowed: the schema lists no value for it"
    listed = ", ".join(shorten(value) for value in allowed[:30])
    more = f" and {len(allowed) - 30} more" if len(allowed) > 30 else ""
    texts = [value for value in allowed if isinstance(value, str)]
    near = did_you_mean(error.instance, texts) if isinstance(error.instance, str) else ""
    return f"must be one of {listed}{more}{_got(error)}{near}"


def _word_format(error: _Error) -> str:
    name = error.validator_value
    return f"must be a valid {name}, such as {EXAMPLES[name]}{_got(error)}"


def _count(number: Json, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def _word_min_length(error: _Error) -> str:
    if error.instance == "":
        return f"must not be empty: at least {_count(error.validator_value, 'character')}"
    needed = _count(error.validator_value, "character")
    return f"must have at least {needed}{_got(error)} ({len(error.instance)})"


def _word_max_length(error: _Error) -> str:
    allowed = _count(error.validator_value, "character")
    return f"must have at most {allowed}; got {len(error.instance)}: {shorten(error.instance)}"


def _word_unique(error: _Error) -> str:
    first, second = first_repeat(error.instance) or (0, 0)
    repeated = shorten(error.instance[second])
    return f"must not hold anything twice; items {first} and {second} are both {repeated}"


def _word_items(error: _Error) -> str:
    allowed = len(error.schema.get("prefixItems", error.schema.get("items", ())) or ())
    return f"must have at most {_count(allowed, 'item')}; got {len(error.instance)}"


def _word_other(error: _Error) -> str:
    if error.validator in {None, "false"}:
        return "is not allowed here"
    rule = shorten(error.validator_value)
    return f"breaks the schema's rule {error.validator} {rule}{_got(error)}"


def _at(words: str) -> Callable[[_Error], str]:
    return lambda error: f"{words} {shorten(error.validator_value)}{_got(error)}"


def _size(words: str, one: str) -> Callable[[_Error], str]:
    return lambda error: (
        f"must have {words} {_count(error.validator_value, one)}; got {len(error.instance)}"
    )


def _word_one_of(error: _Error) -> str:
    return f"fits more than one of the allowed forms, and must fit exactly one{_got(error)}"


def _word_unevaluated(error: _Error) -> str:
    # The names stand only in jsonschema's own sentence.
    _, _, named = error.message.partition("(")
    return f"has what no rule allows: {named.rstrip(')') or shorten(error.instance)}"


_WORDS: Final[Mapping[str, Callable[[_Error], str]]] = {
    "type": _word_type,
    "required": _word_required,
    "dependentRequired": lambda e: f"is required where '{e.message}' is given",
    "additionalProperties": _word_additional,
    "unevaluatedProperties": _word_unevaluated,
    "unevaluatedItems": _word_unevaluated,
    "enum": _word_enum,
    "const": _at("must be"),
    "minimum": _at("must be at least"),
    "maximum": _at("must be at most"),
    "exclusiveMinimum": _at("must be greater than"),
    "exclusiveMaximum": _at("must be less than"),
    "multipleOf": _at("must be a multiple of"),
    "minLength": _word_min_length,
    "maxLength": _word_max_length,
    "pattern": lambda e: f"must match the pattern {e.validator_value}{_got(e)}",
    "format": _word_format,
    "minItems": _size("at least", "item"),
    "maxItems": _size("at most", "item"),
    "minProperties": _size("at least", "field"),
    "maxProperties": _size("at most", "field"),
    "uniqueItems": _word_unique,
    "items": _word_items,
    "additionalItems": _word_items,
    "contains": _at("must hold an item that fits"),
    "minContains": _at("must hold more items that fit 'contains': at least"),
    "maxContains": _at("must hold fewer items that fit 'contains': at most"),
    "not": _at("must not fit"),
    "oneOf": _word_one_of,
}


def _word_branches(error: _Error) -> Iterator[Detail]:
    branches = _branches(error)
    path = join_path(error.absolute_path)
    plain = [_plain_wish(branch) for branch in branches]
    if all(plain):
        wishes = " or ".join(dict.fromkeys(str(wish) for wish in plain))
        yield Detail(path, f"must be {wishes}{_got(error)}")
        return
    best = min(branches, key=_distance)
    for below in best:
        for detail in _word(below):
            yield Detail(
                detail.path, f"{detail.message} (nearest of {len(branches)} allowed forms)"
            )


def _branches(error: _Error) -> list[list[_Error]]:
    grouped: dict[Any, list[_Error]] = {}
    for below in error.context:
        # The error of a branch that is `false` has no path of its own.
        branch = next(iter(below.relative_schema_path), None)
        grouped.setdefault(branch, []).append(below)
    return list(grouped.values())


def _plain_wish(branch: list[_Error]) -> str | None:
    """Return what a branch wants, where it fails by the kind of the value itself."""
    for below in branch:
        if below.relative_path:
            continue
        if below.validator == "type":
            return _kinds(below.validator_value)
        if below.validator == "const":
            return shorten(below.validator_value)
        if below.validator == "enum":
            return ", ".join(shorten(value) for value in below.validator_value)
    return None


def _distance(branch: list[_Error]) -> tuple[bool, int, int]:
    """Rank a branch: another kind of value is far, another `const` inside (a tag) is next."""
    tags = sum(1 for below in branch if below.validator in {"const", "enum"})
    return _plain_wish(branch) is not None, tags, len(branch)
