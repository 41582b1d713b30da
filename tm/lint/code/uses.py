"""How a tool's function uses ctx, itself and through the helpers that it hands ctx to."""

from __future__ import annotations

import ast
from collections import deque
from typing import Literal, TypeAlias

from tm.lint.code.frames import Frame
from tm.lint.code.values import COPY, MAPPING_METHODS, Path, Text, evaluate
from tm.lint.subjects import LintFile
from tm.records import record, replace

Kind: TypeAlias = Literal["attribute", "key", "tool", "guarded"]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@record
class Use:
    """One use of ctx.

    Attributes:
        kind: `attribute` for `ctx.x`, `key` for `ctx["x"]`, `guarded` for a key that is only
            looked for (`ctx.get`, or a test `"x" in ctx` in the function), `tool` for a call.
        node: the attribute, the key, or the call.
        name: the attribute or key; empty for a call.
        texts: the constant names of a called tool.
        entry: the place in the tool's own function that leads there.
    """

    kind: Kind
    file: LintFile
    node: ast.AST
    name: str
    texts: tuple[Text, ...]
    entry: ast.AST


def uses_of(frame: Frame, seen: set[tuple[object, ...]] | None = None) -> list[Use]:
    """Return the uses of ctx in a function and in the helpers that it calls with a part of ctx.

    Args:
        seen: keys of frames not to look at again; those that are looked at come to it.
    """
    found: list[Use] = []
    seen = set() if seen is None else seen
    if frame.key in seen:
        return found
    seen.add(frame.key)
    left: deque[tuple[Frame, ast.AST | None]] = deque([(frame, None)])
    while left:
        current, entry = left.popleft()
        local = _local(current)
        found += [replace(use, entry=entry) if entry else use for use in local.uses]
        for node, inner in local.goes_on:
            if inner.key not in seen:
                seen.add(inner.key)
                left.append((inner, entry or node))
    return found


class _Local:
    """What one function does itself.

    Attributes:
        goes_on: the functions that it leads into, and where it does.
    """

    def __init__(self, frame: Frame) -> None:
        self.uses: list[Use] = []
        self.goes_on: list[tuple[ast.AST | None, Frame]] = []
        guarded = _guarded(frame)
        for node in frame.nodes:
            self._use(node, frame, guarded)
            if isinstance(node, ast.Call):
                self._follow(node, frame)
            elif isinstance(node, _FUNCTIONS):
                self.goes_on.append((None, frame.inner(node)))
            elif isinstance(node, ast.ClassDef):
                methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
                self.goes_on += [(None, frame.inner(method)) for method in methods]

    def _follow(self, call: ast.Call, frame: Frame) -> None:
        """Go on into a helper that is given something known, or sees it as a nested function."""
        called = frame.called(call)
        if called is not None and (called.has_given or called.outer is not None):
            self.goes_on.append((call, called))

    def _use(self, node: ast.AST, frame: Frame, guarded: set[str]) -> None:
        found = _read(node, frame)
        if found is not None:
            kind, name, at, texts = found
            if kind == "key" and name in guarded:
                kind = "guarded"
            self.uses.append(Use(kind, frame.file, at, name, texts, node))


def _local(frame: Frame) -> _Local:
    """Return what a function does itself; found out once."""
    if not isinstance(frame.local, _Local):
        frame.local = _Local(frame)
    return frame.local


Found: TypeAlias = tuple[Kind, str, ast.AST, tuple[Text, ...]]


def _read(node: ast.AST, frame: Frame) -> Found | None:
    """Return what one node does with ctx, or None."""
    if isinstance(node, ast.Attribute):
        is_ctx = node.attr not in MAPPING_METHODS and _path(node.value, frame) in {(), COPY}
        return ("attribute", node.attr, node, ()) if is_ctx else None
    if isinstance(node, ast.Subscript):
        return _key("key", node.slice, node.value, frame)
    if isinstance(node, ast.Call):
        return _call(node, frame)
    return None


def _call(node: ast.Call, frame: Frame) -> Found | None:
    func = node.func
    if isinstance(func, ast.Attribute) and func.attr == "get" and node.args:
        found = _key("guarded", node.args[0], func.value, frame)
        if found:
            return found
    if _path(func, frame) != ("tool",):
        return None
    name = node.args[0] if node.args else _keyword(node, "name")
    texts = evaluate(name, frame).texts if name is not None else ()
    return "tool", "", node, texts


def _keyword(node: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def _key(kind: Kind, key: ast.expr, base: ast.expr, frame: Frame) -> Found | None:
    if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
        return None
    path = _path(base, frame)
    return (kind, key.value, key, ()) if path == () else None


def _path(node: ast.expr, frame: Frame) -> Path | None:
    if not isinstance(node, ast.Name | ast.Subscript | ast.Attribute | ast.Call | ast.NamedExpr):
        return None
    return evaluate(node, frame).path


def _guarded(frame: Frame) -> set[str]:
    """Return the keys that the function first looks for: `"http" in ctx`."""
    return {
        node.left.value
        for node in frame.nodes
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.In | ast.NotIn)
        and isinstance(node.left, ast.Constant)
        and isinstance(node.left.value, str)
        and _path(node.comparators[0], frame) == ()
    }
