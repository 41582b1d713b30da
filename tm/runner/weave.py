"""The checks that a tenant's code carries with it: put into the tree before it is compiled.

They look at objects, where the scan looks at source text, so what hides an object's origin from
the scan hides nothing here. Most files need none: a look at the compiled code tells.

What lives here: which code needs checks, and the tree with them. What must not: the checks
themselves (`own`, `attributes`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from opcode import opmap
from types import CodeType
from typing import Any, Final

from tm.errors import Location, SecurityError
from tm.runner.attributes import CHECKED_NAMES, get, is_never_read, needs_check
from tm.runner.guard import FORBIDDEN
from tm.runner.own import build_class, matchable, writable
from tm.scan.policy import (
    CLASS_DUNDERS,
    DENIED_ATTRIBUTES,
    DUNDER_ATTRIBUTES,
    DUNDER_METHODS,
    MODULE_DUNDERS,
    MODULE_NAMES,
    PATTERN_ATTRIBUTES,
)

# Builtins of a tenant's file under names that no source text can spell.
_GET: Final = "tm get"
_WRITABLE: Final = "tm writable"
_MATCHABLE: Final = "tm matchable"
CHECKS: Final[dict[str, Callable[..., Any]]] = {
    _GET: get,
    _WRITABLE: writable,
    _MATCHABLE: matchable,
    "__build_class__": build_class,
}

# A name of Python's own that the file may bind, in a class or at its top.
_BINDABLE: Final = MODULE_DUNDERS | CLASS_DUNDERS | DUNDER_METHODS
_READABLE: Final = _BINDABLE | MODULE_NAMES

_LOUD_CODES: Final = frozenset(
    opmap[name] for name in ("STORE_ATTR", "DELETE_ATTR", "MATCH_CLASS", "LOAD_BUILD_CLASS")
)
_LOUD_NAMES: Final = DENIED_ATTRIBUTES | CHECKED_NAMES
# The compiler's own, and those that only describe.
_QUIET_NAMES: Final = (
    MODULE_NAMES | MODULE_DUNDERS | DUNDER_ATTRIBUTES | {"__annotations__", "__annotate__"}
)


def is_plain(code: CodeType) -> bool:
    """Tell whether code sets no attribute, builds no class and names nothing delicate."""
    if not _LOUD_CODES.isdisjoint(code.co_code[::2]):
        return False
    for name in code.co_names:
        if name in _LOUD_NAMES or (_is_special(name) and name not in _QUIET_NAMES):
            return False
    return all(is_plain(inner) for inner in code.co_consts if type(inner) is CodeType)


def _is_special(name: str) -> bool:
    return name.startswith("_") and name.endswith("_") and name.strip("_") != ""


def weave(tree: ast.Module, path: str) -> None:
    """Put the checks into a tree, in place.

    Args:
        tree: of a tenant's file; its top-level functions stay the same nodes.
        path: of the file, for errors.

    Raises:
        SecurityError: TM511, for names that no check could allow.
    """
    for node in ast.walk(tree):
        problem = _problem(node)
        if problem:
            raise SecurityError(
                f"the file would {problem}, which is not allowed while it runs",
                code=FORBIDDEN,
                hint="write it with plain functions, classes and names",
                at=Location(path, getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1),
            )
    _Weaver().visit(tree)


_NAMED: Final = (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


def _binds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield node.asname or ""  # without one, the guarded import refuses the name itself
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names
    elif isinstance(node, _NAMED):
        yield node.name or ""
    elif isinstance(node, ast.MatchMapping):
        yield node.rest or ""


def _problem(node: ast.AST) -> str:
    """Return what a node would do that nothing allows, as the end of a sentence, or nothing."""
    if isinstance(node, ast.Attribute):
        name = node.attr
        if is_never_read(name):
            return f"get the attribute {name!r}"
        is_set = not isinstance(node.ctx, ast.Load)
        return f"set the attribute {name!r}" if is_set and _is_fixed(name) else ""
    if isinstance(node, ast.MatchClass):
        names = [name for name in node.kwd_attrs if _opens(name)]
        return f"read the attribute {names[0]!r} by a class pattern" if names else ""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        unknown = _is_dunder(node.id) and node.id not in _READABLE
        return f"use {node.id}" if unknown else ""
    for name in _binds(node):
        if _is_dunder(name) and name not in _BINDABLE:
            return f"bind {name}"
    return ""


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_fixed(name: str) -> bool:
    """Tell whether an attribute may not be set on objects of the tenant's either."""
    return _is_dunder(name) and name not in DUNDER_ATTRIBUTES


def _opens(name: str) -> bool:
    return name.startswith("_") or name in DENIED_ATTRIBUTES | PATTERN_ATTRIBUTES


class _Weaver(ast.NodeTransformer):
    """Replaces attributes that need a look at the object by calls of the checks."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Check the object that is written to, or the attribute that is read."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            node.value = _call(_WRITABLE, node, node.value, ast.Constant(node.attr))
            return node
        if needs_check(node.attr):
            return _call(_GET, node, node.value, ast.Constant(node.attr))
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Check the classes whose fields the patterns take by position."""
        self.generic_visit(node)
        kinds = [
            _again(part.cls)
            for case in node.cases
            for part in ast.walk(case.pattern)
            if isinstance(part, ast.MatchClass) and part.patterns
        ]
        if kinds:
            node.subject = _call(_MATCHABLE, node.subject, node.subject, *kinds)
        return node


def _again(kind: ast.expr) -> ast.expr:
    """Return a copy of the name of a class, which a pattern writes as `A` or `a.b.A`."""
    if isinstance(kind, ast.Attribute):
        return ast.Attribute(_again(kind.value), kind.attr, ast.Load())
    return ast.Name(getattr(kind, "id", ""), ast.Load())


def _call(check: str, node: ast.AST, *args: ast.expr) -> ast.Call:
    made = ast.Call(ast.Name(check, ast.Load()), list(args), [])
    return ast.fix_missing_locations(ast.copy_location(made, node))
