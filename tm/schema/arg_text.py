"""Arguments as they are typed: `key=value`, `key:=JSON` and JSON texts (SPEC 10).

What lives here: reading. Checking against the schema is `tm.schema.arguments`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tm.errors import Detail, UsageError
from tm.model import Json
from tm.schema.walk import properties_of, same_instance, type_of, types_of

_SHOWN: Final = 60
_EXAMPLE: Final = "Write --arg key=value, or --arg key:=JSON for lists and objects."


class _DuplicateKeyError(ValueError):
    """A JSON object has a key twice."""


def _strict_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    read = dict(pairs)
    if len(read) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key, number in times.items() if number > 1)
        raise _DuplicateKeyError(f"the key {json.dumps(twice, ensure_ascii=False)} stands twice")
    return read


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits[:20]} is too large for a number")
    return value


def read_json(text: str) -> Json:
    """Read strict JSON: no NaN, no Infinity, no key twice; a BOM is passed over.

    Raises:
        ValueError: with the reason in words; for bad syntax with line and column.
    """
    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_strict_object,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def read_json_object(text: str, source: str) -> dict[str, Json]:
    """Read the JSON object of `--args`.

    Args:
        text: what was given.
        source: what it came from, for the message: `--args`, `--args @customer.json`.

    Raises:
        UsageError: TM501 with exit code 2, naming the position and what to do.
    """
    shown = _shorten(text)
    if not text.removeprefix("\ufeff").strip():
        raise UsageError(
            f"{source} is empty", code="TM501", hint="For no arguments write --args '{}'."
        )
    try:
        value = read_json(text)
    except ValueError as error:
        message = f"{source} is no JSON: {_int_limit(error)}; got {shown}"
        raise UsageError(message, code="TM501", hint=_json_hint(text, source)) from error
    if not isinstance(value, dict):
        message = f"{source} must be a JSON object, not {_article(type_of(value))}; got {shown}"
        raise UsageError(message, code="TM501", hint="""Write --args '{"key": "value"}'.""")
    return value


def _int_limit(error: ValueError) -> str:
    # Python words its limit with advice on its own settings, which is no help here.
    return "a number has too many digits" if "int_max_str_digits" in str(error) else str(error)


def _json_hint(text: str, source: str) -> str:
    option = source if source.startswith("--") else "--args"
    stripped = text.strip()
    if stripped.startswith("{'") or "': " in stripped:
        return 'JSON has double quotes, and the whole in single ones: \'{"key": "value"}\'.'
    if stripped.startswith("{") and '"' not in stripped:
        return "The shell took the quotes: put single quotes around it, or use --args @FILE or -."
    return f"Put single quotes around it, or use {option} @FILE, or {option} - for stdin."


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aio" else f"a {kind}"


def _shorten(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def read_argument(schema: Mapping[str, Any], text: str) -> tuple[str, Json]:
    """Read one `--arg`.

    `key=value` is typed by the schema: text where the property may be a string or has no type,
    else JSON of a type that it allows; a value of another type stays text and fails in validate.
    `key:=JSON` is JSON whatever the schema says. `a.b=1`, where no property is called `a.b` and
    `a` is one, is the field `b` of the object `a`: the value returned for `a` is `{"b": 1}`.

    Raises:
        UsageError: TM501 with exit code 2, where there is no `=`, no key, or no JSON after `:=`.
    """
    name, sign, raw = text.partition("=")
    is_json = name.endswith(":")
    key = name[:-1] if is_json else name
    if not sign or not key:
        fault = "has no '='" if not sign else "has no key before the '='"
        raise UsageError(f"--arg {_shorten(text)} {fault}", code="TM501", hint=_EXAMPLE)
    steps, schemas = _property(schema, key)
    value = _read_json_value(key, raw) if is_json else _typed(schema, schemas, raw)
    for step in reversed(steps[1:]):
        value = {step: value}
    return steps[0], value


def read_arguments(schema: Mapping[str, Any], texts: Iterable[str]) -> dict[str, Json]:
    """Read several `--arg`; dotted ones of the same object are put together.

    Raises:
        UsageError: as `read_argument`, and where a key is given twice.
    """
    args: dict[str, Json] = {}
    for text in texts:
        key, value = read_argument(schema, text)
        _merge(args, key, value)
    return args


def _merge(into: dict[str, Json], key: str, value: Json) -> None:
    before = into.get(key)
    if key not in into:
        into[key] = value
    elif isinstance(before, dict) and isinstance(value, dict):
        for name, below in value.items():
            _merge(before, name, below)
    else:
        message = f"--arg gives '{key}' twice"
        hint = f"For a list write --arg '{key}:=[...]'."
        raise UsageError(message, code="TM501", hint=hint, details=[Detail(key, "given twice")])


def _property(schema: Mapping[str, Any], key: str) -> tuple[list[str], list[Json]]:
    named = properties_of(schema)
    steps = key.split(".")
    if key in named or steps[0] not in named or not all(steps):
        return [key], named.get(key, [])
    schemas = named[steps[0]]
    for step in steps[1:]:
        schemas = [s for below in schemas for s in _below(schema, below, step)]
    return steps, schemas


def _below(root: Mapping[str, Any], schema: Json, step: str) -> list[Json]:
    found = []
    for here in same_instance(root, schema):
        properties = here.get("properties")
        if isinstance(properties, Mapping) and step in properties:
            found.append(properties[step])
    return found


def _typed(root: Mapping[str, Any], schemas: list[Json], raw: str) -> Json:
    types = types_of(root, schemas)
    if not types or "string" in types:
        return raw
    try:
        value = read_json(raw)
    except ValueError:
        return raw
    kind = type_of(value)
    fits = kind in types or (kind == "integer" and "number" in types)
    return value if fits else raw


def _read_json_value(key: str, raw: str) -> Json:
    try:
        return read_json(raw)
    except ValueError as error:
        message = f"--arg {key}:= is no JSON: {_int_limit(error)}; got {_shorten(raw)}"
        raise UsageError(message, code="TM501", hint=f"For text write --arg {key}=TEXT.") from error
