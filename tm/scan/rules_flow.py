"""Exceptions, `finally` and syntax that the policy does not know (points 3 and 10)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tm.scan.facts import Facts
from tm.scan.hits import INTERPRETER, PROCESS, SIGNATURE
from tm.scan.report import Report
from tm.scan.signature import ASYNC_REASON

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.While)
# A comprehension is only unknown where it is `async for`.
_ASYNC = (
    ast.AsyncFor,
    ast.AsyncWith,
    ast.Await,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def check_flow(facts: Facts, report: Report) -> None:
    """Check exception handlers and `finally` blocks."""
    for use in facts.of(ast.ExceptHandler):
        if use.node.type is None:
            report.add(
                PROCESS,
                use.node,
                "a bare `except:` swallows every exception, the runner's stop signal too",
                "name what you expect: `except KeyError:` or `except Exception:`",
            )
        elif any(_is_dunder_access(part) for part in ast.walk(use.node.type)):
            report.add(
                PROCESS, use.node, "the exception to catch is computed", "name what you expect"
            )
    for attempt in facts.of(ast.Try):
        for leaving in _leaving(attempt.node.finalbody, in_loop=False):
            report.add(
                PROCESS,
                leaving,
                "it leaves a `finally` block, which swallows every exception",
                "move it behind the `try` statement",
            )


def _is_dunder_access(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr.startswith("__")


def _leaving(body: list[ast.stmt], *, in_loop: bool) -> Iterator[ast.AST]:
    for statement in body:
        if isinstance(statement, ast.Return):
            yield statement
        elif isinstance(statement, ast.Break | ast.Continue):
            if not in_loop:
                yield statement
        elif not isinstance(statement, _SCOPES):
            for inner in _bodies(statement):
                yield from _leaving(inner, in_loop=in_loop or isinstance(statement, _LOOPS))


def _bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for handler in getattr(statement, "handlers", []):
        yield handler.body
    for case in getattr(statement, "cases", []):
        yield case.body


def check_unknown(unknown: list[ast.AST], report: Report) -> None:
    """Refuse syntax that the scan does not know; async has a reason of its own."""
    for node in unknown:
        name = type(node).__name__
        if isinstance(node, ast.AsyncFunctionDef):
            report.add(SIGNATURE, node, f"'{node.name}' {ASYNC_REASON}")
        elif isinstance(node, _ASYNC):
            report.add(SIGNATURE, node, "async code: nothing awaits it in a tool")
        elif name == "TryStar":
            report.add(
                PROCESS,
                node,
                "`except*` is not allowed: it can swallow stop signals",
                "use `except`",
            )
        else:
            report.add(INTERPRETER, node, f"syntax that the scan does not know: {name}")


def check_tangle(facts: Facts, report: Report) -> None:
    """Refuse a file whose values can't be followed in time: it may hide anything."""
    if not facts.spend():
        report.add(
            INTERPRETER,
            facts.module.node,
            "names, calls and tables are too tangled to be followed",
            "split the file, and give each value one name",
        )
