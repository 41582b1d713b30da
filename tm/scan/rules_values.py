"""Classes based on values keep the methods of the value (point 8, see `value_methods`)."""

from __future__ import annotations

import ast

from tm.scan.facts import AnyUse, Facts, Kind, Scope
from tm.scan.hits import INTERPRETER
from tm.scan.report import Report
from tm.scan.value_methods import ENUM_MIXINS, VALUE_BUILTINS, VALUE_MEMBERS, locked_names

_NAMED = frozenset({"namedtuple", "NamedTuple"})
_ENUMS = frozenset({"Enum", "Flag", *ENUM_MIXINS})
_HELP = "keep the value's own methods: hold it in a field of a plain class, or use a function"


class _Lineage:
    """What a class of the file is based on, as far as the file says it."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.classes: list[ast.ClassDef] = []
        self.is_enum = False
        self.is_named = False
        self._seen: set[int] = set()

    def follow(self, node: ast.ClassDef, scope: Scope, facts: Facts) -> None:
        """Add a class and everything that it is based on."""
        if node in self.classes:
            return
        self.classes.append(node)
        for base in node.bases:
            self._add(base, scope, facts)

    def _add(self, base: ast.expr, scope: Scope, facts: Facts) -> None:
        while isinstance(base, ast.Subscript):
            base = base.value
        called = base.func if isinstance(base, ast.Call) else base
        self._library(facts.imported(called, scope))
        if not isinstance(called, ast.Name):
            return
        bindings = facts.bindings(called.id, scope)
        if not bindings and called.id in VALUE_BUILTINS:
            self.values.add(called.id)
        for binding in bindings:
            if isinstance(binding.node, ast.ClassDef):
                self.follow(binding.node, facts.class_scopes[binding.node].parent or scope, facts)
            elif binding.value is not None and id(binding) not in self._seen and facts.spend():
                self._seen.add(id(binding))
                self._add(binding.value, scope, facts)

    def _library(self, imported: tuple[str, str] | None) -> None:
        if imported is None:
            return
        module, member = imported
        if ".".join(imported) in VALUE_MEMBERS:
            self.values.add(".".join(imported))
        elif member in _NAMED and module in {"collections", "typing"}:
            self.is_named = True
            self.values.add("tuple")
        elif module == "enum" and member in _ENUMS:
            self.is_enum = True
            if member in ENUM_MIXINS:
                self.values.add(ENUM_MIXINS[member])


def check_values(facts: Facts, report: Report) -> None:
    """Find methods that would make a value pass for another one."""
    for use in facts.of(ast.ClassDef):
        lineage = _Lineage()
        lineage.follow(use.node, use.scope, facts)
        if lineage.values:
            _check(lineage, use, facts, report)


def _check(lineage: _Lineage, use: AnyUse, facts: Facts, report: Report) -> None:
    orders = lineage.is_enum or lineage.is_named
    locked = frozenset().union(*(locked_names(v, orders=orders) for v in lineage.values))
    base = min(value.rpartition(".")[2] for value in lineage.values)
    for node in lineage.classes:
        for name, bindings in facts.class_scopes[node].names.items():
            for binding in bindings if name in locked else ():
                if not lineage.is_enum or name.startswith("__") or _is_code(binding.value, binding):
                    what = f"'{name}' of a class based on {base} makes it pass for another value"
                    report.add(INTERPRETER, binding.node, what, _HELP)
    for decorator in use.node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if facts.imported(called, use.scope) == ("dataclasses", "dataclass"):
            what = f"'dataclass' gives a class based on {base} another way to compare"
            report.add(INTERPRETER, decorator, what, _HELP)


def _is_code(value: ast.expr | None, binding: object) -> bool:
    """Tell whether a name of an enum is no member."""
    return getattr(binding, "kind", None) is Kind.FUNCTION or isinstance(value, ast.Lambda)
