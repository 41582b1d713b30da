"""ctx is read, not written (point 11)."""

from __future__ import annotations

import ast

from tm.scan.facts import AnyUse, Facts
from tm.scan.hits import INTERPRETER
from tm.scan.policy import MUTATORS, WRITABLE_CTX
from tm.scan.report import Report
from tm.scan.values import ctx_path

_HELP = 'return what should change; only ctx["session"] keeps values between calls'


def check_ctx(facts: Facts, report: Report) -> None:
    """Find assignments, deletions and changing methods on ctx and what it holds."""
    for use in facts.of(ast.Subscript):
        node = use.node
        if not isinstance(node.ctx, ast.Load):
            _check(node.value, node, use, facts, report)
    for method in facts.of(ast.Attribute):
        if method.node.attr in MUTATORS:
            _check_method(method.node, method, facts, report)
        elif method.node.attr == "maps" and facts.once("chained", lambda: _is_chained(facts)):
            report.add(INTERPRETER, method.node, "'.maps' of a ChainMap hands out ctx", _HELP)
    for change in facts.of(ast.AugAssign):
        if isinstance(change.node.target, ast.Name):
            _check(change.node.target, change.node, change, facts, report)


def _is_chained(facts: Facts) -> bool:
    """Tell whether the file puts ctx, or a part of it, into a ChainMap."""
    return any(
        facts.imported(use.node.func, use.scope)
        in {("collections", "ChainMap"), ("typing", "ChainMap")}
        and any(ctx_path(facts, value, use.scope) is not None for value in use.node.args)
        for use in facts.of(ast.Call)
    )


def _check_method(node: ast.Attribute, use: AnyUse, facts: Facts, report: Report) -> None:
    """Check `ctx.update(...)`, and `dict.update(ctx, ...)` as well."""
    _check(node.value, node, use, facts, report)
    call = use.parent if facts.is_builtin(node.value, use.scope, "dict") else None
    if call is not None and not (isinstance(call, ast.Call) and call.func is node):
        report.add(
            INTERPRETER,
            node,
            f"'dict.{node.attr}' under another name can change ctx",
            f"call the method of your own dict: `values.{node.attr}(...)`",
        )
    if isinstance(call, ast.Call) and call.func is node and call.args:
        _check(call.args[0], node, use, facts, report)


def _check(base: ast.AST, node: ast.AST, use: AnyUse, facts: Facts, report: Report) -> None:
    path = ctx_path(facts, base, use.scope)
    if path is None or (path and path[0] in WRITABLE_CTX):
        return
    where = "ctx" + "".join(f'["{key}"]' for key in path)
    report.add(INTERPRETER, node, f"{where} is changed, but ctx is read, not written", _HELP)
