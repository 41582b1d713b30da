"""Whether a schema has the argument that a path or a field names, and whether it is always there.

Only what is certain counts against a name: where a schema is open or can't be seen through, it
may be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.errors import did_you_mean
from tm.grammar.dotpath import STAR
from tm.grammar.templates import argument_steps
from tm.records import record
from tm.schema.patterns import PatternError, compile_pattern
from tm.schema.walk import properties_of, same_instance, types_of

_SINGLE: Final = frozenset({"string", "integer", "number", "boolean", "null"})


@record
class Argument:
    """What a schema says of an argument path.

    Attributes:
        problem: why there can't be one, in words, with the nearest name; None: there may be.
        optional: the step that a valid call may leave out; None: it is always there.
    """

    problem: str | None = None
    optional: str | None = None


def look_up(schema: Mapping[str, Any], name: str) -> Argument:
    """Look an argument path up in the `parameters` of a tool."""
    here: list[Any] = [schema]
    optional: str | None = None
    done: list[str] = []
    for step in argument_steps(name, properties_of(schema)):
        parts = [part for one in here for part in same_instance(schema, one)]
        below = list(_below(parts, step))
        if not below:
            return Argument(_problem(schema, parts, step, done), optional)
        if optional is None and not _is_always_there(schema, here, step, below):
            optional = ".".join([*done, step])
        done.append(step)
        here = below
    return Argument(None, optional)


def _below(parts: list[Mapping[str, Any]], step: str) -> Iterator[Any]:
    """Yield the schemas of what a step leads to."""
    is_element = step == STAR or step.lstrip("-").isdigit()
    for part in parts:
        properties = part.get("properties")
        if isinstance(properties, Mapping) and step in properties:
            yield properties[step]
        if not is_element:
            continue
        for keyword in ("prefixItems", "items"):
            listed = part.get(keyword)
            yield from listed if isinstance(listed, list) else ()
        if isinstance(part.get("items"), Mapping):
            yield part["items"]


def _is_always_there(root: Mapping[str, Any], here: list[Any], step: str, below: list[Any]) -> bool:
    """Say whether each valid value has it, or gets it from a default."""
    sure = [part for one in here for part in same_instance(root, one, sure=True)]
    if any(isinstance(part.get("required"), list) and step in part["required"] for part in sure):
        return True
    if step == STAR or step.lstrip("-").isdigit():
        return True  # how long a list is is not looked at
    defaults = (part for one in below for part in same_instance(root, one, sure=True))
    return any("default" in part for part in defaults)


def _problem(
    root: Mapping[str, Any], parts: list[Mapping[str, Any]], step: str, done: list[str]
) -> str | None:
    """Return why a step leads nowhere; None where it may lead somewhere."""
    if _is_open(parts, step, is_root=not done):
        return None
    where = f"'{'.'.join(done)}'" if done else "the tool"
    types = types_of(root, list(parts))
    if done and types and types <= _SINGLE:
        return f"{where} is of type {' or '.join(sorted(types))}, which has no '{step}'"
    names = sorted({name for part in parts for name in _names(part)})
    if done and not names:
        return None
    word = "property" if done else "parameter"
    return f"{where} has no {word} '{step}'{did_you_mean(step, names)}"


def _names(part: Mapping[str, Any]) -> list[str]:
    found = part.get("properties")
    return [str(name) for name in found] if isinstance(found, Mapping) else []


def _is_open(parts: list[Mapping[str, Any]], step: str, *, is_root: bool) -> bool:
    """Say whether a value may have what no property names; without a word inner objects are."""
    for part in parts:
        if part.get("additionalProperties", False) is not False:
            return True
        if "unevaluatedProperties" in part or "$dynamicRef" in part:
            return True
        if is_root and isinstance(part.get("required"), list) and step in part["required"]:
            return True  # TM104 stands there
        ref = part.get("$ref")
        if isinstance(ref, str) and not ref.startswith("#"):
            return True
        patterns = part.get("patternProperties")
        if isinstance(patterns, Mapping) and any(_fits(p, step) for p in patterns):
            return True
    return False


def _fits(pattern: str, step: str) -> bool:
    try:
        return compile_pattern(pattern).search(step) is not None
    except PatternError:
        return True
