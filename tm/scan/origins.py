"""What every tool of the process shares: modules, their members, builtins, classes of values."""

from __future__ import annotations

import ast

from tm.scan.facts import Facts, Scope
from tm.scan.flow import Seen, parts_of
from tm.scan.policy import BUILTINS
from tm.scan.values import is_type_of

# Calls that hand out what is there already; others make something new.
_GIVES_SHARED = frozenset(
    {("decimal", "getcontext"), ("http", "HTTPStatus"), ("http", "HTTPMethod")}
)


def is_shared(facts: Facts, node: ast.AST, scope: Scope, seen: Seen | None = None) -> bool:
    """Return whether a value may be one that every tool of the process sees.

    It is followed through assignments, loops, tables, fields, and calls of the file's functions.
    """
    if isinstance(node, ast.Name) and seen is None:
        if not facts.bindings(node.id, scope):
            return node.id in BUILTINS
        return facts.remember(
            "shared", node.id, scope, lambda: is_shared(facts, node, scope, set()), none=False
        )
    seen = set() if seen is None else seen
    if _is_named(facts, node, scope, seen):
        return True
    parts = parts_of(facts, node, scope, seen)
    return any(is_shared(facts, part, inside, seen) for part, inside in parts)


def _is_named(facts: Facts, node: ast.AST, scope: Scope, seen: Seen) -> bool:
    """Return whether the expression itself names something shared, or a part of it."""
    if isinstance(node, ast.Name):
        if not facts.bindings(node.id, scope):
            return node.id in BUILTINS
        return facts.imports(node.id, scope)
    if isinstance(node, ast.Call):
        given = facts.imported(node.func, scope) in _GIVES_SHARED
        return given or is_type_of(facts, node, scope)
    if isinstance(node, ast.Attribute | ast.Subscript):
        return is_shared(facts, node.value, scope, seen)
    return False
