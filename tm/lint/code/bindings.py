"""What assignments and loops make of the names of their targets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tm.lint.code.values import Known, Names, evaluate, items, literal, union


def bind_loop(target: ast.expr, iterated: ast.expr, names: Names) -> Iterator[tuple[str, Known]]:
    """Yield what the names of a loop's target are, where it goes over something written out."""
    rows = list(_rows(iterated, names))
    yield from bind(target, rows)


def _rows(node: ast.expr, names: Names) -> Iterator[tuple[Names, ast.expr]]:
    """Yield the expressions that a loop goes over."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        found = literal(node.func.value, names)
        if found and isinstance(found[1], ast.Dict):
            yield from _dict_rows(found[1], node.func.attr, found[0])
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "enumerate" and node.args:
        for inner, row in _rows(node.args[0], names):
            yield inner, ast.Tuple([ast.Constant(0), row], ast.Load())
    elif found := literal(node, names):
        inner, table = found
        values = table.keys if isinstance(table, ast.Dict) else items(table)
        yield from ((inner, value) for value in values if value is not None)


def _dict_rows(table: ast.Dict, method: str, names: Names) -> Iterator[tuple[Names, ast.expr]]:
    for key, value in zip(table.keys, table.values, strict=True):
        if key is None:
            continue
        pair = ast.Tuple([key, value], ast.Load())
        row = {"values": value, "keys": key, "items": pair}.get(method)
        if row is not None:
            yield names, row


def bind(target: ast.expr, values: list[tuple[Names, ast.expr]]) -> Iterator[tuple[str, Known]]:
    """Yield what an assignment makes of each name, the value being any of several."""
    if isinstance(target, ast.Name):
        yield target.id, union(evaluate(value, names) for names, value in values)
    elif isinstance(target, ast.Tuple | ast.List):
        for number, part in enumerate(target.elts):
            yield from bind(part, list(_column(values, number, len(target.elts))))


def _column(
    values: list[tuple[Names, ast.expr]], number: int, size: int
) -> Iterator[tuple[Names, ast.expr]]:
    for names, value in values:
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == size:
            yield names, value.elts[number]
