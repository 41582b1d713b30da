"""Classes that a call makes of names: `Enum("State", "OPEN DONE")`, `namedtuple("P", "x y")`.

A mapping or a list that is computed could define any name of the interpreter, so names are written
out. What lives here: the look at such calls. What must not: class statements (`rules_classes`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tm.scan.facts import AnyUse, Facts, Kind, Scope
from tm.scan.hits import INTERPRETER
from tm.scan.policy import DENIED_ATTRIBUTES
from tm.scan.report import Report

_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"})
_NAMING = {
    "enum": _ENUMS,
    "collections": frozenset({"namedtuple"}),
    "typing": frozenset({"NamedTuple", "TypedDict"}),
    "dataclasses": frozenset({"make_dataclass"}),
}
# The rest says what values are, not what they are called.
_NAMES = frozenset({"names", "field_names", "fields", "typename", "value"})
_PLACES = frozenset({"module", "qualname"})
_HELP = 'write the names out, as in `namedtuple("Point", "x y")`, or write a class'


def check_naming(facts: Facts, report: Report) -> None:
    """Check the names in every call that makes a class."""
    for use in facts.of(ast.Call):
        if _makes_class(use, facts):
            _check_call(use.node, use, facts, report)


def _makes_class(use: AnyUse, facts: Facts) -> bool:
    imported = facts.imported(use.node.func, use.scope)
    if imported is not None:
        module, member = imported
        several = len(use.node.args) > 1 or bool(use.node.keywords) or _spreads(use.node)
        return member in _NAMING.get(module, ()) and (member not in _ENUMS or several)
    return _is_own_enum(use, facts)


def _spreads(node: ast.Call) -> bool:
    return any(isinstance(value, ast.Starred) for value in node.args)


def _is_own_enum(use: AnyUse, facts: Facts) -> bool:
    """Tell whether a call hands names to an enum of this file: `Base("State", {...})`."""
    node = use.node
    if not isinstance(node.func, ast.Name) or (len(node.args) < 2 and not node.keywords):
        return False
    for binding in facts.bindings(node.func.id, use.scope):
        bases = binding.node.bases if isinstance(binding.node, ast.ClassDef) else []
        for base in bases:
            imported = facts.imported(base, use.scope)
            if imported is not None and imported[0] == "enum" and imported[1] in _ENUMS:
                return True
    return False


def _check_call(node: ast.Call, use: AnyUse, facts: Facts, report: Report) -> None:
    for keyword in node.keywords:
        if keyword.arg in _PLACES and not _is_own_module(keyword.value):
            report.add(INTERPRETER, keyword, f"'{keyword.arg}' makes the class pass for another's")
        elif keyword.arg is None:
            report.add(INTERPRETER, keyword, "the names of the class are computed", _HELP)
    named = [keyword.value for keyword in node.keywords if keyword.arg in _NAMES]
    for value in (*node.args, *named):
        for name in _names(facts, value, use.scope, 4):
            if not isinstance(name, str):
                report.add(INTERPRETER, name, "the names of the class are computed", _HELP)
            elif not _is_plain(name, private=_is_typed_dict(use, facts)):
                report.add(INTERPRETER, value, "a field with this name opens class patterns", _HELP)


def _is_own_module(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == "__name__"


def _is_typed_dict(use: AnyUse, facts: Facts) -> bool:
    """Tell whether the names are keys, such as `_id`, and no attributes."""
    return facts.imported(use.node.func, use.scope) == ("typing", "TypedDict")


def _is_plain(text: str, *, private: bool) -> bool:
    mark = "__" if private else "_"
    words = text.replace(",", " ").split()
    return not any(word.startswith(mark) or word in DENIED_ATTRIBUTES for word in words)


def _names(facts: Facts, node: ast.expr, scope: Scope, hops: int) -> Iterator[str | ast.expr]:
    """Yield the names that an argument spells, and the expressions that are no text."""
    if isinstance(node, ast.Constant):
        yield from [node.value] if isinstance(node.value, str) else []
    elif isinstance(node, ast.Dict):
        for key in node.keys:
            yield from _texts(facts, key or node, scope, hops)
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        for item in node.elts:
            pair = isinstance(item, ast.Tuple | ast.List) and bool(item.elts)
            first = item.elts[0] if pair and isinstance(item, ast.Tuple | ast.List) else item
            yield from _texts(facts, first, scope, hops)
    else:
        yield from _texts(facts, node, scope, hops)


def _texts(facts: Facts, node: ast.expr, scope: Scope, hops: int) -> Iterator[str | ast.expr]:
    """Yield the texts of constants, names of constants, sums and `.split()` of them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Starred):
        yield from _names(facts, node.value, scope, hops)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _names(facts, node.left, scope, hops)
        yield from _names(facts, node.right, scope, hops)
    elif isinstance(node, ast.Call) and _is_split(node):
        yield from _texts(facts, node.func.value, scope, hops)  # type: ignore[attr-defined]
    elif isinstance(node, ast.Name) and hops:
        yield from _bound(facts, node, scope, hops)
    else:
        yield node


def _is_split(node: ast.Call) -> bool:
    constants = all(isinstance(value, ast.Constant) for value in node.args)
    return isinstance(node.func, ast.Attribute) and node.func.attr == "split" and constants


def _bound(facts: Facts, node: ast.Name, scope: Scope, hops: int) -> Iterator[str | ast.expr]:
    bindings = facts.bindings(node.id, scope)
    if not bindings:
        yield node
    for binding in bindings:
        if binding.kind is not Kind.VALUE or binding.value is None:
            yield node
        else:
            yield from _names(facts, binding.value, scope, hops - 1)
