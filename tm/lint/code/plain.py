"""Functions that are seen at a glance to be right, as most are: one walk, and no frames.

A function is plain in some way only where the code that follows names, helpers and ways would
find nothing wrong in that way. What is not plain is not wrong: that code looks at it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

from tm.lint.code.home_code import HomeCode
from tm.lint.code.roles import Function
from tm.lint.code.values import CTX_KEYS
from tm.lint.code.ways import node_fields, truth
from tm.records import record

_KEYS: Final = frozenset(CTX_KEYS)
_LEVELS: Final = frozenset({"debug", "info", "success", "warning", "error"})
_NO_NODES: Final = frozenset({ast.Constant, str, int, type(None)})
"""Fields that hold nothing to look into."""
_NOTED: Final = frozenset({ast.Return, ast.ExceptHandler})
_BLOCKS: Final = ("body", "orelse", "handlers")
_UNCLEAR: Final = frozenset(
    {
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Match, ast.TryStar),
        *(ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.AsyncFor, ast.AsyncWith),
    }
)
"""Other scopes, other ways to bind a name, and ways that take a closer look."""


@record
class Plain:
    """What is seen of a function at a glance.

    Attributes:
        keys: of ctx, where it is only used as `ctx["key"]` with keys that there are; None: there
            are other uses, or it can't be told.
        returns: every way ends in a result or an exception.
        logs: there is a log line at the start, and one right before each end.
    """

    keys: frozenset[str] | None = None
    returns: bool = False
    logs: bool = False


_UNKNOWN: Final = Plain()


def plain_of(code: HomeCode, node: Function, ctx: str | None) -> Plain:
    """Return what is seen of a function whose parameter `ctx` is ctx; looked for once."""
    key = (id(node), ctx)
    found = code.plain.get(key)
    if not isinstance(found, Plain):
        found = code.plain[key] = _Glance(ctx).of(node) if ctx else _UNKNOWN
    return found


class _Glance:
    """One walk over the nodes of a function."""

    def __init__(self, ctx: str) -> None:
        self._ctx = ctx
        self._keys: set[str] = set()
        self._stored: list[str] = []
        self._has_bare_return = False

    def of(self, node: Function) -> Plain:
        if not all(self._is_clear(statement) for statement in node.body):
            return _UNKNOWN
        last = node.body[-1]
        ends = isinstance(last, ast.Return | ast.Raise)
        return Plain(
            frozenset(self._keys),
            ends and not self._has_bare_return,
            _LogLines(self._ctx, self._stored).are_right(node.body),
        )

    def _is_clear(self, statement: ast.stmt) -> bool:
        """Note what a statement holds; False where something in it is not seen through."""
        stack: list[ast.AST] = [statement]
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is ast.Constant:
                continue
            if kind is ast.Name:
                if not self._is_clear_name(node):  # type: ignore[arg-type]  # its kind is known
                    return False
                continue
            if kind is ast.Subscript and (key := _key(node, self._ctx)):
                self._keys.add(key)
                continue
            if kind in _UNCLEAR or (kind in _NOTED and not self._is_clear_node(node)):
                return False
            stack += _inside(node)
        return True

    def _is_clear_name(self, node: ast.Name) -> bool:
        if isinstance(node.ctx, ast.Store):
            self._stored.append(node.id)
        return node.id != self._ctx

    def _is_clear_node(self, node: ast.AST) -> bool:
        """Note what ends the function; False where an exception takes the name of ctx."""
        if isinstance(node, ast.Return):
            self._has_bare_return |= node.value is None
        elif isinstance(node, ast.ExceptHandler) and node.name is not None:
            self._stored.append(node.name)
            return node.name != self._ctx
        return True


def _inside(node: ast.AST) -> list[ast.AST]:
    """Return the nodes that a node holds."""
    found: list[ast.AST] = []
    for name in node_fields(node):
        value: Any = getattr(node, name, None)
        kind = type(value)
        if kind is list:
            found += [item for item in value if item is not None]  # the key of `**` in a dict
        elif kind not in _NO_NODES:
            found.append(value)
    return found


def _key(node: ast.AST, ctx: str) -> str | None:
    """Return the key of `ctx["key"]`; None for anything else, and for keys that there are not."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return key if node.value.id == ctx and isinstance(key, str) and key in _KEYS else None


class _LogLines:
    """Where the log lines of a function stand, whose nodes are clear."""

    def __init__(self, ctx: str, stored: list[str]) -> None:
        self._ctx = ctx
        self._stored = stored
        self._loggers: set[str] = set()
        self._first: ast.stmt | None = None

    def are_right(self, body: list[ast.stmt]) -> bool:
        """Say whether the first statement and the one before each end is a log line."""
        self._first = next((one for one in body if not self._is_before(one)), None)
        if self._first is None or not self._is_line(self._first):
            return False
        last = body[-1]
        if not isinstance(last, ast.Return | ast.Raise) and not self._is_later_line(last):
            return False
        return self._is_right(body)

    def _is_before(self, node: ast.stmt) -> bool:
        """Say whether a statement may stand before the first line: a docstring, `log = ...`."""
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Constant)
        if not isinstance(node, ast.Assign) or _key(node.value, self._ctx) != "logger":
            return False
        target = node.targets[0]
        if not isinstance(target, ast.Name) or self._stored.count(target.id) > 1:
            return False
        self._loggers.add(target.id)
        return len(node.targets) == 1

    def _is_later_line(self, node: ast.stmt) -> bool:
        return node is not self._first and self._is_line(node)

    def _is_line(self, node: ast.stmt) -> bool:
        """Say whether a statement is a log line whose arguments call nothing."""
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            return False
        call = node.value
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _LEVELS:
            return False
        logger = call.func.value
        named = isinstance(logger, ast.Name) and logger.id in self._loggers
        if not named and _key(logger, self._ctx) != "logger":
            return False
        return all(map(_calls_nothing, (*call.args, *call.keywords)))

    def _is_right(self, body: list[ast.stmt]) -> bool:
        """Say whether in a block, and those inside it, a log line stands before each return."""
        before: ast.stmt | None = None
        for node in body:
            if isinstance(node, ast.Return):
                is_logged = before is not None and self._is_later_line(before)
                if not is_logged or not _calls_nothing(node.value):
                    return False
            elif not all(self._is_right(block) for block in _blocks(node)) or _is_unclear(node):
                return False
            before = node
        return True


def _is_unclear(node: ast.stmt) -> bool:
    """Say whether what follows `finally` or a loop's test takes a closer look."""
    if isinstance(node, ast.While):
        return truth(node.test) is not None
    return isinstance(node, ast.Try) and bool(node.finalbody)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in _BLOCKS:
        block = getattr(node, name, None)
        if name == "handlers":
            yield from (handler.body for handler in block or ())
        elif block:
            yield block


def _calls_nothing(node: ast.AST | None) -> bool:
    stack = [] if node is None else [node]
    while stack:
        inner = stack.pop()
        kind = type(inner)
        if kind is ast.Call:
            return False
        if kind is not ast.Constant and kind is not ast.Name:
            stack += _inside(inner)
    return True
