"""What a walk over a tree gathers: scopes with their bindings, and the nodes that rules look at.

What lives here: data and name resolution. What must not: rules.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Generic, TypeVar

from tm.records import field, record


class Kind(StrEnum):
    """How a name came to be bound."""

    VALUE = "value"
    PARAMETER = "parameter"
    FUNCTION = "function"
    CLASS = "class"
    MODULE = "module"  # `import x`: the name is a module
    MEMBER = "member"  # `from x import y`
    RELATIVE = "relative"  # `from .file import y`
    EXCEPTION = "exception"  # `except ... as y`


IMPORTED = frozenset({Kind.MODULE, Kind.MEMBER, Kind.RELATIVE})


@record(frozen=False)
class Binding:
    """One binding of a name.

    Attributes:
        kind: how it was bound.
        node: the node that binds it.
        value: the expression bound, where it is known.
        module: dotted module, for imports; empty otherwise.
        member: the member's own name, for `from x import y`.
        settled: bound by a statement directly in the module, so always there after it.
    """

    kind: Kind
    node: ast.AST
    value: ast.expr | None = None
    module: str = ""
    member: str = ""
    settled: bool = False


@record(frozen=False)
class Scope:
    """A namespace of the source: module, function (also lambda, comprehension) or class."""

    kind: str
    node: ast.AST
    parent: Scope | None = None
    names: dict[str, list[Binding]] = field(default_factory=dict)
    global_names: set[str] = field(default_factory=set)
    outer_names: set[str] = field(default_factory=set)

    def enclosing(self, kind: str) -> Scope | None:
        """Return the nearest scope of that kind, itself included."""
        scope: Scope | None = self
        while scope is not None and scope.kind != kind:
            scope = scope.parent
        return scope


MAX_STEPS = 20_000

N = TypeVar("N", bound=ast.AST)
T = TypeVar("T")


@record(frozen=False)
class Use(Generic[N]):
    """A node that a rule looks at, with its surroundings.

    Attributes:
        node: the node.
        scope: where it stands.
        parent: the node around it.
        at_import: it runs while the module loads.
        annotation: it stands in an annotation.
    """

    node: N
    scope: Scope
    parent: ast.AST
    at_import: bool
    annotation: bool


AnyUse = Use[Any]


@record(frozen=False)
class Facts:
    """Everything that one walk gathered.

    Attributes:
        module: the outermost scope.
        uses: by node type, in the order of the file.
        parents: of every node that was visited.
        class_scopes: the inner scope of each class.
        deleted: names that `del` or `except ... as` unbinds in the module.
        runs_own_code: first line on which the file's own code runs while loading; None if never.
        imported_names: names that an import binds anywhere in the file.
        function_scopes: the inner scope of each function and lambda.
        passed: what calls hand to a parameter, by binding; filled when asked for.
        calls_are_noted: `passed` is filled.
        results: what a function returns; filled when asked for.
        ctx_parameters: parameters that get ctx under any name; None until it is asked for.
        steps: taken so far in following values.
        answers: what was already found out about a name, by question and list of bindings.
    """

    module: Scope
    uses: dict[type[ast.AST], list[AnyUse]] = field(default_factory=dict)
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    class_scopes: dict[ast.AST, Scope] = field(default_factory=dict)
    runs_own_code: int | None = None
    imported_names: set[str] = field(default_factory=set)
    answers: dict[tuple[str, int], Any] = field(default_factory=dict)
    function_scopes: dict[ast.AST, Scope] = field(default_factory=dict)
    passed: dict[int, list[tuple[ast.expr, Scope]]] = field(default_factory=dict)
    calls_are_noted: bool = False
    results: dict[ast.AST, list[ast.expr]] = field(default_factory=dict)
    ctx_parameters: set[int] | None = None
    steps: int = 0
    _on_self: dict[str, list[tuple[ast.expr, Scope]]] | None = None
    _loads: dict[str, list[Use[ast.Name]]] | None = None
    _stored: set[str] | None = None

    def spend(self) -> bool:
        """Count one step of following values; return whether there are steps left.

        Files of people take some hundred; one made to be slow is refused where it runs out.
        """
        self.steps += 1
        return self.steps <= MAX_STEPS

    def of(self, kind: type[N]) -> list[Use[N]]:
        """Return the uses of one node type."""
        return self.uses.get(kind, [])

    def remember(
        self, question: str, name: str, scope: Scope, ask: Callable[[], T], *, none: T
    ) -> T:
        """Return the answer to a question about a name; asked once for all its uses."""
        bindings = self.bindings(name, scope)
        if not bindings:
            return none
        key = (question, id(bindings))
        if key not in self.answers:
            self.answers[key] = ask()
        answer: T = self.answers[key]
        return answer

    def once(self, question: str, ask: Callable[[], bool]) -> bool:
        """Return the answer to a question about the whole file; asked once."""
        key = (question, 0)
        if key not in self.answers:
            self.answers[key] = ask()
        return bool(self.answers[key])

    def imports(self, name: str, scope: Scope) -> bool:
        """Return whether a name is a module, or a member of one from outside the tenant."""
        return name in self.imported_names and any(
            binding.kind is Kind.MODULE or binding.kind is Kind.MEMBER
            for binding in self.bindings(name, scope)
        )

    def loads(self) -> dict[str, list[Use[ast.Name]]]:
        """Return the uses of each name but those that bind it; gathered when first asked for."""
        if self._loads is None:
            self._loads = {}
            for use in self.of(ast.Name):
                if not isinstance(use.node.ctx, ast.Store):
                    self._loads.setdefault(use.node.id, []).append(use)
        return self._loads

    def stored_attributes(self) -> set[str]:
        """Return the names of all attributes that the file sets or deletes."""
        if self._stored is None:
            uses = self.of(ast.Attribute)
            self._stored = {u.node.attr for u in uses if not isinstance(u.node.ctx, ast.Load)}
        return self._stored

    def set_on_self(self) -> dict[str, list[tuple[ast.expr, Scope]]]:
        """Return what `self.NAME = value` sets, by name, with the scope of each assignment."""
        if self._on_self is None:
            self._on_self = {}
            for use in self.of(ast.Attribute):
                node, value = use.node, getattr(use.parent, "value", None)
                on_self = getattr(node.value, "id", "") in {"self", "cls"}
                if isinstance(node.ctx, ast.Store) and on_self and isinstance(value, ast.expr):
                    self._on_self.setdefault(node.attr, []).append((value, use.scope))
        return self._on_self

    def bindings(self, name: str, scope: Scope) -> list[Binding]:
        """Return how a name is bound where it is used; empty for builtins and unknown names."""
        current: Scope | None = scope
        while current is not None:
            if name in current.global_names:
                return self.module.names.get(name, [])
            visible = current.kind != "class" or current is scope
            if visible and name in current.names:
                return current.names[name]
            current = current.parent
        return []

    def is_builtin(self, node: ast.AST, scope: Scope, name: str) -> bool:
        """Return whether a node is the builtin of that name, not shadowed."""
        return isinstance(node, ast.Name) and node.id == name and not self.bindings(name, scope)

    def imported(self, node: ast.AST, scope: Scope) -> tuple[str, str] | None:
        """Return (module, member) where a node is a member of an imported module."""
        if isinstance(node, ast.Name):
            for binding in self.bindings(node.id, scope):
                if binding.kind is Kind.MEMBER:
                    return binding.module, binding.member
            return None
        chain = dotted(node)
        if len(chain) < 2:
            return None
        for binding in self.bindings(chain[0], scope):
            if binding.kind is Kind.MODULE:
                return ".".join([binding.module, *chain[1:-1]]), chain[-1]
        return None


def dotted(node: ast.AST) -> list[str]:
    """Return the names of `a.b.c`; empty where the chain starts with something else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return []
    names.append(node.id)
    return names[::-1]


def root_of(node: ast.AST) -> ast.AST:
    """Return what a chain of attributes, subscripts and calls starts with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node
