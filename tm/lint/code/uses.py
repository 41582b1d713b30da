"""How a tool's function uses ctx, itself and through the helpers that it hands ctx to."""

from __future__ import annotations

import ast
from collections import deque
from typing import Literal, TypeAlias

from tm.lint.code.frames import Frame
from tm.lint.code.values import COPY, MAPPING_METHODS, Path, Text, evaluate
from tm.lint.subjects import LintFile
from tm.records import record

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


def uses_of(frame: Frame) -> list[Use]:
    """Return the uses of ctx in a function and in the helpers that it calls with a part of ctx."""
    if frame.uses is None:
        walk = _Walk()
        walk.look(frame)
        frame.uses = walk.found
    return frame.uses


class _Walk:
    def __init__(self) -> None:
        self.found: list[Use] = []
        self._seen: set[tuple[object, ...]] = set()
        self._left: deque[tuple[Frame, ast.AST | None]] = deque()

    def look(self, frame: Frame) -> None:
        """Look at a function, its nested functions and its helpers, the nearest first."""
        self._note(frame, None)
        while self._left:
            self._visit(*self._left.popleft())

    def _note(self, frame: Frame, entry: ast.AST | None) -> None:
        if frame.key not in self._seen:
            self._seen.add(frame.key)
            self._left.append((frame, entry))

    def _visit(self, frame: Frame, entry: ast.AST | None) -> None:
        guarded = _guarded(frame)
        for node in frame.nodes:
            self._use(node, frame, entry, guarded)
            if isinstance(node, ast.Call):
                self._follow(node, frame, entry)
            elif isinstance(node, _FUNCTIONS):
                self._note(frame.inner(node), entry)
            elif isinstance(node, ast.ClassDef):
                self._class(node, frame, entry)

    def _class(self, node: ast.ClassDef, frame: Frame, entry: ast.AST | None) -> None:
        for inner in node.body:
            if isinstance(inner, ast.FunctionDef):
                self._note(frame.inner(inner), entry)

    def _follow(self, call: ast.Call, frame: Frame, entry: ast.AST | None) -> None:
        """Go on into a helper that is given something known, or sees it as a nested function."""
        called = frame.called(call)
        if called is not None and (called.has_given or called.outer is not None):
            self._note(called, entry or call)

    def _use(self, node: ast.AST, frame: Frame, entry: ast.AST | None, guarded: set[str]) -> None:
        found = _read(node, frame)
        if found is not None:
            kind, name, at, texts = found
            if kind == "key" and name in guarded:
                kind = "guarded"
            self.found.append(Use(kind, frame.file, at, name, texts, entry or node))


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
