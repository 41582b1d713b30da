"""Deciding the good case fast: a schema compiled to closures, without jsonschema.

`compile_decider` understands the keywords that tools really use. For a schema that has any other,
that is malformed, or whose meaning here could differ from jsonschema's, it returns None, and
jsonschema decides. What a decider refuses, jsonschema explains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tm.model import ABSENT, Json
from tm.schema.decide_keywords import BUILDERS, Check, NotDecidableError, has_form
from tm.schema.dialect import Dialect
from tm.schema.json_value import NotJsonError, copy_json
from tm.schema.walk import resolve_pointer

_DRAFT_07_LACKS: Final = frozenset({"prefixItems", "dependentRequired"})
_UNKNOWN_HERE: Final = frozenset(
    {"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$vocabulary"}
    | {"additionalItems", "contains", "minContains", "maxContains", "dependencies"}
    | {"dependentSchemas", "propertyNames", "unevaluatedItems", "unevaluatedProperties"}
    | {"if", "then", "else", "contentSchema"}
)


def compile_decider(schema: Mapping[str, Any], dialect: Dialect) -> Check | None:
    """Return a function that tells whether a JSON value fits, or None where it can't be sure.

    The function raises nothing; a value that is nested too deep does not fit.
    """
    try:
        copy_json(schema)
        check = _Compiler(schema, dialect).compile(schema, frozenset())
    except (NotDecidableError, NotJsonError, RecursionError):
        return None
    return lambda value: _decide(check, value)


def _decide(check: Check, value: Json) -> bool:
    try:
        return check(value)
    except RecursionError:
        return False


class _Compiler:
    """Compiles each subschema once; recursive ones find themselves through `_done`."""

    def __init__(self, root: Mapping[str, Any], dialect: Dialect) -> None:
        self._root = root
        self._draft_07 = dialect == "draft-07"
        self._done: dict[int, Check | None] = {}

    def compile(self, schema: Json, chain: frozenset[int]) -> Check:
        """Compile a schema.

        Args:
            schema: a subschema.
            chain: ids of the schemas that look at the same value on the way here.

        Raises:
            NotDecidableError: it is no schema, or goes round in a circle.
        """
        if isinstance(schema, bool):
            return _anything if schema else _nothing
        if not isinstance(schema, Mapping) or id(schema) in chain:
            raise NotDecidableError
        key = id(schema)
        if key in self._done:
            return self._done[key] or (lambda value: self._later(key, value))
        self._done[key] = None
        check = self._build(schema, chain | {key})
        self._done[key] = check
        return check

    def _later(self, key: int, value: Json) -> bool:
        check = self._done[key]
        return check is not None and check(value)

    def _build(self, schema: Mapping[str, Any], chain: frozenset[int]) -> Check:
        if self._draft_07:
            self._refuse_draft_07(schema)
        checks = []
        for keyword, value in schema.items():
            check = self._keyword(keyword, value, schema, chain)
            if check is not None:
                checks.append(check)
        return _all_of(checks)

    def _refuse_draft_07(self, schema: Mapping[str, Any]) -> None:
        # Draft 7 ignores what stands beside $ref, and has a list form of items.
        if "$ref" in schema and len(schema) > 1:
            raise NotDecidableError
        if not _DRAFT_07_LACKS.isdisjoint(schema):
            raise NotDecidableError

    def _keyword(
        self, keyword: str, value: Json, schema: Mapping[str, Any], chain: frozenset[int]
    ) -> Check | None:
        if keyword in _UNKNOWN_HERE or not has_form(keyword, value):
            raise NotDecidableError
        if keyword == "$ref":
            return self.compile(self._target(value), chain)
        if keyword == "$schema" and schema is not self._root:
            raise NotDecidableError
        if keyword in _WITH_SCHEMAS:
            return _WITH_SCHEMAS[keyword](self, value, schema, chain)
        builder = BUILDERS.get(keyword)
        return builder(value) if builder else None

    def _target(self, ref: str) -> Json:
        target = resolve_pointer(self._root, ref)
        if target is ABSENT:
            raise NotDecidableError
        return target

    def each(self, schemas: Json, chain: frozenset[int] = frozenset()) -> list[Check]:
        """Compile a list of schemas, or the values of a mapping of them."""
        listed = schemas.values() if isinstance(schemas, Mapping) else schemas
        return [self.compile(schema, chain) for schema in listed]


def _anything(_: Json) -> bool:
    return True


def _nothing(_: Json) -> bool:
    return False


def _all_of(checks: list[Check]) -> Check:
    if not checks:
        return _anything
    if len(checks) == 1:
        return checks[0]
    return lambda value: all(check(value) for check in checks)


_Schema = Mapping[str, Any]
_Chain = frozenset[int]


def _properties(compiler: _Compiler, value: Json, schema: _Schema, _: _Chain) -> Check:
    checks = list(zip(value, compiler.each(value), strict=True))
    closed = schema.get("additionalProperties") is False and not schema.get("patternProperties")
    known = frozenset(value)

    def check(instance: Json) -> bool:
        if not isinstance(instance, dict):
            return True
        if closed and not known.issuperset(instance):
            return False
        return all(below(instance[name]) for name, below in checks if name in instance)

    return check


def _pattern_properties(compiler: _Compiler, value: Json, _: _Schema, __: _Chain) -> Check:
    compiled = [BUILDERS["pattern"](pattern) for pattern in value]
    pairs = list(zip(compiled, compiler.each(value), strict=True))
    return lambda instance: (
        not isinstance(instance, dict)
        or all(
            below(element)
            for name, element in instance.items()
            for matches, below in pairs
            if matches(name)
        )
    )


def _additional(compiler: _Compiler, value: Json, schema: _Schema, _: _Chain) -> Check:
    below = compiler.compile(value, frozenset())
    properties = schema.get("properties", {})
    patterns = [BUILDERS["pattern"](pattern) for pattern in schema.get("patternProperties", ())]
    return lambda instance: (
        not isinstance(instance, dict)
        or all(
            below(element)
            for name, element in instance.items()
            if name not in properties and not any(matches(name) for matches in patterns)
        )
    )


def _items(compiler: _Compiler, value: Json, schema: _Schema, _: _Chain) -> Check:
    below = compiler.compile(value, frozenset())
    first = len(schema.get("prefixItems", ()))
    return lambda instance: not isinstance(instance, list) or all(map(below, instance[first:]))


def _prefix_items(compiler: _Compiler, value: Json, _: _Schema, __: _Chain) -> Check:
    checks = compiler.each(value)
    return lambda instance: (
        not isinstance(instance, list)
        or all(below(element) for below, element in zip(checks, instance, strict=False))
    )


def _all(compiler: _Compiler, value: Json, _: _Schema, chain: _Chain) -> Check:
    return _all_of(compiler.each(value, chain))


def _any(compiler: _Compiler, value: Json, _: _Schema, chain: _Chain) -> Check:
    checks = compiler.each(value, chain)
    return lambda instance: any(check(instance) for check in checks)


def _one(compiler: _Compiler, value: Json, _: _Schema, chain: _Chain) -> Check:
    checks = compiler.each(value, chain)
    return lambda instance: sum(check(instance) for check in checks) == 1


def _not(compiler: _Compiler, value: Json, _: _Schema, chain: _Chain) -> Check:
    check = compiler.compile(value, chain)
    return lambda instance: not check(instance)


def _definitions(compiler: _Compiler, value: Json, _: _Schema, __: _Chain) -> None:
    compiler.each(value)


_WITH_SCHEMAS: Final[Mapping[str, Callable[..., Check | None]]] = {
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "items": _items,
    "prefixItems": _prefix_items,
    "allOf": _all,
    "anyOf": _any,
    "oneOf": _one,
    "not": _not,
    "$defs": _definitions,
    "definitions": _definitions,
}
