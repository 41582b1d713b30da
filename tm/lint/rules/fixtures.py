"""TM109, TM110: the arguments that `tm test-tool` runs a tool with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.errors import ConfigError, Detail, Location
from tm.lint.rule import Hit, Rule, Subject
from tm.lint.subjects import LintTool
from tm.schema.arguments import check_arguments
from tm.schema.places import Keys
from tm.schema.plain import fits_plain

_SHOULD_FAIL: Final = "TM501"
_MOST_SHOWN: Final = 5


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit for each case whose arguments would be refused, or for a tool without any."""
    tool = subject.tool
    assert tool is not None  # noqa: S101  the rule's scope
    if not tool.is_whole:
        return
    yield from _twice(tool)
    for keys, what, args in _cases(tool):
        if failures := _failures(tool, args):
            told = "; ".join(_words(failure) for failure in failures[:_MOST_SHOWN])
            more = f" (and {len(failures) - _MOST_SHOWN} more)" if failures[_MOST_SHOWN:] else ""
            at = _place(tool, keys, failures[0])
            yield Hit(at, f"{what} does not pass the tool's own parameters: {told}{more}")
    if "args_fixture" not in {*tool.values, *tool.misspelt}:
        yield Hit(
            tool.own.at,
            f"tool '{tool.name}' has no args_fixture",
            "give arguments that are harmless, so that tm test-tool --all can run it;"
            " {} where it needs none",
            code="TM110",
        )


def _twice(tool: LintTool) -> Iterator[Hit]:
    """Yield a hit for each named case whose name another one has."""
    seen: set[str] = set()
    for number, item in _named(tool) if tool.is_own("fixtures") else ():
        name = item.get("name")
        if isinstance(name, str) and name in seen:
            yield Hit(tool.locate("fixtures", number, "name"), f"two fixtures are named {name!r}")
        seen.add(str(name))


def _named(tool: LintTool) -> Iterator[tuple[int, Mapping[str, Any]]]:
    listed = tool.values.get("fixtures")
    for number, item in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(item, Mapping):
            yield number, item


def _cases(tool: LintTool) -> Iterator[tuple[Keys, str, Mapping[str, Any]]]:
    """Yield keys, name and arguments of each case that should pass."""
    default = tool.values.get("args_fixture")
    if isinstance(default, Mapping):
        yield ("args_fixture",), "args_fixture", default
    for number, item in _named(tool):
        args = item.get("args", {})
        if isinstance(args, Mapping) and item.get("error") != _SHOULD_FAIL:
            keys = ("fixtures", number, "args")
            yield keys, f"fixture {item.get('name')!r:.60}", args


def _failures(tool: LintTool, args: Mapping[str, Any]) -> tuple[Detail, ...]:
    """Return what is wrong with arguments; nothing where the schema itself is."""
    field = "parameters"
    if field in tool.values and not isinstance(tool.values[field], Mapping):
        return ()
    if tool.is_plain and fits_plain(tool.parameters, args):
        return ()
    if any(fault.code != "TM007" for fault in tool.schema_faults):
        return ()
    try:
        return check_arguments(tool.parameters, dict(args)).failures
    except ConfigError:
        return ()  # a fault of the schema, which stands there


def _words(failure: Detail) -> str:
    # Where an argument is unknown or missing, the message has its name already.
    named = failure.path and f"'{failure.path}'" in failure.message
    return f"{failure.path} {failure.message}" if failure.path and not named else failure.message


def _place(tool: LintTool, keys: Keys, failure: Detail) -> Location:
    """Return the place of the argument; what is inherited is wrong for its own parameters."""
    if tool.is_own(str(keys[0])):
        steps = failure.path.split(".") if failure.path else []
        return tool.locate(*keys, *(int(step) if step.isdigit() else step for step in steps))
    own = [field for field in ("parameters",) if tool.is_own(field)]
    return tool.locate(*own) if own else tool.own.at


RULE = Rule("TM109", "tool", check, ("TM109", "TM110"))
