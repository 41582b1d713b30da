"""Attributes and class patterns (point 7)."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from tm.scan.facts import AnyUse, Facts, Kind, dotted, root_of
from tm.scan.hits import INTERPRETER
from tm.scan.owners import maker, own_class
from tm.scan.policy import (
    BASE_METHODS,
    BUILTINS,
    DENIED_ATTRIBUTES,
    DUNDER_ATTRIBUTES,
    DUNDER_METHODS,
    EXCEPTION_ATTRIBUTES,
    FACADE_INTERNALS,
    PATTERN_ATTRIBUTES,
    RESPONSE_INTERNALS,
    UNDERSCORE_METHODS,
)
from tm.scan.report import Report
from tm.scan.rules_format import check_format
from tm.scan.values import comes_from_ctx, ctx_path, is_type_of

# `obj._Class__name` reaches a name that its class keeps for itself.
_MANGLED = re.compile(r"_+[A-Za-z]\w*?__\w")


def is_dunder(name: str) -> bool:
    """Return whether a name is one of Python's own, such as `__init__`."""
    return name.startswith("__") and name.endswith("__")


class Access(NamedTuple):
    """One access to an attribute: its name, whose it is, and the node that says so."""

    name: str
    base: ast.AST
    node: ast.AST


def check_attributes(facts: Facts, report: Report) -> None:
    """Check every attribute that is read, set or deleted."""
    for use in facts.of(ast.Attribute):
        node = use.node
        check_access(Access(node.attr, node.value, node), use, facts, report)
        if not isinstance(node.ctx, ast.Load):
            _check_store(node, use, facts, report)
        elif node.attr == "format":
            check_format(node, use, facts, report)
    for pattern in facts.of(ast.MatchClass):
        _check_pattern(pattern.node, report)


def check_access(access: Access, use: AnyUse, facts: Facts, report: Report) -> None:
    """Check one attribute by name; also what getattr and hasattr name."""
    name, node = access.name, access.node
    if is_dunder(name):
        if not _allowed_dunder(access, use, facts):
            report.add(INTERPRETER, node, f"'.{name}' leads into the interpreter")
    elif name in DENIED_ATTRIBUTES:
        report.add(INTERPRETER, node, f"'.{name}' leads to frames, code or classes")
    elif name.startswith("_"):
        _check_private(access, use, facts, report)
    elif _is_internal(access, use, facts):
        report.add(INTERPRETER, node, f"'.{name}' leads behind what ctx hands out")


def _allowed_dunder(access: Access, use: AnyUse, facts: Facts) -> bool:
    name, base, node = access
    if name in DUNDER_ATTRIBUTES:
        return True
    if name == "__class__":
        return _only_names_class(base, node, use, facts)
    if name == "__dict__":
        return (
            isinstance(base, ast.Name)
            and base.id == "self"
            and own_class(facts, base, use.scope) is not None
        )
    if isinstance(base, ast.Call) and facts.is_builtin(base.func, use.scope, "super"):
        return name in DUNDER_METHODS
    if name in DUNDER_METHODS and _is_class_name(base, use, facts) and _gets_self(node, use, facts):
        return True
    owner = own_class(facts, base, use.scope)
    if owner is not None and name in DUNDER_METHODS and getattr(base, "id", "") == "self":
        return name in facts.class_scopes[owner].names
    if name == "__setattr__":
        return _sets_own_field(base, node, use, facts)
    return name in BASE_METHODS and _is_class_name(base, use, facts)


def _only_names_class(base: ast.AST, node: ast.AST, use: AnyUse, facts: Facts) -> bool:
    """Return whether `x.__class__` is named, compared, or makes another of the own class."""
    after = facts.parents.get(node)
    if isinstance(after, ast.Attribute):
        return after.attr in {"__name__", "__qualname__"}
    if isinstance(after, ast.Call) and after.func is node:
        return getattr(base, "id", "") == "self" and own_class(facts, base, use.scope) is not None
    return isinstance(after, ast.Compare) or (
        isinstance(after, ast.Call) and facts.is_builtin(after.func, use.scope, "isinstance")
    )


def _gets_self(node: ast.AST, use: AnyUse, facts: Facts) -> bool:
    """Return whether it is `dict.__setitem__(self, ...)` in a class of this file."""
    call = facts.parents.get(node)
    first = call.args[0] if isinstance(call, ast.Call) and call.args else None
    named = isinstance(first, ast.Name) and first.id == "self"
    return named and own_class(facts, first or node, use.scope) is not None


def _is_class_name(base: ast.AST, use: AnyUse, facts: Facts) -> bool:
    if not isinstance(base, ast.Name):
        return False
    bindings = facts.bindings(base.id, use.scope)
    if not bindings:
        return base.id in BUILTINS and base.id != "type"
    return all(binding.kind in {Kind.CLASS, Kind.MEMBER} for binding in bindings)


def _sets_own_field(base: ast.AST, node: ast.AST, use: AnyUse, facts: Facts) -> bool:
    """Return whether it is `object.__setattr__(self, "name", ...)`, as frozen classes need it."""
    call = facts.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node or len(call.args) != 3:
        return False
    target, name = call.args[:2]
    return (
        facts.is_builtin(base, use.scope, "object")
        and isinstance(target, ast.Name)
        and target.id == "self"
        and own_class(facts, target, use.scope) is not None
        and isinstance(name, ast.Constant)
        and isinstance(name.value, str)
        and not is_dunder(name.value)
        and name.value not in DENIED_ATTRIBUTES
    )


