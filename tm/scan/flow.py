"""Where a value can come from: one step back along assignments, calls, tables and fields.

What lives here: the steps. What must not: what the rules look for at the end of them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tm.scan.calls import Value, passed, returned
from tm.scan.facts import Facts, Kind, Scope
from tm.scan.owners import own_class

# What was looked at already, so that circles and long chains of aliases end.
Seen = set[int]


def parts_of(facts: Facts, node: ast.AST, scope: Scope, seen: Seen) -> Iterator[Value]:
    """Yield the expressions that a value can come from, each with the scope it stands in."""
    find = _PARTS.get(type(node))
    for part in find(facts, node, scope, seen) if find is not None else ():
        if not facts.spend():
            return
        yield part


def _sources(facts: Facts, node: ast.Name, scope: Scope, seen: Seen) -> Iterator[Value]:
    """Yield what is assigned to a name, or handed over where the file calls its function."""
    for binding in facts.bindings(node.id, scope):
        if not facts.spend():
            return
        if id(binding) in seen:
            continue
        seen.add(id(binding))
        if binding.value is not None:
            yield binding.value, scope
        if binding.kind is Kind.PARAMETER:
            yield from passed(facts, binding)


def _walrus(_facts: Facts, node: ast.NamedExpr, scope: Scope, _seen: Seen) -> Iterator[Value]:
    yield node.value, scope


def _either(_facts: Facts, node: ast.IfExp, scope: Scope, _seen: Seen) -> Iterator[Value]:
    yield node.body, scope
    yield node.orelse, scope


def _any_of(_facts: Facts, node: ast.BoolOp, scope: Scope, _seen: Seen) -> Iterator[Value]:
    for value in node.values:
        yield value, scope


def _elements(facts: Facts, node: ast.Subscript, scope: Scope, seen: Seen) -> Iterator[Value]:
    """Yield what a table holds that is written out, under a name or as it is."""
    if id(node) in seen:
        return
    seen.add(id(node))
    tables: list[Value] = [(node.value, scope)]
    if isinstance(node.value, ast.Name):
        tables += _sources(facts, node.value, scope, set())
    for table, inside in tables:
        if isinstance(table, ast.Dict):
            yield from ((value, inside) for value in table.values)
        elif isinstance(table, ast.List | ast.Tuple):
            yield from ((value, inside) for value in table.elts)


def _fields(facts: Facts, node: ast.Attribute, scope: Scope, seen: Seen) -> Iterator[Value]:
    """Yield what the class of `self.NAME` or `Own.NAME` sets under that name."""
    owner = own_class(facts, node.value, scope)
    if owner is None:
        return
    for binding in facts.class_scopes[owner].names.get(node.attr, []):
        if binding.value is not None and id(binding) not in seen:
            seen.add(id(binding))
            yield binding.value, facts.class_scopes[owner]
    for value, inside in facts.set_on_self().get(node.attr, []):
        same = own_class(facts, ast.Name("self", ast.Load()), inside) is owner
        if same and id(value) not in seen:
            seen.add(id(value))
            yield value, inside


_PARTS: dict[type[ast.AST], Callable[..., Iterator[Value]]] = {
    ast.Name: _sources,
    ast.Call: returned,
    ast.Attribute: _fields,
    ast.NamedExpr: _walrus,
    ast.IfExp: _either,
    ast.BoolOp: _any_of,
    ast.Subscript: _elements,
}
