"""Nothing that other tools see is changed: classes, functions and tables of allowed modules."""

from __future__ import annotations

import ast

from tm.scan.facts import AnyUse, Facts, Kind, dotted
from tm.scan.hits import INTERPRETER
from tm.scan.origins import is_shared
from tm.scan.policy import MUTATORS, SHARED_TABLES
from tm.scan.report import Report

_CHANGES = MUTATORS | {"sort", "reverse", "add", "discard"}


def check_shared(facts: Facts, report: Report) -> None:
    """Find assignments, deletions and changing methods on what belongs to the process."""
    for use in facts.of(ast.Attribute):
        node = use.node
        if not isinstance(node.ctx, ast.Load):
            if is_shared(facts, node.value, use.scope) or _is_super(node.value, use, facts):
                _refuse(node, node, report)
        elif node.attr in _CHANGES and _is_table(node.value, use, facts):
            _refuse(node, node.value, report)
    for item in facts.of(ast.Subscript):
        changed = not isinstance(item.node.ctx, ast.Load)
        if changed and is_shared(facts, item.node.value, item.scope):
            _refuse(item.node, item.node.value, report)
    for call in facts.of(ast.Call):
        _check_wraps(call.node, call, facts, report)


def _is_super(base: ast.AST, use: AnyUse, facts: Facts) -> bool:
    return isinstance(base, ast.Call) and facts.is_builtin(base.func, use.scope, "super")


def _is_table(base: ast.expr, use: AnyUse, facts: Facts) -> bool:
    """Return whether it is a table that an allowed module or one of its classes keeps.

    `Counter.update(self, ...)` is no such thing: that is a method of a class.
    """
    imported = facts.imported(base, use.scope)
    if imported is not None:
        return ".".join(imported) in SHARED_TABLES
    if isinstance(base, ast.Attribute):
        return is_shared(facts, base.value, use.scope)
    bindings = facts.bindings(base.id, use.scope) if isinstance(base, ast.Name) else []
    named = any(binding.kind is Kind.MODULE for binding in bindings)
    return bool(bindings) and not named and is_shared(facts, base, use.scope)


def _check_wraps(node: ast.Call, use: AnyUse, facts: Facts, report: Report) -> None:
    """Find `wraps(own)(json.dumps)`, which renames a function of the library."""
    outer = node.func
    if not isinstance(outer, ast.Call):
        return
    if facts.imported(outer.func, use.scope) == ("functools", "wraps") and any(
        is_shared(facts, value, use.scope) for value in node.args
    ):
        _refuse(node, node.args[0], report)


def _refuse(node: ast.AST, what: ast.AST, report: Report) -> None:
    name = ".".join(dotted(what))
    said = f"'{name}' changes" if name else "this changes"
    report.add(
        INTERPRETER,
        node,
        f"{said} a class, function or table for the whole process",
        "set attributes on objects of your own classes only; copy a table before you change it",
    )