def _check_private(access: Access, use: AnyUse, facts: Facts, report: Report) -> None:
    name, base, node = access
    if name in UNDERSCORE_METHODS:
        return
    root = root_of(base)
    bindings = facts.bindings(root.id, use.scope) if isinstance(root, ast.Name) else []
    foreign = isinstance(root, ast.Name) and facts.imports(root.id, use.scope)
    unknown = isinstance(root, ast.Name) and not bindings and not _is_super(root, base)
    if _MANGLED.match(name) or foreign or unknown or comes_from_ctx(facts, base, use.scope):
        report.add(INTERPRETER, node, f"'.{name}' belongs to the inside of another object")


def _is_super(root: ast.Name, base: ast.AST) -> bool:
    return root.id == "super" and isinstance(base, ast.Call)


def _is_internal(access: Access, use: AnyUse, facts: Facts) -> bool:
    name, base, node = access
    if name in EXCEPTION_ATTRIBUTES:
        root = root_of(base)
        named = isinstance(root, ast.Name) and root.id in {"self", "cls"}
        return not named and facts.once("caught", lambda: _names_exceptions(facts))
    if name == "register":
        return _is_abstract_register(base, node, use, facts)
    if name in FACADE_INTERNALS:
        path = ctx_path(facts, base, use.scope)
        if path is not None and path[:1] in {("logger",), ("http",), ("tool",)}:
            return True
    return name in RESPONSE_INTERNALS and _is_response(base, node, use, facts)


def _names_exceptions(facts: Facts) -> bool:
    return any(use.node.name is not None for use in facts.of(ast.ExceptHandler))


def _is_response(base: ast.AST, node: ast.AST, use: AnyUse, facts: Facts) -> bool:
    after = facts.parents.get(node)
    called = isinstance(after, ast.Call) and after.func is node
    client = ctx_path(facts, base, use.scope) is not None
    return not called and not client and comes_from_ctx(facts, base, use.scope)


def _is_abstract_register(base: ast.AST, node: ast.AST, use: AnyUse, facts: Facts) -> bool:
    """Return whether `.register` may be that of an abstract class or of a dispatcher."""
    if facts.imported(base, use.scope) is not None or is_type_of(facts, base, use.scope):
        return True
    parent = facts.parents.get(node)
    if isinstance(parent, ast.FunctionDef):
        return isinstance(base, ast.Name) and any(
            binding.kind is Kind.FUNCTION for binding in facts.bindings(base.id, use.scope)
        )
    owner = own_class(facts, base, use.scope)
    if isinstance(base, ast.Name) and base.id == "self":
        return False
    if owner is not None and "register" not in facts.class_scopes[owner].names:
        return True
    made_by = maker(facts, base, use.scope)
    if made_by is not None and "register" in facts.class_scopes[made_by].names:
        return False
    abstract = facts.once(
        "abstract",
        lambda: any(_has_abstract_base(u.node, u, facts) for u in facts.of(ast.ClassDef)),
    )
    if owner is not None:
        return abstract and _has_odd_base(owner)
    return abstract


def _has_abstract_base(node: ast.ClassDef, use: AnyUse, facts: Facts) -> bool:
    for base in node.bases:
        found = facts.imported(base, use.scope)
        if isinstance(base, ast.Call):
            return True
        if found is not None and found[0] in {"abc", "collections.abc", "numbers", "typing"}:
            return found[1] not in {"NamedTuple", "TypedDict", "Generic"}
    return False


def _has_odd_base(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and bool(node.bases)


# What it returns stays in force for every tool that runs in the same thread.
_THREAD_CONTEXT = ("decimal", "getcontext")


def _check_store(node: ast.Attribute, use: AnyUse, facts: Facts, report: Report) -> None:
    base = node.value
    root = root_of(base)
    bindings = facts.bindings(root.id, use.scope) if isinstance(root, ast.Name) else []
    made = isinstance(base, ast.Call)  # an object that a call gave belongs to the caller
    if made and facts.imported(getattr(base, "func", base), use.scope) == _THREAD_CONTEXT:
        made = False
    foreign = not made and isinstance(root, ast.Name) and facts.imports(root.id, use.scope)
    builtin = isinstance(root, ast.Name) and not bindings and not made
    dunder = isinstance(base, ast.Attribute) and is_dunder(base.attr)
    if foreign or builtin or dunder or is_type_of(facts, base, use.scope):
        what = ".".join(dotted(node)) or f".{node.attr}"
        report.add(
            INTERPRETER,
            node,
            f"'{what}' changes a class or module for the whole process",
            "set attributes on objects of your own classes only",
        )
    elif comes_from_ctx(facts, base, use.scope) and ctx_path(facts, base, use.scope) is not None:
        report.add(
            INTERPRETER,
            node,
            f"'.{node.attr}' changes what ctx hands out",
            "ctx is read, not written",
        )


def _check_pattern(node: ast.MatchClass, report: Report) -> None:
    for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
        denied = name in DENIED_ATTRIBUTES or name in PATTERN_ATTRIBUTES
        if denied or name.startswith("_"):
            report.add(INTERPRETER, pattern, f"the pattern reads the attribute '{name}'")
