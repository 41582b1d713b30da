"""Whether a schema can be used at all (TM103, TM119), before a value is held against it.

jsonschema's own check misses references that lead nowhere, to a file or to themselves, and
patterns that Python can't run; each would end in a crash, or in a file that is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError, best_match
from jsonschema_specifications import (  # type: ignore[import-untyped]  # no stubs
    REGISTRY as SPECIFICATIONS,
)
from referencing import Resource
from referencing._core import Resolver
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT7, DRAFT202012

from tm.errors import ConfigError, Location, join_path
from tm.model import Json
from tm.schema.dialect import Dialect, dialect_of
from tm.schema.json_value import NotJsonError, copy_json, shorten
from tm.schema.patterns import PatternError, compile_pattern
from tm.schema.walk import JSON_TYPES, type_hint

_META: Final[Mapping[Dialect, Any]] = {"2020-12": Draft202012Validator, "draft-07": Draft7Validator}
_SPECIFICATION: Final[Mapping[Dialect, Any]] = {"2020-12": DRAFT202012, "draft-07": DRAFT7}
_SAME_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SAME_SINGLES: Final = ("not", "if", "then", "else")
_SAME_MAPPINGS: Final = ("dependentSchemas", "dependencies")

_Work: TypeAlias = tuple[Any, Any]


def sound_copy(schema: Json, dialect: Dialect, at: Location | None = None) -> Json:
    """Return a copy of a schema, without `$schema`, after checking all of it.

    Raises:
        ConfigError: TM103 where it is no schema, is nested too deep, or a reference leads to
            another document, nowhere, or to itself without taking anything off the value; TM119
            for a pattern.
    """
    try:
        copied = copy_json(schema)
        _check_form(copied, dialect, at)
    except NotJsonError as error:
        where = f" at {error.detail.path}" if error.detail.path else ""
        raise _fault(f"the schema{where} {error}", at=at) from error
    except RecursionError as error:
        raise _fault("the schema is nested too deep", at=at) from error
    _Survey(dialect, at).check(copied)
    return copied


def _fault(
    message: str, *, code: str = "TM103", hint: str | None = None, at: Location | None = None
) -> ConfigError:
    return ConfigError(f"parameters: {message}", code=code, hint=hint, at=at)


def form_faults(schema: Json, dialect: Dialect) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield keys and words of everything in a schema that the meta-schema refuses."""
    meta = _META[dialect]
    seen: set[tuple[str | int, ...]] = set()
    try:
        for error in meta(meta.META_SCHEMA, format_checker=FormatChecker(())).iter_errors(schema):
            keys = tuple(error.absolute_path)
            if keys not in seen:
                seen.add(keys)
                yield keys, _word_form(error)
    except RecursionError:
        yield (), "the schema is nested too deep"


def _check_form(schema: Json, dialect: Dialect, at: Location | None) -> None:
    meta = _META[dialect]
    error = best_match(meta(meta.META_SCHEMA, format_checker=FormatChecker(())).iter_errors(schema))
    if error is not None:
        raise _fault(_word_form(error), at=at)


def _word_form(error: ValidationError) -> str:
    where = join_path(error.absolute_path) or "the schema"
    value = shorten(error.instance)
    if error.absolute_path and error.absolute_path[-1] == "type":
        near = type_hint(str(error.instance))
        return f"{where} is {value}, which is no JSON type ({', '.join(JSON_TYPES)}){near}"
    if error.validator == "type":
        wanted = error.validator_value
        kinds = " or ".join(wanted) if isinstance(wanted, list) else wanted
        return f"{where} must be of type {kinds}; it is {value}"
    return f"{where} is no valid JSON Schema: {value} breaks '{error.validator}'"


class _Survey:
    """One walk over every subschema, following references."""

    def __init__(self, dialect: Dialect, at: Location | None) -> None:
        self._specification = _SPECIFICATION[dialect]
        self._at = at
        self._seen: dict[int, Any] = {}
        self._beside: dict[int, list[int]] = {}

    def check(self, root: Json) -> None:
        """Check references and patterns; drops `$schema`, which would change the validator."""
        if isinstance(root, dict):
            root.pop("$schema", None)
        resource = self._specification.create_resource(root)
        stack: list[_Work] = [(SPECIFICATIONS.resolver_with_root(resource), resource)]
        while stack:
            resolver, here = stack.pop()
            contents = here.contents
            if isinstance(contents, bool) or id(contents) in self._seen:
                continue
            self._seen[id(contents)] = contents
            self._check_patterns(contents)
            stack.extend(self._referenced(resolver, contents))
            stack.extend(self._below(resolver, here))
        self._check_circles()

    def _below(self, resolver: Resolver[Any], here: Resource[Any]) -> Iterator[_Work]:
        contents = here.contents
        beside = self._beside.setdefault(id(contents), [])
        beside.extend(id(schema) for schema in _same_value(contents))
        for below in self._specification.subresources_of(contents):
            if isinstance(below, dict) and "$schema" in below:
                dialect_of(below, self._at)
                del below["$schema"]
            resource = self._specification.create_resource(below)
            yield resolver.in_subresource(resource), resource

    def _referenced(self, resolver: Resolver[Any], schema: Mapping[str, Any]) -> Iterator[_Work]:
        for keyword in ("$ref", "$dynamicRef"):
            ref = schema.get(keyword)
            if not isinstance(ref, str):
                continue
            try:
                found = resolver.lookup(ref)
            except (Unresolvable, ValueError, TypeError, AttributeError) as error:
                raise self._unresolved(ref) from error
            if not isinstance(found.contents, dict | bool):
                raise self._unresolved(ref)
            self._beside.setdefault(id(schema), []).append(id(found.contents))
            yield found.resolver, self._specification.create_resource(found.contents)

    def _unresolved(self, ref: str) -> ConfigError:
        hint = "A reference points into the same schema: #/$defs/NAME."
        if not ref.startswith("#"):
            hint = f"Nothing outside the schema is read. {hint}"
        return _fault(f"$ref '{shorten(ref)[1:-1]}' leads to no schema", hint=hint, at=self._at)

    def _check_patterns(self, schema: Mapping[str, Any]) -> None:
        patterns = [schema["pattern"]] if "pattern" in schema else []
        for pattern in [*patterns, *schema.get("patternProperties", {})]:
            try:
                compile_pattern(pattern)
            except PatternError as error:
                raise _fault(str(error), code="TM119", hint=error.hint, at=self._at) from error

    def _check_circles(self) -> None:
        done: set[int] = set()
        for start in self._beside:
            path: list[int] = []
            stack: list[int | None] = [start]
            while stack:
                here = stack.pop()
                if here is None:
                    done.add(path.pop())
                elif here in path:
                    raise _fault(self._word_circle(here), at=self._at)
                elif here not in done:
                    path.append(here)
                    stack.append(None)
                    stack.extend(self._beside.get(here, ()))

    def _word_circle(self, node: int) -> str:
        ref = self._seen[node].get("$ref")
        named = f"$ref '{ref}'" if isinstance(ref, str) else "a reference"
        return f"{named} leads back to itself without going into the value, so it never ends"


def _same_value(schema: Mapping[str, Any]) -> Iterator[Json]:
    """Yield the subschemas that look at the same value as the schema itself."""
    for keyword in _SAME_LISTS:
        yield from schema.get(keyword, ())
    for keyword in _SAME_SINGLES:
        if keyword in schema:
            yield schema[keyword]
    for keyword in _SAME_MAPPINGS:
        yield from schema.get(keyword, {}).values()
