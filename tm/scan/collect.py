"""One walk over a tree that gathers facts for the rules.

What lives here: scoping, and which nodes are kept. What must not: rules, except that syntax the
policy does not know is noted as such.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from tm.scan.binder import Binder, parameters, parameters_with_defaults
from tm.scan.facts import Binding, Kind, Scope, Use
from tm.scan.policy import MODULES, NODES

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

_KEPT = frozenset(
    {
        ast.Name,
        ast.Attribute,
        ast.Subscript,
        ast.Call,
        ast.ClassDef,
        ast.FunctionDef,
        ast.ExceptHandler,
        ast.Try,
        ast.MatchClass,
        ast.Dict,
        ast.AugAssign,
        ast.Import,
        ast.ImportFrom,
        ast.Compare,
    }
)
# Fields that hold no nodes or only a context (Load, Store, an operator).
_PLAIN_FIELDS = frozenset(
    {"ctx", "op", "ops", "id", "attr", "n", "s", "kind", "type_comment", "names", "lineno"}
)
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    node: tuple(name for name in node._fields if name not in _PLAIN_FIELDS) for node in NODES
}


class Collector(Binder):
    """Gathers the facts of one module."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(tree)
        self.deferred = False  # inside a function, which does not run while loading
        self.annotation = False
        self.unknown: list[ast.AST] = []
        for statement in tree.body:
            self.settling = True
            self.visit(statement, tree)

    def visit(self, node: ast.AST, parent: ast.AST) -> None:
        """Visit one node: keep it where a rule needs it, and go on with what it holds."""
        kind = type(node)
        self.facts.parents[node] = parent
        if kind in _KEPT:
            self._keep(kind, node)
            if kind is ast.Name:
                return
        enter = _ENTER.get(kind)
        if enter is not None:
            enter(self, node)
        elif kind in _FIELDS:
            self._children(node, _FIELDS[kind])
        else:
            self.unknown.append(node)
            self._children(node, [name for name in node._fields if name not in _PLAIN_FIELDS])

    def _keep(self, kind: type[ast.AST], node: ast.AST) -> None:
        parent = self.facts.parents[node]
        use = Use(node, self.scope, parent, not self.deferred, self.annotation)
        self.facts.uses.setdefault(kind, []).append(use)

    def _children(self, node: ast.AST, fields: Iterable[str]) -> None:
        for name in fields:
            value: Any = getattr(node, name, None)
            kind = type(value)
            if kind is list:
                self._visit_all(value, node)
            elif kind is ast.Constant:
                self.facts.parents[value] = node
            elif isinstance(value, ast.AST):
                self.visit(value, node)

    def _visit_all(self, nodes: Iterable[ast.AST | None], parent: ast.AST) -> None:
        for node in nodes:
            # A third of all nodes are constants, in which no rule finds anything.
            if type(node) is ast.Constant:
                self.facts.parents[node] = parent
            elif isinstance(node, ast.AST):
                self.visit(node, parent)

    def _inner(self, scope: Scope, work: Callable[[], None], *, deferred: bool) -> None:
        kept = self.scope, self.deferred, self.annotation, self.settling
        self.scope, self.deferred = scope, self.deferred or deferred
        self.annotation = self.settling = False
        try:
            work()
        finally:
            self.scope, self.deferred, self.annotation, self.settling = kept

    # -- statements that bind -------------------------------------------------

    def _assign(self, node: ast.Assign) -> None:
        self.visit(node.value, node)
        for target in node.targets:
            self.bind_target(target, node.value)
            self.visit(target, node)

    def _ann_assign(self, node: ast.AnnAssign) -> None:
        self._annotation(node.annotation, node)
        if node.value is not None:
            self.visit(node.value, node)
            self.bind_target(node.target, node.value)
        elif self.scope.kind == "function":
            self.bind_target(node.target, None)  # makes the name local, as Python does
        self.visit(node.target, node)

    def _aug_assign(self, node: ast.AugAssign) -> None:
        self.visit(node.value, node)
        self.bind_target(node.target, node.value)
        self.visit(node.target, node)

    def _named_expr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value, node)
        kept = self.scope
        self.settling = False  # it may stand in a branch that is never taken
        while isinstance(self.scope.node, Comprehension) and self.scope.parent is not None:
            self.scope = self.scope.parent  # a walrus binds outside its comprehension
        self.bind_target(node.target, node.value)
        self.scope = kept
        self.visit(node.target, node)

    def _for(self, node: ast.For) -> None:
        self.visit(node.iter, node)
        self.settling = False
        self.bind_loop(node.target, node.iter)
        self.visit(node.target, node)
        self._visit_all(node.body, node)
        self._visit_all(node.orelse, node)

    def _with(self, node: ast.With) -> None:
        self.settling = False
        for item in node.items:
            self.visit(item.context_expr, node)
            if item.optional_vars is not None:
                self.bind_target(item.optional_vars, None)
                self.visit(item.optional_vars, node)
        self._visit_all(node.body, node)

    def _block(self, node: ast.AST) -> None:
        self.settling = False
        self._children(node, _FIELDS[type(node)])

    def _except(self, node: ast.ExceptHandler) -> None:
        if node.type is not None:
            self.visit(node.type, node)
        if node.name is not None:
            self.bind(node.name, Binding(Kind.EXCEPTION, node))
            self.note_deleted(node.name)
        self._visit_all(node.body, node)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.note_deleted(target.id)
                if self.scope.kind == "function" and target.id not in self.scope.global_names:
                    self.bind_target(target, None)
            self.visit(target, node)

    def _global(self, node: ast.Global) -> None:
        self.scope.global_names.update(node.names)

    def _nonlocal(self, node: ast.Nonlocal) -> None:
        self.scope.outer_names.update(node.names)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            module = alias.name if alias.asname else bound
            self.bind(bound, Binding(Kind.MODULE, alias, module=module))

    def _import_from(self, node: ast.ImportFrom) -> None:
        kind = Kind.RELATIVE if node.level else Kind.MEMBER
        for alias in node.names:
            binding = Binding(kind, alias, module=node.module or "", member=alias.name)
            dotted_name = f"{node.module}.{alias.name}"
            if not node.level and dotted_name in MODULES:
                binding = Binding(Kind.MODULE, alias, module=dotted_name)
            self.bind(alias.asname or alias.name, binding)

    def _match_as(self, node: ast.MatchAs) -> None:
        if node.name is not None:
            self.bind(node.name, Binding(Kind.VALUE, node))
        if node.pattern is not None:
            self.visit(node.pattern, node)

    def _match_star(self, node: ast.MatchStar) -> None:
        if node.name is not None:
            self.bind(node.name, Binding(Kind.VALUE, node))

    def _match_mapping(self, node: ast.MatchMapping) -> None:
        if node.rest is not None:
            self.bind(node.rest, Binding(Kind.VALUE, node))
        self._visit_all(node.keys, node)
        self._visit_all(node.patterns, node)

    # -- scopes ---------------------------------------------------------------

    def _annotation(self, node: ast.expr | None, parent: ast.AST) -> None:
        if node is not None:
            kept, self.annotation = self.annotation, True
            self.visit(node, parent)
            self.annotation = kept

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if isinstance(node, ast.AsyncFunctionDef):
            self.unknown.append(node)
        self._visit_all(node.decorator_list, node)
        self._signature(node.args)
        self._annotation(node.returns, node)
        self.bind(node.name, Binding(Kind.FUNCTION, node))
        self._body(node, node.body)

    def _lambda(self, node: ast.Lambda) -> None:
        self._signature(node.args)
        self._body(node, [node.body])

    def _signature(self, arguments: ast.arguments) -> None:
        self._visit_all(arguments.defaults, arguments)
        self._visit_all(arguments.kw_defaults, arguments)
        for argument in parameters(arguments):
            self._annotation(argument.annotation, argument)

    def _body(self, node: Function, body: Iterable[ast.AST]) -> None:
        scope = self.facts.function_scopes[node] = Scope("function", node, self.scope)
        for argument, default in parameters_with_defaults(node.args):
            binding = Binding(Kind.PARAMETER, argument, default)
            scope.names.setdefault(argument.arg, []).append(binding)
        self._inner(scope, lambda: self._visit_all(body, node), deferred=True)

    def _class(self, node: ast.ClassDef) -> None:
        self._visit_all(node.decorator_list, node)
        self._visit_all(node.bases, node)
        self._visit_all([keyword.value for keyword in node.keywords], node)
        scope = self.facts.class_scopes[node] = Scope("class", node, self.scope)
        self._inner(scope, lambda: self._visit_all(node.body, node), deferred=False)
        self.bind(node.name, Binding(Kind.CLASS, node))

    def _comprehension(self, node: Comprehension) -> None:
        self.visit(node.generators[0].iter, node.generators[0])
        scope = Scope("function", node, self.scope)
        # A generator's body runs when it is consumed; while loading, that can be at once.
        self._inner(scope, lambda: self._comprehension_body(node), deferred=False)

    def _comprehension_body(self, node: Comprehension) -> None:
        for number, generator in enumerate(node.generators):
            if generator.is_async:
                self.unknown.append(node)
            if number:
                self.visit(generator.iter, generator)
            self.bind_loop(generator.target, generator.iter)
            self.visit(generator.target, generator)
            self._visit_all(generator.ifs, generator)
        if isinstance(node, ast.DictComp):
            self._visit_all((node.key, node.value), node)
        else:
            self.visit(node.elt, node)


_ENTER: dict[type[ast.AST], Callable[..., None]] = {
    ast.Assign: Collector._assign,
    ast.AnnAssign: Collector._ann_assign,
    ast.AugAssign: Collector._aug_assign,
    ast.NamedExpr: Collector._named_expr,
    ast.For: Collector._for,
    ast.With: Collector._with,
    ast.If: Collector._block,
    ast.While: Collector._block,
    ast.Try: Collector._block,
    ast.Match: Collector._block,
    ast.ExceptHandler: Collector._except,
    ast.Delete: Collector._delete,
    ast.Global: Collector._global,
    ast.Nonlocal: Collector._nonlocal,
    ast.Import: Collector._import,
    ast.ImportFrom: Collector._import_from,
    ast.MatchAs: Collector._match_as,
    ast.MatchStar: Collector._match_star,
    ast.MatchMapping: Collector._match_mapping,
    ast.FunctionDef: Collector._function,
    ast.AsyncFunctionDef: Collector._function,
    ast.Lambda: Collector._lambda,
    ast.ClassDef: Collector._class,
    ast.ListComp: Collector._comprehension,
    ast.SetComp: Collector._comprehension,
    ast.DictComp: Collector._comprehension,
    ast.GeneratorExp: Collector._comprehension,
}
