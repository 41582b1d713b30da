"""TM207: tools that call each other in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from tm.errors import Location
from tm.lint.code.frames import role_frame
from tm.lint.code.home_code import HomeCode, code_of
from tm.lint.code.places import end, place
from tm.lint.code.plain import plain_of
from tm.lint.code.roles import tool_functions
from tm.lint.code.uses import Use, uses_of
from tm.lint.rule import Hit, Rule, Subject
from tm.lint.subjects import LintHome, LintTool

Edges: TypeAlias = Mapping[str, Mapping[str, Use]]
"""For each tool the tools that it calls, with the call."""


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit for each circle, at the call of its first tool (by name) in this home."""
    home = subject.home
    tools = _tools(home)
    edges = _edges(home, tools)
    for circle in _circles(edges):
        if any(tools[name].home is home for name in circle):
            yield _hit(circle, edges, tools, home)


def _tools(home: LintHome) -> dict[str, LintTool]:
    """Return the tools as code of this home finds them by name: its own before the shared ones."""
    found: dict[str, LintTool] = {}
    for tool in (*home.tools, *(home.shared.tools if home.shared else ())):
        found.setdefault(tool.name, tool)
    return found


def _edges(home: LintHome, tools: Mapping[str, LintTool]) -> dict[str, dict[str, Use]]:
    code = code_of(home)
    return {name: _calls(code, tool, tools) for name, tool in sorted(tools.items())}


def _calls(code: HomeCode, tool: LintTool, tools: Mapping[str, LintTool]) -> dict[str, Use]:
    found: dict[str, Use] = {}
    for function in tool_functions(tool, code.home):
        if function.role == "postprocess":
            continue  # its ctx has no "tool"; TM203 tells that
        keys = plain_of(code, function.node, function.ctx).keys
        if keys is not None and "tool" not in keys:
            continue
        for use in uses_of(role_frame(code, function)):
            for text in use.texts if use.kind == "tool" else ():
                if text.value in tools:
                    found.setdefault(text.value, use)
    return found


def _circles(edges: Edges) -> Iterator[list[str]]:
    """Yield each circle that a walk in the order of the names closes, its first name first."""
    done: set[str] = set()
    for start in edges:
        if start not in done:
            yield from _walk(start, edges, done)


def _walk(start: str, edges: Edges, done: set[str]) -> Iterator[list[str]]:
    """Walk from one tool, without recursion: chains of tools can be long."""
    way: list[str] = [start]
    left = [iter(sorted(edges[start]))]
    while way:
        step = next(left[-1], None)
        if step is None:
            done.add(way.pop())
            left.pop()
        elif step in way:
            circle = way[way.index(step) :]
            first = circle.index(min(circle))
            yield circle[first:] + circle[:first]
        elif step not in done:
            way.append(step)
            left.append(iter(sorted(edges[step])))


def _hit(circle: list[str], edges: Edges, tools: Mapping[str, LintTool], home: LintHome) -> Hit:
    steps = list(zip(circle, (*circle[1:], circle[0]), strict=True))
    own = [(a, edges[a][b]) for a, b in steps if edges[a][b].file.home == home.code]
    name = own[0][0] if own else next(n for n in circle if tools[n].home is home)
    at: Location = place(own[0][1].file, own[0][1].node) if own else tools[name].own.at
    words = " -> ".join((*circle, circle[0]))
    return Hit(
        at,
        f"tools call each other in a circle: {words}" if len(circle) > 1 else _itself(circle[0]),
        "let one of them get its data from an API, or put what both need into a helper function",
        end(own[0][1].file, own[0][1].node) if own else None,
        name,
    )


def _itself(name: str) -> str:
    return f"tool '{name}' calls itself"


RULE = Rule("TM207", "home", check)
