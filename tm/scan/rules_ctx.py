"""ctx is read, not written (point 11)."""

from __future__ import annotations

import ast

from tm.scan.facts import Facts, Use
from tm.scan.hits import INTERPRETER
from tm.scan.policy import MUTATORS, WRITABLE_CTX
from tm.scan.report import Report
from tm.scan.values import ctx_path

_HELP = 'return what should change; only ctx["session"] keeps values between calls'


def check_ctx(facts: Facts, report: Report) -> None:
    """Find assignments, deletions and changing methods on ctx and what it holds."""
    for use in facts.of(ast.Subscript):
        node = use.node
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            _check(node.value, node, use, facts, report)
    for use in facts.of(ast.Call):
        node = use.node
        method = node.func if isinstance(node, ast.Call) else None
        if isinstance(method, ast.Attribute) and method.attr in MUTATORS:
            _check(method.value, node, use, facts, report)
    for use in facts.of(ast.AugAssign):
        node = use.node
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            _check(node.target, node, use, facts, report)


def _check(base: ast.AST, node: ast.AST, use: Use, facts: Facts, report: Report) -> None:
    path = ctx_path(facts, base, use.scope)
    if path is None or (path and path[0] in WRITABLE_CTX):
        return
    where = "ctx" + "".join(f'["{key}"]' for key in path)
    report.add(INTERPRETER, node, f"{where} is changed, but ctx is read, not written", _HELP)
