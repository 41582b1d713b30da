"""Members of allowed modules that rewrite what they are given."""

from __future__ import annotations

import ast

from tm.scan.facts import Facts
from tm.scan.hits import INTERPRETER
from tm.scan.policy import DECORATOR_ONLY
from tm.scan.report import Report


def check_rewriter(node: ast.AST, member: str, facts: Facts, report: Report) -> None:
    """Check members that change what they get: as a decorator only, `wraps` with one argument."""
    parent = facts.parents.get(node)
    call = parent if isinstance(parent, ast.Call) and parent.func is node else None
    around = facts.parents.get(call) if call is not None else parent
    placed = isinstance(around, ast.FunctionDef | ast.ClassDef) and (
        (call or node) in around.decorator_list
    )
    if member == "wraps":
        plain = call is not None and len(call.args) == 1 and not call.keywords
        if not plain or (call is not None and isinstance(call.args[0], ast.Starred)):
            report.add(
                INTERPRETER,
                node,
                "functools.wraps with more than the function can rewrite any attribute",
                "write `@wraps(function)`",
            )
        elif not placed and not (isinstance(around, ast.Call) and around.func is call):
            report.add(
                INTERPRETER,
                node,
                "what functools.wraps gives is handed on, and renames whatever it gets",
                "write `@wraps(function)` above the function",
            )
    elif member in DECORATOR_ONLY and not (placed and (call is None or not call.args)):
        report.add(
            INTERPRETER,
            node,
            f"'{member}' rewrites the class it gets",
            f"use it as a decorator of your own class: `@{member}`",
        )
