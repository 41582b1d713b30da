"""`operator.attrgetter` and `methodcaller`: with names that are written out, as for `getattr`."""

from __future__ import annotations

import ast

from tm.scan.facts import AnyUse, Facts
from tm.scan.hits import INTERPRETER
from tm.scan.policy import DENIED_ATTRIBUTES, PATTERN_ATTRIBUTES
from tm.scan.report import Report

_GETTERS = frozenset({("operator", "attrgetter"), ("operator", "methodcaller")})


def check_getters(facts: Facts, report: Report) -> None:
    """Check each use of a getter: a call with plain names, on the spot."""
    uses: list[AnyUse] = [*facts.of(ast.Name), *facts.of(ast.Attribute)]
    for use in uses:
        if isinstance(use.node.ctx, ast.Load) and _is_getter(use, facts):
            _check(use, facts, report)


def _is_getter(use: AnyUse, facts: Facts) -> bool:
    name = use.node.id if isinstance(use.node, ast.Name) else use.node.attr
    known = name in facts.imported_names or name in {"attrgetter", "methodcaller"}
    return known and facts.imported(use.node, use.scope) in _GETTERS


def _check(use: AnyUse, facts: Facts, report: Report) -> None:
    call = use.parent if isinstance(use.parent, ast.Call) and use.parent.func is use.node else None
    found = facts.imported(use.node, use.scope) or ("", "")
    given = call.args if call is not None else []
    names = given if found[1] == "attrgetter" else given[:1]
    if not names or not all(_is_plain(name) for name in names):
        report.add(
            INTERPRETER,
            use.node,
            f"'{found[1]}' with a name that is not written out, or that is the interpreter's",
            f'write the name as text: `{found[1]}("price")`',
        )


def _is_plain(node: ast.expr) -> bool:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    parts = node.value.split(".")
    closed = DENIED_ATTRIBUTES | PATTERN_ATTRIBUTES
    return not any(part.startswith("_") or part in closed for part in parts)
