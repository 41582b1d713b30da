"""TM107, TM113, TM116: what the request takes from the arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.errors import ConfigError
from tm.grammar.templates import is_constant, named_arguments, odd_sides, path_names
from tm.lint.rule import Hit, Rule, Subject, hit_of
from tm.lint.subjects import LintTool, LintWorkspace
from tm.schema.places import Keys

_SPECS: Final = ("query", "body", "headers")
_BODILESS: Final = ("GET", "HEAD")


def check(subject: Subject) -> Iterator[Hit]:
    """Yield names of no parameter, and a body where there is none."""
    tool = subject.tool
    assert tool is not None  # noqa: S101  the rule's scope
    if not tool.is_whole:
        return
    yield from _body(tool)
    yield from _odd(tool)
    if any(len(fault.keys) <= 1 and fault.code == "TM103" for fault in tool.schema_faults):
        return  # which parameters there are is not known
    made = _Made(tool, subject.workspace)
    yield from _path(tool, made)
    for keys, side in _sides(tool):
        for name in sorted(named_arguments(side)):
            problem = tool.argument(name).problem
            if problem and not made.mentions(name):
                hint = f"a constant is written as {{value: {_constant(side)}}}"
                what = f"{keys[0]} {'.'.join(map(str, keys[1:]))} takes '{name}', but {problem}"
                yield Hit(tool.locate(*keys), what, hint, code="TM113")


def _constant(side: str) -> str:
    return side if len(side) <= 40 and side.isprintable() and not set(side) & set("{}:#") else "..."


class _Made:
    """What a preprocess function may add to the arguments: names that its files mention."""

    def __init__(self, tool: LintTool, workspace: LintWorkspace) -> None:
        self._files: list[bytes] | None = None
        for role, ref in tool.references:
            if role == "preprocess":
                home = None if isinstance(ref, ConfigError) else workspace.home_of(ref.home)
                files = home.files if home else ()
                self._files = [file.data for file in files if file.is_python]

    def mentions(self, name: str) -> bool:
        """Say whether an argument of this path may come from there."""
        if self._files is None:
            return False
        first = name.partition(".")[0].strip('"').encode()
        return not self._files or any(first in data for data in self._files)


def _path(tool: LintTool, made: _Made) -> Iterator[Hit]:
    """Yield what is wrong with the names in `path`; at the path, or at the own parameters."""
    path = tool.values.get("path")
    if not isinstance(path, str) or not (tool.is_own("path") or tool.is_own("parameters")):
        return
    at = tool.locate("path" if tool.is_own("path") else "parameters")
    try:
        names = sorted(path_names(path))
    except ConfigError as error:
        if tool.is_own("path"):
            yield Hit(at, error.message, hit_of(error).help, code="TM107")
        return
    for name in names:
        found = tool.argument(name)
        if made.mentions(name):
            continue
        if found.problem:
            yield Hit(at, f"path takes '{name}', but {found.problem}", code="TM107")
        elif found.optional:
            what = f"path takes '{name}', but '{found.optional}' is not required"
            yield Hit(at, what, "list it under required, or give it a default", code="TM107")


def _body(tool: LintTool) -> Iterator[Hit]:
    method = tool.values.get("method")
    if method not in _BODILESS or tool.values.get("body") is None:
        return
    own = [field for field in ("body", "method") if tool.is_own(field)]
    if own:
        what = f"a {method} has no body"
        hint = "send the values as query, or use POST with read_only: true if it only reads"
        yield Hit(tool.locate(own[0]), what, hint, code="TM116")


def _sides(tool: LintTool) -> Iterator[tuple[Keys, str]]:
    """Yield every right side that is a text, with its keys."""
    for field in _SPECS:
        spec = tool.values.get(field)
        if isinstance(spec, Mapping) and tool.is_own(field):
            yield from _texts((field,), spec)


def _texts(keys: Keys, spec: Any) -> Iterator[tuple[Keys, str]]:
    if isinstance(spec, str):
        yield keys, spec
    elif isinstance(spec, Mapping) and not is_constant(spec):
        for key, side in spec.items():
            yield from _texts((*keys, key), side)
    elif isinstance(spec, list):
        for number, side in enumerate(spec):
            yield from _texts((*keys, number), side)


def _odd(tool: LintTool) -> Iterator[Hit]:
    """Yield right sides that are neither text nor constant."""
    for field in _SPECS:
        spec = tool.values.get(field)
        if isinstance(spec, Mapping) and tool.is_own(field):
            yield from _odd_below(tool, (field,), spec)


def _odd_below(tool: LintTool, keys: Keys, spec: Any) -> Iterator[Hit]:
    if isinstance(spec, str) or is_constant(spec):
        return
    if isinstance(spec, Mapping | list):
        for key, side in spec.items() if isinstance(spec, Mapping) else enumerate(spec):
            yield from _odd_below(tool, (*keys, key), side)
        return
    for failure in odd_sides(spec):
        what = f"{keys[0]} {'.'.join(map(str, keys[1:]))} is {spec!r}, which names no parameter"
        yield Hit(tool.locate(*keys), what, failure.message, code="TM113")


RULE = Rule("TM107", "tool", check, ("TM107", "TM113", "TM116"))
