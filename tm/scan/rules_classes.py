"""Classes and their methods (point 8)."""

from __future__ import annotations

import ast

from tm.scan.facts import AnyUse, Facts
from tm.scan.hits import INTERPRETER, PROCESS
from tm.scan.policy import COMPARES, DENIED_ATTRIBUTES, DUNDER_METHODS, SLOT_DUNDERS
from tm.scan.report import Report
from tm.scan.rules_attributes import is_dunder
from tm.scan.rules_new import check_new
from tm.scan.values import is_type_of

# `class Point(namedtuple("Point", "x y"))` and the keywords of TypedDict, Enum and NamedTuple.
_BASE_CALLS = frozenset({"namedtuple", "NamedTuple"})
_CLASS_KEYWORDS = frozenset({"total", "boundary"})
_STORING_CALLS = frozenset({"append", "add", "insert", "extend", "update", "setdefault", "put"})


def check_classes(facts: Facts, report: Report) -> None:
    """Check class headers, field names and dunder methods."""
    for use in facts.of(ast.ClassDef):
        _check_header(use.node, use, facts, report)
        _check_fields(use.node, report)
    for method in facts.of(ast.FunctionDef):
        if is_dunder(method.node.name):
            _check_dunder(method.node, method, report)
        if method.node.name == "__new__":
            check_new(method.node, method, facts, report)
    for call in facts.of(ast.Call):
        _check_class_building(call.node, call, facts, report)
        _check_keys(call.node, call, facts, report)


def _check_header(node: ast.ClassDef, use: AnyUse, facts: Facts, report: Report) -> None:
    for keyword in node.keywords:
        if keyword.arg not in _CLASS_KEYWORDS:
            what = "metaclass" if keyword.arg == "metaclass" else f"class keyword '{keyword.arg}'"
            report.add(
                INTERPRETER,
                keyword,
                f"{what}: code that runs whenever a class is made or called",
                "use a plain class, a decorator or a function",
            )
    for base in node.bases:
        if not _is_plain_base(base, use, facts):
            report.add(
                INTERPRETER,
                base,
                "the base class is computed, or is 'type'",
                "name the base class: `class Line(Base):`",
            )


def _is_plain_base(base: ast.expr, use: AnyUse, facts: Facts) -> bool:
    if isinstance(base, ast.Call):
        imported = facts.imported(base.func, use.scope)
        return imported is not None and imported[1] in _BASE_CALLS
    if isinstance(base, ast.Subscript):
        return _is_plain_base(base.value, use, facts)
    return isinstance(base, ast.Name | ast.Attribute) and not facts.is_builtin(
        base, use.scope, "type"
    )


def _check_fields(node: ast.ClassDef, report: Report) -> None:
    for statement in node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            if not isinstance(target, ast.Name):
                continue
            if target.id in DENIED_ATTRIBUTES:
                report.add(INTERPRETER, target, f"the field '{target.id}' opens class patterns")
            elif target.id == "__match_args__":
                _check_texts(statement, report)
            elif target.id == "__slots__":
                _check_slots(statement, report)


def _check_texts(node: ast.AST, report: Report) -> None:
    value = getattr(node, "value", None)
    texts = value.elts if isinstance(value, ast.Tuple) else [value]
    for text in texts:
        name = text.value if isinstance(text, ast.Constant) else None
        if not isinstance(name, str) or name.startswith("_") or name in DENIED_ATTRIBUTES:
            report.add(INTERPRETER, node, "'__match_args__' may only be plain field names")


def _check_slots(statement: ast.stmt, report: Report) -> None:
    for part in ast.walk(statement):
        name = part.value if isinstance(part, ast.Constant) else None
        if isinstance(name, str) and is_dunder(name) and name not in SLOT_DUNDERS:
            report.add(INTERPRETER, part, f"the slot '{name}' hides a name of the interpreter")


