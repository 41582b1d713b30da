"""TM208: a way through a function of a tool that returns nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tm.errors import Location
from tm.lint.code.home_code import HomeCode, code_of
from tm.lint.code.places import place
from tm.lint.code.plain import plain_of
from tm.lint.code.roles import RoleFunction, role_functions
from tm.lint.code.ways import is_generator
from tm.lint.rule import Hit, Rule, Subject


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit at each `def` that can end without a result."""
    seen: set[Location] = set()
    for function in role_functions(subject.home):
        at = place(function.file, function.node)
        why = _why(code_of(subject.home), function)
        if why is not None and at not in seen:
            seen.add(at)
            yield Hit(
                at,
                f"'{function.node.name}' {why}",
                "return a result on every way, or raise ToolError where there is none",
                (at.line or 1, (at.col or 1) + 4 + len(function.node.name)),
                function.tool,
            )


def _why(code: HomeCode, function: RoleFunction) -> str | None:
    """Return how a function ends without a result; None where it never does."""
    if is_generator(function.node, function.file.data):
        return "yields, so its result is a generator and no JSON"
    if plain_of(code, function.node, function.ctx).returns:
        return None
    ways = code.ways(function.file, function.node)
    ends = [way for way in ways if way.kind in {"next", "bare"}]
    if not ends:
        return None
    if not any(way.kind == "value" for way in ways):
        return "never returns a result"
    first = min(ends, key=lambda way: getattr(way.node, "end_lineno", 1))
    if first.kind == "bare":
        return f"returns nothing at line {getattr(first.node, 'lineno', 1)}"
    return f"ends without `return` {_last(first.node)}"


def _last(node: ast.AST) -> str:
    """Say which statement such a way ends with."""
    line = getattr(node, "lineno", 1)
    if isinstance(node, ast.If):
        return f"where the `if` of line {line} does not hold"
    if isinstance(node, ast.For | ast.While):
        return f"behind the loop of line {line}"
    if isinstance(node, ast.Match):
        return f"where no case of line {line} fits"
    if isinstance(node, ast.With):
        return f"behind the `with` of line {line}"
    return f"behind line {getattr(node, 'end_lineno', line)}"


RULE = Rule("TM208", "home", check)
