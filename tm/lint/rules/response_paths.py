"""TM112: paths into the response that do not parse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tm.config.extends import Declaration
from tm.config.source import KeyPath
from tm.errors import ConfigError
from tm.grammar.dotpath import parse_path
from tm.lint.rule import Hit, Rule, Subject, hit_of


def check_tool(subject: Subject) -> Iterator[Hit]:
    """Yield what is wrong with `mapping`, `fail_when` and the paths of `pagination`."""
    tool = subject.tool
    assert tool is not None  # noqa: S101  the rule's scope
    if not tool.is_whole:
        return
    if tool.is_own("mapping") and isinstance(tool.values["mapping"], Mapping):
        yield from _below(tool.own, ("mapping",), tool.values["mapping"])
    if tool.is_own("fail_when") and isinstance(tool.values["fail_when"], str):
        yield from _below(tool.own, ("fail_when",), tool.values["fail_when"])
    yield from _pagination(tool.own)


def check_api(subject: Subject) -> Iterator[Hit]:
    """Yield what is wrong with the paths of an api's `pagination`."""
    if subject.declared is not None:
        yield from _pagination(subject.declared)


def _pagination(own: Declaration) -> Iterator[Hit]:
    given = own.value.get("pagination") if isinstance(own.value, Mapping) else None
    for key in ("items", "next"):
        if isinstance(given, Mapping) and isinstance(given.get(key), str):
            yield from _below(own, ("pagination", key), given[key])


def _below(own: Declaration, keys: KeyPath, spec: Any) -> Iterator[Hit]:
    if isinstance(spec, Mapping):
        for key, side in spec.items():
            yield from _below(own, (*keys, key), side)
        return
    if not isinstance(spec, str):
        what = f"{'.'.join(map(str, keys))} is {spec!r:.60}, not a path into the response"
        yield Hit(own.locate(*keys), what, "a path is text: items.0.id")
        return
    try:
        parse_path(spec)
    except ConfigError as error:
        hit = hit_of(error)
        yield Hit(own.locate(*keys), hit.message, hit.help)


TOOL_RULE = Rule("TM112", "tool", check_tool)
API_RULE = Rule("TM112", "api", check_api)
