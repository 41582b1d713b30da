"""TM203 to TM206: wrong uses of ctx. One module, for they share the walk through the helpers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from tm.errors import did_you_mean, nearest
from tm.lint.code.frames import frame_of, role_frame
from tm.lint.code.home_code import HomeCode, code_of
from tm.lint.code.places import end, place
from tm.lint.code.plain import plain_of
from tm.lint.code.roles import Function, RoleFunction, role_functions
from tm.lint.code.uses import Use, uses_of
from tm.lint.code.values import CTX_KEYS, Known, Text
from tm.lint.rule import Hit, Rule, Subject
from tm.lint.subjects import LintFile, LintHome, LintWorkspace
from tm.model import SHARED

_KEY: Final = re.compile(r"^ *[\"']?([A-Za-z0-9_-]+)[\"']? *:", re.MULTILINE)

CALLS: Final = {"tool": "a tool", "http": "an API"}


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit for each wrong use, once for each place."""
    tools = _tool_names(subject.workspace, subject.home)
    seen: set[tuple[object, ...]] = set()
    for hit in _hits(subject.home, tools):
        key = (hit.code, hit.at)
        if key not in seen:
            seen.add(key)
            yield hit


def _hits(home: LintHome, tools: frozenset[str]) -> Iterator[Hit]:
    code = code_of(home)
    reached: set[int] = set()
    frames: set[tuple[object, ...]] = set()
    for function in role_functions(home):
        if _is_plain(code, function.node, function.ctx, function.role):
            continue
        seen: set[tuple[object, ...]] = set()
        for use in uses_of(role_frame(code, function), seen):
            reached.add(id(use.node))
            if use.file.home == home.code:
                yield from _wrong(use, function, tools)
            elif function.role == "postprocess":
                yield from _calls(use, function)
        frames |= seen
    yield from _unreached(home, tools, reached, frames)


def _unreached(
    home: LintHome, tools: frozenset[str], reached: set[int], frames: set[tuple[object, ...]]
) -> Iterator[Hit]:
    """Yield what is wrong in functions that nothing is known to call, but that take `ctx`.

    Their `ctx` may be something else, so only what is a part of ours counts.
    """
    for file in home.files:
        if not file.is_python or file.scan.hits or b"ctx" not in file.data:
            continue
        for node in file.functions.values():
            if not _takes_ctx(node) or _is_plain(code_of(home), node, "ctx"):
                continue
            for use in uses_of(frame_of(code_of(home), file, node, {"ctx": Known(())}), frames):
                if id(use.node) in reached or use.file.home != home.code:
                    continue
                if use.kind == "tool" or (use.kind == "attribute" and use.name in CTX_KEYS):
                    yield from _use_hits(use, None, tools)


def _is_plain(code: HomeCode, node: Function, ctx: str | None, role: str = "") -> bool:
    """Say whether a function surely uses ctx as it should, and calls no tool."""
    keys = plain_of(code, node, ctx).keys
    return keys is not None and keys.isdisjoint(CALLS if role == "postprocess" else ("tool",))


def _takes_ctx(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if argument.arg == "ctx":
            kind = argument.annotation
            return kind is None or getattr(kind, "id", getattr(kind, "value", "")) == "Ctx"
    return False


def _wrong(use: Use, function: RoleFunction, tools: frozenset[str]) -> Iterator[Hit]:
    if function.role == "postprocess":
        yield from _calls(use, function)
        if use.kind == "tool":
            return  # that it calls a tool is the fault, whatever its name
    yield from _use_hits(use, function.tool, tools)


def _use_hits(use: Use, tool: str | None, tools: frozenset[str]) -> Iterator[Hit]:
    if use.kind == "attribute":
        yield _attribute(use, tool)
    elif use.kind == "tool":
        yield from _unknown_tools(use, tool, tools)
    elif use.name not in CTX_KEYS:
        yield _unknown_key(use, tool)


def _calls(use: Use, function: RoleFunction) -> Iterator[Hit]:
    """Yield TM203 where a postprocess reaches for a tool or an API."""
    if use.kind not in {"key", "attribute"} or use.name not in CALLS:
        return
    via = ""
    if use.file is not function.file or use.entry is not use.node:
        at = place(use.file, use.node)
        via = f" (at {at.path}:{at.line})" if _is_elsewhere(use) else ""
    at = place(function.file, use.entry)
    yield Hit(
        at,
        f"postprocess '{function.node.name}' calls {CALLS[use.name]}{via}; "
        f'its ctx has no "{use.name}"',
        "move the call into a handler, which runs after postprocess and gets its result",
        end(function.file, use.entry),
        function.tool,
        code="TM203",
    )


def _is_elsewhere(use: Use) -> bool:
    return getattr(use.entry, "lineno", 0) != getattr(use.node, "lineno", 0)


def _attribute(use: Use, tool: str | None) -> Hit:
    known = use.name in CTX_KEYS
    near = nearest(use.name, CTX_KEYS, 1)
    key = use.name if known or not near else near[0]
    meant = f'write ctx["{key}"]' if known or near else f"there is {', '.join(CTX_KEYS)}"
    return Hit(
        place(use.file, use.node),
        f"ctx is a dict: it has no attribute '{use.name}'",
        meant,
        end(use.file, use.node),
        tool,
        fixable=known,
        code="TM204",
    )


def _unknown_key(use: Use, tool: str | None) -> Hit:
    return Hit(
        place(use.file, use.node),
        f"ctx has no key {use.name!r:.60}{did_you_mean(use.name, CTX_KEYS)}",
        f"there is {', '.join(CTX_KEYS)}",
        end(use.file, use.node),
        tool,
        code="TM206",
    )


def _unknown_tools(use: Use, tool: str | None, tools: frozenset[str]) -> Iterator[Hit]:
    several = len(use.texts) > 1
    for text in use.texts:
        if text.value in tools or (several and not nearest(text.value, sorted(tools), 1)):
            continue
        file, node = _where(use, text)
        yield Hit(
            place(file, node),
            f'ctx["tool"] names no tool: {text.value!r:.80}'
            f"{did_you_mean(text.value, sorted(tools))}",
            "name a tool of this tenant or a shared one",
            end(file, node),
            tool,
            code="TM205",
        )


def _where(use: Use, text: Text) -> tuple[LintFile, ast.AST]:
    """Return where an unknown name is told: where it is handed on, else at the call itself."""
    call = use.node
    names = call.args[:1] if isinstance(call, ast.Call) else []
    inside = any(inner is text.node for name in names for inner in ast.walk(name))
    if inside:
        return use.file, text.node
    if use.entry is not call and any(inner is text.node for inner in ast.walk(use.entry)):
        return text.file, text.node
    return use.file, (names[0] if names else call)


def _tool_names(workspace: LintWorkspace, home: LintHome) -> frozenset[str]:
    """Return the names that code of a home may call; of shared code, those of every tenant."""
    names = home.tool_names | _hidden_names(home)
    if home.code == SHARED:
        names |= frozenset().union(*(other.tool_names for other in workspace.homes))
    return names


def _hidden_names(home: LintHome) -> frozenset[str]:
    """Return the keys of files that could not be read: each may be a tool, which is told there."""
    homes = [place_ for place_ in (home, home.shared) if place_]
    broken = (file for place_ in homes for file in place_.files if file.source.problems)
    found = (_KEY.findall(file.data.decode("utf-8", "replace")) for file in broken)
    return frozenset(name for names in found for name in names)


RULE = Rule("TM203", "home", check, ("TM203", "TM204", "TM205", "TM206"))
