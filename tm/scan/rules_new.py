"""`__new__` (point 8): it returns what it makes of its own class, and nothing else.

`copy` and `pickle` make an object by `__new__` and then set attributes on what came back: one that
returns another object writes to that, be it a class of the library or a function of tm.
"""

from __future__ import annotations

import ast

from tm.scan.facts import AnyUse, Facts
from tm.scan.hits import INTERPRETER
from tm.scan.report import Report

_BASES = frozenset({"object", "str", "int", "float", "tuple", "frozenset", "dict", "list", "bytes"})


def check_new(node: ast.FunctionDef, use: AnyUse, facts: Facts, report: Report) -> None:
    """Refuse a `__new__` that could return anything but a new object of its class."""
    made = {
        part.targets[0].id
        for part in ast.walk(node)
        if isinstance(part, ast.Assign)
        and isinstance(part.targets[0], ast.Name)
        and _makes(part.value, node, use, facts)
    }
    bound = _bound(node)
    for part in ast.walk(node):
        if not isinstance(part, ast.Return) or part.value is None:
            continue
        value = part.value
        is_made = isinstance(value, ast.Name) and value.id in made and bound.count(value.id) == 1
        if not is_made and not _makes(value, node, use, facts):
            _refuse(part, report)
    if node.decorator_list:
        _refuse(node, report)


def _makes(value: ast.expr, node: ast.FunctionDef, use: AnyUse, facts: Facts) -> bool:
    """Tell whether an expression is `super().__new__(cls, ...)`, or that of a builtin class."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    if not isinstance(value, ast.Call) or not arguments or not value.args:
        return False
    func, first, cls = value.func, value.args[0], arguments[0].arg
    if not isinstance(func, ast.Attribute) or func.attr != "__new__":
        return False
    bound = _bound(node)
    own = isinstance(first, ast.Name) and first.id == cls and bound.count(cls) == 1
    base, names = func.value, _BASES
    if isinstance(base, ast.Call) and not base.args and not base.keywords:
        base, names = base.func, frozenset({"super"})
    if not own or not isinstance(base, ast.Name) or base.id not in names or base.id in bound:
        return False
    return facts.is_builtin(base, use.scope, base.id)


def _bound(node: ast.FunctionDef) -> list[str]:
    """Return every name that is bound in a function, as often as it is."""
    names: list[str] = []
    for part in ast.walk(node):
        if isinstance(part, ast.arg):
            names.append(part.arg)
        elif isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            names.append(part.id)
        elif isinstance(part, ast.Global | ast.Nonlocal):
            names += part.names
        elif isinstance(part, ast.alias | ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
            names += (
                [part.asname or part.name] if isinstance(part, ast.alias) else [part.name or ""]
            )
        elif isinstance(part, ast.FunctionDef | ast.ClassDef) and part is not node:
            names.append(part.name)
    return names


def _refuse(part: ast.stmt, report: Report) -> None:
    report.add(
        INTERPRETER,
        part,
        "'__new__' may return an object that is not of its class, on which attributes are then set",
        "return super().__new__(cls, ...), or use a function that gives the object",
    )
