"""Binding names to scopes, as Python would.

What lives here: the current scope and what is bound in it. What must not: walking the tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tm.scan.facts import IMPORTED, Binding, Facts, Kind, Scope


class Binder:
    """Knows the current scope and binds names in it."""

    def __init__(self, tree: ast.Module) -> None:
        self.scope = Scope("module", tree)
        self.facts = Facts(self.scope)
        self._imports = set[tuple[int, str, str]]()
        self.settling = False  # the statement stands directly in the module

    def bind(self, name: str, binding: Binding) -> None:
        """Record a binding in the scope that Python would use for it."""
        scope: Scope | None = self.scope
        if name in self.scope.global_names:
            scope = self.facts.module
        elif name in self.scope.outer_names:
            scope = self.scope.parent
            while scope is not None and (scope.kind != "function" or name not in scope.names):
                scope = scope.parent
        elif self.scope is self.facts.module:
            binding.settled = self.settling
        bindings = (scope or self.scope).names.setdefault(name, [])
        if binding.kind in IMPORTED:
            self.facts.imported_names.add(name)
            same = (id(bindings), binding.module, binding.member)
            if same in self._imports:
                return
            self._imports.add(same)
        bindings.append(binding)

    def bind_target(self, target: ast.AST, value: ast.expr | None) -> None:
        """Bind the names of an assignment's target, each with its part of the value."""
        if isinstance(target, ast.Name):
            self.bind(target.id, Binding(Kind.VALUE, target, value))
        elif isinstance(target, ast.Starred):
            self.bind_target(target.value, None)
        elif isinstance(target, ast.Tuple | ast.List):
            values: list[ast.expr | None] = [None] * len(target.elts)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                values = list(value.elts)
            for part, part_value in zip(target.elts, values, strict=True):
                self.bind_target(part, part_value)

    def bind_loop(self, target: ast.expr, iterated: ast.expr) -> None:
        """Bind a loop's target to what it goes over, where that is written out."""
        if isinstance(iterated, ast.Tuple | ast.List) and iterated.elts:
            for value in iterated.elts:
                self.bind_target(target, value)
        elif isinstance(iterated, ast.Name | ast.Subscript):
            element = ast.Subscript(iterated, ast.Constant(0), ast.Load())
            self.bind_target(target, element)
        elif isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Attribute):
            table = iterated.func.value if iterated.func.attr == "values" else None
            first = None if table is None else ast.Subscript(table, ast.Constant(0), ast.Load())
            self.bind_target(target, first)
        else:
            self.bind_target(target, None)

    def note_deleted(self, name: str) -> None:
        """Note that a name of the module or of a class is unbound again."""
        if self.scope.kind != "function" or name in self.scope.global_names:
            self.facts.deleted.add(name)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return all parameters: positional, keyword-only, `*args`, `**options`."""
    extra = [part for part in (arguments.vararg, arguments.kwarg) if part is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


def parameters_with_defaults(arguments: ast.arguments) -> Iterable[tuple[ast.arg, ast.expr | None]]:
    """Return each parameter with its default, None where it has none."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    defaults: list[ast.expr | None] = [*[None] * missing, *arguments.defaults]
    defaults += arguments.kw_defaults
    extra = len(parameters(arguments)) - len(defaults)
    return zip(parameters(arguments), [*defaults, *[None] * extra], strict=True)
