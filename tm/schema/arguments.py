"""Checking the arguments of a tool against its `parameters` (SPEC 4.1).

The good case is decided by `tm.schema.decide`; jsonschema is loaded to explain a failure, or to
judge a schema that the decider does not understand.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from tm.errors import ConfigError, Detail, Location
from tm.model import ABSENT, Json
from tm.records import record
from tm.schema.decide import compile_decider
from tm.schema.decide_keywords import Check
from tm.schema.defaults import fill_defaults, mentions_default
from tm.schema.dialect import dialect_of
from tm.schema.json_value import NotJsonError, copy_json, shorten
from tm.schema.patterns import compile_pattern
from tm.schema.walk import properties_of, resolve_pointer, same_instance
from tm.schema.wording import unknown_argument

if TYPE_CHECKING:
    from tm.schema.validator import Explainer

_KEPT: Final = 512


@record
class Checked:
    """Arguments after the check.

    Attributes:
        args: a copy with defaults filled in; complete only where there are no failures.
        failures: all that is wrong, each with the path of its argument in dots.
    """

    args: dict[str, Json]
    failures: tuple[Detail, ...] = ()


def check_arguments(
    schema: Mapping[str, Any], args: object, *, at: Location | None = None
) -> Checked:
    """Check arguments and fill in defaults. Nothing is coerced, nothing is fetched.

    Args:
        schema: the tool's `parameters`; closed unless it says otherwise.
        args: what was given; not changed.
        at: of `parameters`, for errors about the schema.

    Raises:
        ConfigError: TM103 for a schema that can't be used, TM119 for one of its patterns.
    """
    compiled = compiled_schema(schema, at=at)
    if not isinstance(args, dict):
        return Checked({}, (Detail("", f"arguments must be an object; got {_shown(args)}"),))
    try:
        filled: dict[str, Json] = copy_json(args)
    except NotJsonError as error:
        return Checked({}, (error.detail,))
    if compiled.has_defaults:
        fill_defaults(schema, filled)
    unknown = compiled.unknown(filled)
    failures = (
        [*unknown, *compiled.failures(filled, at=at)]
        if unknown
        else compiled.failures(filled, at=at)
    )
    return Checked(filled, tuple(failures))


def _shown(value: object) -> str:
    try:
        return shorten(copy_json(value))
    except NotJsonError as error:
        return f"what {error}"


class CompiledSchema:
    """A schema with what was worked out from it once."""

    def __init__(self, schema: Mapping[str, Any], at: Location | None) -> None:
        self.schema = schema
        self._decide: Check | None = compile_decider(schema, dialect_of(schema, at))
        self._explainer: Explainer | None = None
        if self._decide is None:
            self._explain(at)
        self.has_defaults = mentions_default(schema)
        self._closed = not _says_what_else(schema)

    def failures(self, value: Json, *, at: Location | None = None) -> list[Detail]:
        """Return what is wrong with a value by JSON Schema alone."""
        if self._decide is not None and self._decide(value):
            return []
        return self._explain(at).failures(value)

    def _explain(self, at: Location | None) -> Explainer:
        if self._explainer is None:
            from tm.schema.validator import Explainer  # noqa: PLC0415  a tenth of a second

            self._explainer = Explainer(self.schema, at)
        return self._explainer

    @cached_property
    def _known(self) -> dict[str, list[Json]]:
        return properties_of(self.schema)

    @cached_property
    def _patterns(self) -> list[str]:
        schemas = same_instance(self.schema, self.schema)
        return [pattern for here in schemas for pattern in here.get("patternProperties", ())]

    def unknown(self, args: Mapping[str, Json]) -> list[Detail]:
        """Return a failure for each argument that no property names, in a closed schema."""
        if not self._closed:
            return []
        names = [name for name in args if name not in self._known and not self._fits(name)]
        if not names:
            return []
        return [Detail(name, unknown_argument(name, self._known)) for name in names]

    def _fits(self, name: str) -> bool:
        return any(compile_pattern(pattern).search(name) for pattern in self._patterns)


def _says_what_else(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema says itself what else may be given, or can't be seen through."""
    return any(
        "additionalProperties" in here
        or "unevaluatedProperties" in here
        or "$dynamicRef" in here
        or ("$ref" in here and resolve_pointer(schema, here["$ref"]) is ABSENT)
        for here in same_instance(schema, schema)
    )


_compiled: dict[int, tuple[Mapping[str, Any], CompiledSchema]] = {}
_by_text: dict[str, CompiledSchema] = {}


def compiled_schema(schema: Mapping[str, Any], *, at: Location | None = None) -> CompiledSchema:
    """Return a schema ready for checks; the last few hundred are kept.

    Schemas of the same text share one: generated tools have the same one hundreds of times.

    Raises:
        ConfigError: TM103 or TM119, as `check_arguments`.
    """
    kept = _compiled.get(id(schema))
    # What is kept holds its schema, so the id can't have been given to another one meanwhile.
    if kept is not None and kept[0] is schema:
        return kept[1]
    _check_root(schema, at)
    compiled = _shared(schema, at)
    if len(_compiled) >= _KEPT:
        _compiled.clear()
        _by_text.clear()
    _compiled[id(schema)] = schema, compiled
    return compiled


def _shared(schema: Mapping[str, Any], at: Location | None) -> CompiledSchema:
    try:
        text = repr(schema)  # unlike JSON, it tells True from 1 as a key, and a tuple from a list
    except (RecursionError, ValueError):  # too deep, or a number of too many digits
        return CompiledSchema(schema, at)
    compiled = _by_text.get(text)
    if compiled is None:
        compiled = _by_text[text] = CompiledSchema(schema, at)
    return compiled


def _check_root(schema: object, at: Location | None) -> None:
    if not isinstance(schema, Mapping):
        message = f"parameters must be a JSON Schema of type object, not {schema!r}"
        raise ConfigError(message, code="TM103", at=at)
    declared = schema.get("type", "object")
    if declared != "object" and not (isinstance(declared, list) and "object" in declared):
        message = f"parameters must be of type object; it says {declared!r}"
        raise ConfigError(message, code="TM103", at=at)