def _check_keys(node: ast.Call, use: AnyUse, facts: Facts, report: Report) -> None:
    """Find `SimpleNamespace(**{"__class__": ...})`, which passes for another class."""
    if facts.imported(node.func, use.scope) != ("types", "SimpleNamespace"):
        return
    for keyword in node.keywords:
        for part in ast.walk(keyword):
            name = part.arg if isinstance(part, ast.keyword) else getattr(part, "value", None)
            if isinstance(name, str) and is_dunder(name):
                report.add(INTERPRETER, part, f"'{name}' is a name of the interpreter")


def _check_class_building(node: ast.Call, use: AnyUse, facts: Facts, report: Report) -> None:
    """Find `kind("Name", (bases,), {...})`, which calls the class of all classes."""
    if len(node.args) != 3 or node.keywords:
        return
    _, bases, members = node.args
    plain = isinstance(bases, ast.Tuple), isinstance(members, ast.Dict)
    if any(plain) and is_type_of(facts, node.func, use.scope):
        report.add(INTERPRETER, node, "the call builds a class from data", "write a class")
    if not isinstance(bases, ast.Tuple) or not isinstance(members, ast.Dict):
        return
    functions = any(isinstance(value, ast.Lambda) for value in members.values)
    names = any(
        isinstance(key, ast.Constant) and isinstance(key.value, str) and is_dunder(key.value)
        for key in members.keys
    )
    if functions or names:
        report.add(INTERPRETER, node, "the call builds a class from data", "write a class")


def _check_dunder(node: ast.FunctionDef, use: AnyUse, report: Report) -> None:
    if use.scope.kind != "class" or node.name not in DUNDER_METHODS:
        report.add(
            INTERPRETER,
            node,
            f"'{node.name}' changes how Python treats the class or module",
            "use an ordinary method",
        )
    elif node.name == "__exit__":
        _check_exit(node, report)
    elif node.name in COMPARES:
        _check_compare(node, report)


def _check_exit(node: ast.FunctionDef, report: Report) -> None:
    for part in ast.walk(node):
        if isinstance(part, ast.Return) and part.value is not None and _is_always_true(part.value):
            report.add(
                PROCESS,
                part,
                "'__exit__' swallows every exception, the runner's stop signal too",
                "return False, or test the type: `return exc_type is KeyError`",
            )


def _is_always_true(value: ast.expr) -> bool:
    """Return whether a returned value is true for every exception, as far as the source says."""
    if isinstance(value, ast.Constant):
        return bool(value.value)
    if isinstance(value, ast.Compare):
        negative = isinstance(value.ops[0], ast.IsNot | ast.NotEq)
        none = isinstance(value.comparators[0], ast.Constant)
        return negative and none
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        return isinstance(value.operand, ast.Constant) and not value.operand.value
    if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):
        return any(_is_always_true(part) for part in value.values)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "bool"
    return isinstance(value, ast.Name | ast.Tuple | ast.List | ast.Dict | ast.JoinedStr)


def _check_compare(node: ast.FunctionDef, report: Report) -> None:
    """Find a comparison that keeps what it is compared with: that can be the class of a class."""
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)][1:]
    for part in ast.walk(node):
        if _keeps(part, set(names)):
            report.add(
                INTERPRETER,
                part,
                f"'{node.name}' keeps the other value",
                "only compare: `return self.key == other.key`",
            )


def _keeps(part: ast.AST, names: set[str]) -> bool:
    values: list[ast.expr] = []
    if isinstance(part, ast.Assign | ast.NamedExpr) and part.value is not None:
        values = [part.value]
    elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
        values = part.args if part.func.attr in _STORING_CALLS else []
    elif isinstance(part, ast.Return | ast.Yield) and part.value is not None:
        values = [part.value]
    flat = [
        inner
        for value in values
        for inner in (value.elts if isinstance(value, ast.Tuple | ast.List) else [value])
    ]
    return any(isinstance(value, ast.Name) and value.id in names for value in flat)
