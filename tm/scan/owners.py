"""Which class of the file a value belongs to: `self`, `Own`, `Own()`."""

from __future__ import annotations

import ast

from tm.scan.facts import Facts, Kind, Scope


def own_class(facts: Facts, node: ast.AST, scope: Scope) -> ast.AST | None:
    """Return the class of this file that `self`, `cls` or its own name stand for."""
    if not isinstance(node, ast.Name):
        return None
    bindings = facts.bindings(node.id, scope)
    for binding in bindings:
        if binding.kind is Kind.CLASS:
            return binding.node
    inside = scope.enclosing("class")
    is_self = node.id in {"self", "cls"} and bool(bindings) and inside is not None
    return inside.node if is_self and inside is not None else None


def maker(facts: Facts, node: ast.AST, scope: Scope) -> ast.AST | None:
    """Return the class of this file that made a value: `Own()`, or a name bound to that only."""
    if isinstance(node, ast.Call):
        return own_class(facts, node.func, scope)
    if not isinstance(node, ast.Name):
        return None
    bindings = facts.bindings(node.id, scope)
    calls = [b.value.func for b in bindings if isinstance(b.value, ast.Call)]
    owners = [own_class(facts, call, scope) for call in calls]
    complete = bool(owners) and len(owners) == len(bindings) and all(owners)
    return owners[0] if complete else None
