"""Which trees the compiler surely takes, so that it need not be asked (SECURITY, layer 1, point 1).

The compiler refuses some of what the parser lets pass, such as `break` outside a loop. Each such
refusal needs a kind of node, or a repeated name, that is looked for here; most files have none.
"""

from __future__ import annotations

import ast

from tm.scan.binder import parameters
from tm.scan.facts import Facts

_JUDGED = frozenset(
    {
        *(ast.Global, ast.Nonlocal, ast.Break, ast.Continue, ast.Starred, ast.NamedExpr),
        *(ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFunctionDef, ast.AsyncFor),
        *(ast.AsyncWith, ast.TryStar, ast.Match, ast.ClassDef),
    }
)
"""Wrong in some places, or in some company."""

_BLOCKS = (ast.For, ast.While, ast.Try, ast.With)
_MOST_BLOCKS = 20  # CO_MAXBLOCKS of CPython: that many can stand inside each other
_DEBUG = "__debug__"  # the one name that can't be bound


def surely_compiles(facts: Facts, text: str) -> bool:
    """Say whether the compiler takes a tree in which no rule has found anything.

    Args:
        facts: of the tree.
        text: of the file.
    """
    if _DEBUG in text or not text.isascii():
        return False  # letters that look different can be one name
    kinds = list(map(type, facts.parents))
    if not _JUDGED.isdisjoint(kinds) or sum(map(kinds.count, _BLOCKS)) >= _MOST_BLOCKS:
        return False
    return not (_repeats_a_name(facts) or _imports_oddly(facts) or _excepts_early(facts))


def _repeats_a_name(facts: Facts) -> bool:
    """Say whether a call has a keyword twice, or a function a parameter."""
    for use in facts.of(ast.Call):
        words = [word.arg for word in use.node.keywords if word.arg is not None]
        if len(set(words)) < len(words):
            return True
    for function in facts.function_scopes:
        arguments = getattr(function, "args", None)
        names = [one.arg for one in parameters(arguments)] if arguments else []
        if len(set(names)) < len(names):
            return True
    return False


def _imports_oddly(facts: Facts) -> bool:
    """Say whether an import is one that may only stand somewhere: of a star, or of the future."""
    return any(
        use.node.module == "__future__" or any(alias.name == "*" for alias in use.node.names)
        for use in facts.of(ast.ImportFrom)
    )


def _excepts_early(facts: Facts) -> bool:
    """Say whether another handler follows a bare `except:`."""
    return any(
        handler.type is None for use in facts.of(ast.Try) for handler in use.node.handlers[:-1]
    )
