"""Where a value comes from, as far as the source says it.

What lives here: questions about expressions: part of ctx, a type, constant text. What must not:
hits.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tm.scan.calls import returned
from tm.scan.facts import Binding, Facts, Kind, Scope, Use, root_of
from tm.scan.flow import Seen, parts_of
from tm.scan.owners import own_class
from tm.scan.roles import ctx_parameters


def _is_ctx_binding(facts: Facts, binding: Binding) -> bool:
    if binding.kind is not Kind.PARAMETER:
        return False
    return getattr(binding.node, "arg", "") == "ctx" or id(binding) in ctx_parameters(facts)


def ctx_path(
    facts: Facts, node: ast.AST, scope: Scope, seen: Seen | None = None
) -> tuple[str, ...] | None:
    """Return the keys that lead from ctx to a value (`()` for ctx itself), or None.

    `ctx["http"]`, `ctx.get("http")` and names bound to them count; what a call of them returns
    does not. A key that is no constant is "?".
    """
    if isinstance(node, ast.Name):
        if seen is not None:
            return _ctx_name(facts, node, scope, seen)
        return facts.remember(
            "path", node.id, scope, lambda: _ctx_name(facts, node, scope, set()), none=None
        )
    seen = set() if seen is None else seen
    base, key = _looked_up(node)
    if base is not None:
        before = ctx_path(facts, base, scope, seen)
        if before is not None and not (before[:1] == ("http",) and isinstance(node, ast.Call)):
            return (*before, str(key.value) if isinstance(key, ast.Constant) else "?")
    return _first_path(facts, node, scope, seen)


def _looked_up(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """Return the mapping and the key of `a[b]` and `a.get(b)`."""
    if isinstance(node, ast.Subscript):
        return node.value, node.slice
    func = node.func if isinstance(node, ast.Call) and node.args else None
    if isinstance(func, ast.Attribute) and func.attr == "get" and isinstance(node, ast.Call):
        return func.value, node.args[0]
    return None, None


def _first_path(facts: Facts, node: ast.AST, scope: Scope, seen: Seen) -> tuple[str, ...] | None:
    for value, inside in parts_of(facts, node, scope, seen):
        path = ctx_path(facts, value, inside, seen)
        if path is not None:
            return path
    return None


def _ctx_name(facts: Facts, node: ast.Name, scope: Scope, seen: Seen) -> tuple[str, ...] | None:
    bindings = facts.bindings(node.id, scope)
    if any(_is_ctx_binding(facts, binding) for binding in bindings):
        return ()
    return _first_path(facts, node, scope, seen)


def comes_from_ctx(facts: Facts, node: ast.AST, scope: Scope, seen: Seen | None = None) -> bool:
    """Return whether a value was reached through ctx, calls included."""
    root = root_of(node)
    if not isinstance(root, ast.Name):
        return False
    if seen is None:
        return facts.remember(
            "ctx", root.id, scope, lambda: comes_from_ctx(facts, root, scope, set()), none=False
        )
    if any(_is_ctx_binding(facts, binding) for binding in facts.bindings(root.id, scope)):
        return True
    return any(
        comes_from_ctx(facts, value, inside, seen)
        for value, inside in parts_of(facts, root, scope, seen)
    )


def is_type_of(facts: Facts, node: ast.AST, scope: Scope, seen: Seen | None = None) -> bool:
    """Return whether a value is what `type(x)` gave."""
    if isinstance(node, ast.Name) and seen is None:
        return facts.remember(
            "type", node.id, scope, lambda: is_type_of(facts, node, scope, set()), none=False
        )
    seen = set() if seen is None else seen
    if isinstance(node, ast.Call):
        return facts.is_builtin(node.func, scope, "type") or any(
            is_type_of(facts, value, inside, seen)
            for value, inside in returned(facts, node, scope, seen)
        )
    if isinstance(node, ast.Attribute) and node.attr == "type":
        return facts.imported(root_of(node), scope) == ("dataclasses", "fields")
    if isinstance(node, ast.IfExp):
        return any(is_type_of(facts, n, scope, seen) for n in (node.body, node.orelse))
    if isinstance(node, ast.BoolOp):
        return any(is_type_of(facts, n, scope, seen) for n in node.values)
    if isinstance(node, ast.NamedExpr):
        return is_type_of(facts, node.value, scope, seen)
    return isinstance(node, ast.Name) and any(
        is_type_of(facts, value, scope, seen) for value in _values(facts, node, scope, seen)
    )


def _values(facts: Facts, node: ast.Name, scope: Scope, seen: Seen) -> Iterator[ast.expr]:
    for binding in facts.bindings(node.id, scope):
        if binding.value is not None and id(binding) not in seen:
            seen.add(id(binding))
            yield binding.value


def constant_texts(
    facts: Facts, node: ast.AST, scope: Scope, seen: Seen | None = None
) -> list[str] | None:
    """Return the texts that an expression can be, or None where it may be something else."""
    seen = set() if seen is None else seen
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else None
    find = _TEXTS.get(type(node))
    return None if find is None else find(facts, node, scope, seen)


def _either_texts(facts: Facts, node: ast.IfExp, scope: Scope, seen: Seen) -> list[str] | None:
    return _all_texts(facts, [node.body, node.orelse], scope, seen)


def _entry_texts(facts: Facts, node: ast.Subscript, scope: Scope, seen: Seen) -> list[str] | None:
    return _table_texts(facts, node.value, scope, seen)


def _joined_texts(facts: Facts, node: ast.BinOp, scope: Scope, seen: Seen) -> list[str] | None:
    """Return the pieces of `a + b` and `a * 3`; whoever reads them looks at each piece."""
    if isinstance(node.op, ast.Add):
        return _all_texts(facts, [node.left, node.right], scope, seen)
    if isinstance(node.op, ast.Mult):
        return constant_texts(facts, node.left, scope, seen)
    return None


# Text methods that leave a template what it is.
_TEXT_METHODS = frozenset({"strip", "lstrip", "rstrip", "upper", "lower", "rjust", "ljust"})


def _call_texts(facts: Facts, node: ast.Call, scope: Scope, seen: Seen) -> list[str] | None:
    method = node.func
    if facts.imported(method, scope) == ("textwrap", "dedent") and len(node.args) == 1:
        return constant_texts(facts, node.args[0], scope, seen)  # only spaces go
    if not isinstance(method, ast.Attribute):
        return None
    if method.attr in _TEXT_METHODS and not node.args:
        return constant_texts(facts, method.value, scope, seen)
    if method.attr == "join" and len(node.args) == 1:
        pieces = _table_texts(facts, node.args[0], scope, seen)
        between = constant_texts(facts, method.value, scope, seen)
        return None if pieces is None or between is None else between + pieces
    if method.attr != "get" or not node.args:
        return None
    table = _table_texts(facts, method.value, scope, seen)
    default = _all_texts(facts, list(node.args[1:]), scope, seen)
    return None if table is None or default is None else table + default


def _all_texts(facts: Facts, nodes: list[ast.expr], scope: Scope, seen: Seen) -> list[str] | None:
    texts: list[str] = []
    for node in nodes:
        found = constant_texts(facts, node, scope, seen)
        if found is None:
            return None
        texts += found
    return texts


def _name_texts(facts: Facts, node: ast.Name, scope: Scope, seen: Seen) -> list[str] | None:
    bindings = facts.bindings(node.id, scope)
    # A parameter's default is only one of its values.
    if not bindings or any(b.value is None or b.kind is not Kind.VALUE for b in bindings):
        return None
    return _all_texts(facts, list(_values(facts, node, scope, seen)), scope, seen)


def _table_texts(facts: Facts, node: ast.AST, scope: Scope, seen: Seen) -> list[str] | None:
    """Return the values of a dict, list or tuple of constants that nothing changes."""
    if isinstance(node, ast.Dict):
        return _all_texts(facts, list(node.values), scope, seen)
    if isinstance(node, ast.List | ast.Tuple):
        return _all_texts(facts, list(node.elts), scope, seen)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _table_texts(facts, node.left, scope, seen)
    if not isinstance(node, ast.Name) or facts.remember(
        "changed", node.id, scope, lambda: _is_changed(facts, node.id), none=False
    ):
        return None
    bindings = facts.bindings(node.id, scope)
    if len(bindings) != 1 or not isinstance(bindings[0].value, ast.Dict | ast.List | ast.Tuple):
        return None
    return _table_texts(facts, bindings[0].value, scope, seen)


def _class_texts(facts: Facts, node: ast.Attribute, scope: Scope, seen: Seen) -> list[str] | None:
    """Return the texts of `self.NAME` or `Own.NAME`, set once in the class and never again."""
    owner = own_class(facts, node.value, scope)
    if owner is None or node.attr in facts.stored_attributes():
        return None
    found = facts.class_scopes[owner].names.get(node.attr, [])
    values = [binding.value for binding in found if binding.value is not None]
    if not values or len(values) != len(found):
        return None
    return _all_texts(facts, values, scope, seen)


_READING = frozenset({"get", "items", "keys", "values"})


_LOOKS = (ast.Compare, ast.For, ast.comprehension)


def _is_changed(facts: Facts, name: str) -> bool:
    """Return whether a table's name is used for anything but reading from it."""
    return any(_changes(use) for use in facts.loads().get(name, []))


def _changes(use: Use[ast.Name]) -> bool:
    parent = use.parent
    if isinstance(parent, ast.Subscript):
        return not isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _READING
    joined = isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") == "join"
    return not joined and not isinstance(parent, _LOOKS)


_TEXTS: dict[type[ast.AST], Callable[..., list[str] | None]] = {
    ast.Name: _name_texts,
    ast.IfExp: _either_texts,
    ast.BinOp: _joined_texts,
    ast.Subscript: _entry_texts,
    ast.Attribute: _class_texts,
    ast.Call: _call_texts,
}
