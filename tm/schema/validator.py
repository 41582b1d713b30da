"""The judge of last resort: jsonschema, made safe, for what `tm.schema.decide` does not pass.

It reads nothing but the schema itself, and words nothing: `tm.schema.wording` does. The only
module beside `tm.schema.soundness` and `tm.schema.wording` that imports jsonschema; imported only
when a schema or its arguments need it, since that costs a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker, validators
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema_specifications import (  # type: ignore[import-untyped]  # no stubs
    REGISTRY as SPECIFICATIONS,
)

from tm.errors import Detail, Location
from tm.model import Json
from tm.schema.dialect import Dialect, dialect_of
from tm.schema.formats import CHECKERS
from tm.schema.json_value import first_repeat, is_multiple
from tm.schema.patterns import compile_pattern
from tm.schema.soundness import sound_copy
from tm.schema.wording import word_errors

_Errors = Iterator[ValidationError]


def _required(_: Validator, names: list[str], instance: Json, __: Json) -> _Errors:
    if isinstance(instance, dict):
        for name in names:
            if name not in instance:
                yield ValidationError(name, path=[name])


def _dependencies(
    validator: Validator, declared: Mapping[str, Json], instance: Json, _: Json
) -> _Errors:
    if not isinstance(instance, dict):
        return
    for name, needed in declared.items():
        if name not in instance:
            continue
        if isinstance(needed, list):
            for other in needed:
                if other not in instance:
                    yield ValidationError(name, validator="dependentRequired", path=[other])
        else:
            yield from _descend(validator, instance, needed, schema_path=name)


def _additional_properties(
    validator: Validator, allowed: Json, instance: Json, schema: Mapping[str, Json]
) -> _Errors:
    if not isinstance(instance, dict):
        return
    patterns = [compile_pattern(pattern) for pattern in schema.get("patternProperties", {})]
    for name in instance:
        if name in schema.get("properties", {}) or any(p.search(name) for p in patterns):
            continue
        if allowed is False:
            yield ValidationError(name, path=[name])
        else:
            yield from _descend(validator, instance[name], allowed, path=name)


def _properties(
    validator: Validator, declared: Mapping[str, Json], instance: Json, _: Json
) -> _Errors:
    if isinstance(instance, dict):
        for name, schema in declared.items():
            if name in instance:
                yield from _descend(validator, instance[name], schema, path=name, schema_path=name)


def _property_names(validator: Validator, schema: Json, instance: Json, _: Json) -> _Errors:
    for name in instance if isinstance(instance, dict) else ():
        yield from _descend(validator, name, schema, path=name)


def _descend(validator: Validator, instance: Json, schema: Json, **where: Any) -> _Errors:
    if schema is False and "path" in where:
        # jsonschema's own error for it has lost the path.
        return iter([ValidationError("", validator="false", path=[where["path"]])])
    # `descend` is public on every validator class, but the protocol does not name it.
    descend: Callable[..., _Errors] = validator.descend  # type: ignore[attr-defined]
    return descend(instance, schema, **where)


def _multiple_of(_: Validator, of: float, instance: Json, __: Json) -> _Errors:
    number = isinstance(instance, int | float) and not isinstance(instance, bool)
    if number and not is_multiple(instance, of):
        yield ValidationError("")


def _unique_items(_: Validator, unique: bool, instance: Json, __: Json) -> _Errors:  # noqa: FBT001  jsonschema's order
    if unique and isinstance(instance, list) and first_repeat(instance) is not None:
        yield ValidationError("")


def _pattern(_: Validator, pattern: str, instance: Json, __: Json) -> _Errors:
    if isinstance(instance, str) and not compile_pattern(pattern).search(instance):
        yield ValidationError("")


def _pattern_properties(
    validator: Validator, declared: Mapping[str, Json], instance: Json, _: Json
) -> _Errors:
    if not isinstance(instance, dict):
        return
    for pattern, schema in declared.items():
        compiled = compile_pattern(pattern)
        for name in filter(compiled.search, instance):
            yield from _descend(validator, instance[name], schema, path=name, schema_path=pattern)


_KEYWORDS: Final = {
    "properties": _properties,
    "propertyNames": _property_names,
    "required": _required,
    "dependentRequired": _dependencies,
    # 2020-12 has two other keywords for it, but allows the old one, which people still write.
    "dependencies": _dependencies,
    "additionalProperties": _additional_properties,
    "multipleOf": _multiple_of,
    "uniqueItems": _unique_items,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
}
_extend: Callable[..., Any] = validators.extend
_CLASSES: Final[Mapping[Dialect, Any]] = {
    "2020-12": _extend(Draft202012Validator, _KEYWORDS),
    "draft-07": _extend(Draft7Validator, _KEYWORDS),
}


def _format_checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name, check in CHECKERS.items():
        checker.checks(name)(_strings_only(check))
    return checker


def _strings_only(check: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or check(value)


_FORMATS: Final = _format_checker()


class Explainer:
    """A schema that was found sound, ready to say what is wrong with a value."""

    def __init__(self, schema: Json, at: Location | None = None) -> None:
        """Check the schema.

        Raises:
            ConfigError: TM103 or TM119, for a schema that can't be used.
        """
        dialect = dialect_of(schema, at)
        sound = sound_copy(schema, dialect, at)
        self._validator = _CLASSES[dialect](sound, registry=SPECIFICATIONS, format_checker=_FORMATS)

    def failures(self, value: Json) -> list[Detail]:
        """Return everything that is wrong with a JSON value; empty where it fits."""
        try:
            return word_errors(self._validator.iter_errors(value))
        except RecursionError:
            return [Detail("", "is nested too deep to be checked against its schema")]
