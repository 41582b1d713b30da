"""Where a value comes from, as far as the source says it.

What lives here: questions about expressions: part of ctx, a type, constant text. What must not:
hits.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tm.scan.facts import Binding, Facts, Kind, Scope, root_of

# Aliases of aliases are followed this far; circles end here.
_MAX_STEPS = 6


def _values(facts: Facts, node: ast.Name, scope: Scope) -> Iterator[ast.expr]:
    for binding in facts.bindings(node.id, scope):
        if binding.value is not None:
            yield binding.value


def _is_ctx_binding(binding: Binding) -> bool:
    return binding.kind is Kind.PARAMETER and getattr(binding.node, "arg", "") == "ctx"


def ctx_path(
    facts: Facts, node: ast.AST, scope: Scope, steps: int = _MAX_STEPS
) -> tuple[str, ...] | None:
    """Return the keys that lead from ctx to a value (`()` for ctx itself), or None.

    `ctx["http"]`, `ctx.get("http")` and names bound to them count; what a call of them returns
    does not. A key that is no constant is "?".
    """
    if steps == 0:
        return None
    if isinstance(node, ast.Name):
        return _ctx_name(facts, node, scope, steps)
    if isinstance(node, ast.Subscript):
        base, key = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr != "get" or not node.args:
            return None
        base, key = node.func.value, node.args[0]
    else:
        return None
    before = ctx_path(facts, base, scope, steps - 1)
    if before is None or (before[:1] == ("http",) and isinstance(node, ast.Call)):
        return None
    return (*before, str(key.value) if isinstance(key, ast.Constant) else "?")


def _ctx_name(facts: Facts, node: ast.Name, scope: Scope, steps: int) -> tuple[str, ...] | None:
    bindings = facts.bindings(node.id, scope)
    if any(_is_ctx_binding(binding) for binding in bindings):
        return ()
    for binding in bindings:
        if binding.value is not None:
            path = ctx_path(facts, binding.value, scope, steps - 1)
            if path is not None:
                return path
    return None


def comes_from_ctx(facts: Facts, node: ast.AST, scope: Scope, steps: int = _MAX_STEPS) -> bool:
    """Return whether a value was reached through ctx, calls included."""
    root = root_of(node)
    if steps == 0 or not isinstance(root, ast.Name):
        return False
    if any(_is_ctx_binding(binding) for binding in facts.bindings(root.id, scope)):
        return True
    return any(
        comes_from_ctx(facts, value, scope, steps - 1) for value in _values(facts, root, scope)
    )


def is_type_of(facts: Facts, node: ast.AST, scope: Scope, steps: int = _MAX_STEPS) -> bool:
    """Return whether a value is what `type(x)` gave."""
    if steps == 0:
        return False
    if isinstance(node, ast.Call):
        return facts.is_builtin(node.func, scope, "type")
    if isinstance(node, ast.IfExp):
        return any(is_type_of(facts, n, scope, steps - 1) for n in (node.body, node.orelse))
    if isinstance(node, ast.BoolOp):
        return any(is_type_of(facts, n, scope, steps - 1) for n in node.values)
    if isinstance(node, ast.NamedExpr):
        return is_type_of(facts, node.value, scope, steps - 1)
    return isinstance(node, ast.Name) and any(
        is_type_of(facts, value, scope, steps - 1) for value in _values(facts, node, scope)
    )


def constant_texts(
    facts: Facts, node: ast.AST, scope: Scope, steps: int = _MAX_STEPS
) -> list[str] | None:
    """Return the texts that an expression can be, or None where it may be something else."""
    if steps == 0:
        return None
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else None
    find = _TEXTS.get(type(node))
    return None if find is None else find(facts, node, scope, steps)


def _either_texts(facts: Facts, node: ast.IfExp, scope: Scope, steps: int) -> list[str] | None:
    return _all_texts(facts, [node.body, node.orelse], scope, steps)


def _entry_texts(facts: Facts, node: ast.Subscript, scope: Scope, steps: int) -> list[str] | None:
    return _table_texts(facts, node.value, scope, steps)


def _joined_texts(facts: Facts, node: ast.BinOp, scope: Scope, steps: int) -> list[str] | None:
    """Return the pieces of `a + b` and `a * 3`; whoever reads them looks at each piece."""
    if isinstance(node.op, ast.Add):
        return _all_texts(facts, [node.left, node.right], scope, steps)
    if isinstance(node.op, ast.Mult):
        return constant_texts(facts, node.left, scope, steps - 1)
    return None


# Text methods that leave a template what it is.
_TEXT_METHODS = frozenset({"strip", "lstrip", "rstrip", "upper", "lower", "rjust", "ljust"})


def _call_texts(facts: Facts, node: ast.Call, scope: Scope, steps: int) -> list[str] | None:
    method = node.func
    if not isinstance(method, ast.Attribute):
        return None
    if method.attr in _TEXT_METHODS and not node.args:
        return constant_texts(facts, method.value, scope, steps - 1)
    if method.attr == "join" and len(node.args) == 1:
        pieces = _table_texts(facts, node.args[0], scope, steps)
        between = constant_texts(facts, method.value, scope, steps - 1)
        return None if pieces is None or between is None else between + pieces
    if method.attr != "get" or not node.args:
        return None
    table = _table_texts(facts, method.value, scope, steps)
    default = _all_texts(facts, list(node.args[1:]), scope, steps)
    return None if table is None or default is None else table + default


def _all_texts(facts: Facts, nodes: list[ast.expr], scope: Scope, steps: int) -> list[str] | None:
    texts: list[str] = []
    for node in nodes:
        found = constant_texts(facts, node, scope, steps - 1)
        if found is None:
            return None
        texts += found
    return texts


def _name_texts(facts: Facts, node: ast.Name, scope: Scope, steps: int) -> list[str] | None:
    bindings = facts.bindings(node.id, scope)
    values = [binding.value for binding in bindings if binding.kind is Kind.VALUE]
    # A parameter's default is only one of its values.
    if not values or len(values) != len(bindings):
        return None
    known = [value for value in values if value is not None]
    return _all_texts(facts, known, scope, steps) if len(known) == len(values) else None


def _table_texts(facts: Facts, node: ast.AST, scope: Scope, steps: int) -> list[str] | None:
    """Return the values of a dict, list or tuple of constants that nothing changes."""
    if isinstance(node, ast.Dict):
        return _all_texts(facts, list(node.values), scope, steps)
    if isinstance(node, ast.List | ast.Tuple):
        return _all_texts(facts, list(node.elts), scope, steps)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _table_texts(facts, node.left, scope, steps - 1)
    if not isinstance(node, ast.Name) or _is_changed(facts, node.id):
        return None
    bindings = facts.bindings(node.id, scope)
    if len(bindings) != 1 or not isinstance(bindings[0].value, ast.Dict | ast.List | ast.Tuple):
        return None
    return _table_texts(facts, bindings[0].value, scope, steps - 1)


def _class_texts(facts: Facts, node: ast.Attribute, scope: Scope, steps: int) -> list[str] | None:
    """Return the texts of `self.NAME` or `Own.NAME`, set once in the class and never again."""
    found: list[Binding] = []
    for use in facts.of(ast.Attribute):
        other = use.node
        changed = isinstance(other, ast.Attribute) and not isinstance(other.ctx, ast.Load)
        if changed and getattr(other, "attr", "") == node.attr:
            return None
    owner = own_class(facts, node.value, scope)
    inner = facts.class_scopes.get(owner) if owner is not None else None
    if inner is not None:
        found = inner.names.get(node.attr, [])
    values = [binding.value for binding in found if binding.value is not None]
    if not values or len(values) != len(found):
        return None
    return _all_texts(facts, values, scope, steps)


def own_class(facts: Facts, node: ast.AST, scope: Scope) -> ast.AST | None:
    """Return the class of this file that `self`, `cls` or its own name stand for."""
    if not isinstance(node, ast.Name):
        return None
    bindings = facts.bindings(node.id, scope)
    for binding in bindings:
        if binding.kind is Kind.CLASS:
            return binding.node
    inside = scope.enclosing("class")
    is_self = node.id in {"self", "cls"} and bool(bindings) and inside is not None
    return inside.node if is_self and inside is not None else None


_READING = frozenset({"get", "items", "keys", "values"})


_LOOKS = (ast.Compare, ast.For, ast.comprehension)


def _is_changed(facts: Facts, name: str) -> bool:
    """Return whether a table's name is used for anything but reading from it."""
    for use in facts.of(ast.Name):
        node = use.node
        if not isinstance(node, ast.Name) or node.id != name or isinstance(node.ctx, ast.Store):
            continue
        parent = use.parent
        subscript = isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Load)
        method = isinstance(parent, ast.Attribute) and parent.attr in _READING
        joined = isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") == "join"
        if not (subscript or method or joined or isinstance(parent, _LOOKS)):
            return True
    return False


_TEXTS: dict[type[ast.AST], Callable[..., list[str] | None]] = {
    ast.Name: _name_texts,
    ast.IfExp: _either_texts,
    ast.BinOp: _joined_texts,
    ast.Subscript: _entry_texts,
    ast.Attribute: _class_texts,
    ast.Call: _call_texts,
}
