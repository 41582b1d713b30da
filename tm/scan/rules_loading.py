"""What may run while a file is loaded (point 4): nothing but definitions and constants."""

from __future__ import annotations

import ast

from tm.scan.facts import AnyUse, Facts, Kind, Scope, root_of
from tm.scan.hits import AT_IMPORT
from tm.scan.policy import CALLS_ARGUMENTS, CONFIG_NAMES, DECORATORS, NOT_AT_IMPORT
from tm.scan.report import Report

_STATEMENTS = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Pass,
)


def check_loading(tree: ast.Module, facts: Facts, report: Report) -> None:
    """Check the module's statements and everything else that runs with them."""
    for statement in tree.body:
        if not _is_statement(statement):
            report.add(AT_IMPORT, statement, f"{_what(statement)} runs while the file is loaded")
    for use in facts.of(ast.ClassDef):
        if use.at_import:
            _check_class_body(use.node, report)
    _check_config(tree, facts, report)
    _check_decorators(facts, report)
    for call in facts.of(ast.Call):
        if call.at_import:
            _check_call(call.node, call, facts, report)


def _what(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Expr):
        return "this expression"
    return f"this `{type(statement).__name__.lower()}` statement"


def _is_statement(statement: ast.stmt) -> bool:
    if isinstance(statement, _STATEMENTS):
        return True
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.If) and _is_type_checking(statement)


def _is_type_checking(statement: ast.If) -> bool:
    """Return whether it is `if TYPE_CHECKING:` around imports, which never runs."""
    test = statement.test
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    only_imports = all(
        isinstance(s, ast.Import | ast.ImportFrom | ast.Pass) for s in statement.body
    )
    return name == "TYPE_CHECKING" and only_imports and not statement.orelse


def _check_class_body(node: ast.ClassDef, report: Report) -> None:
    for statement in node.body:
        if not _is_statement(statement):
            report.add(AT_IMPORT, statement, f"{_what(statement)} runs while the file is loaded")


# -- the config mappings ------------------------------------------------------


def _check_config(tree: ast.Module, facts: Facts, report: Report) -> None:
    seen = set[str]()
    for statement in tree.body:
        name, value, plain = _config_target(statement)
        if not name:
            continue
        if not plain or name in seen:
            report.add(
                AT_IMPORT,
                statement,
                f"'{name}' is changed after it was set; it is read as it is written",
                f"write one mapping: `{name} = {{...}}`",
            )
        if value is not None and name not in seen:
            _check_literal(name, value, facts, report)
        seen.add(name)


def _config_target(statement: ast.stmt) -> tuple[str, ast.expr | None, bool]:
    """Return the config name that a statement sets, its value, and whether it is set whole."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        target = statement.target
    else:
        return "", None, True
    plain = isinstance(target, ast.Name) and not isinstance(statement, ast.AugAssign)
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    name = target.id if isinstance(target, ast.Name) and target.id in CONFIG_NAMES else ""
    return name, statement.value, plain


def _check_literal(name: str, value: ast.expr, facts: Facts, report: Report) -> None:
    last = value.end_lineno or value.lineno
    for use in facts.of(ast.Call):
        line = getattr(use.node, "lineno", 0)
        if use.at_import and value.lineno <= line <= last:
            report.add(
                AT_IMPORT,
                use.node,
                f"a call inside '{name}' runs while the file is loaded",
                "write the value out; it is read as it is written",
            )


# -- decorators and calls -----------------------------------------------------


def _check_decorators(facts: Facts, report: Report) -> None:
    uses: list[AnyUse] = [*facts.of(ast.FunctionDef), *facts.of(ast.ClassDef)]
    for use in uses:
        if use.at_import:
            for decorator in getattr(use.node, "decorator_list", []):
                _check_decorator(decorator, use.scope, facts, report)


def _check_decorator(node: ast.expr, scope: Scope, facts: Facts, report: Report) -> None:
    called = node.func if isinstance(node, ast.Call) else node
    if _runs_own(called, scope, facts):
        line = node.lineno
        facts.runs_own_code = min(facts.runs_own_code or line, line)
        return
    if isinstance(called, ast.Attribute) and called.attr in {"setter", "getter", "deleter"}:
        return
    if _name_of(called, scope, facts) not in DECORATORS:
        report.add(
            AT_IMPORT,
            node,
            "this decorator runs while the file is loaded",
            "use a decorator of this file or a known one, such as `@property` or `@dataclass`",
        )


def _runs_own(node: ast.AST, scope: Scope, facts: Facts) -> bool:
    return isinstance(node, ast.Name) and any(
        binding.kind in {Kind.FUNCTION, Kind.RELATIVE, Kind.CLASS}
        for binding in facts.bindings(node.id, scope)
    )


def _name_of(node: ast.AST, scope: Scope, facts: Facts) -> str | None:
    """Return the name of a builtin or of an imported member."""
    imported = facts.imported(node, scope)
    if imported is not None:
        return imported[1]
    is_builtin = isinstance(node, ast.Name) and not facts.bindings(node.id, scope)
    return node.id if is_builtin and isinstance(node, ast.Name) else None


def _check_call(node: ast.Call, use: AnyUse, facts: Facts, report: Report) -> None:
    parent = use.parent
    if isinstance(parent, ast.FunctionDef | ast.ClassDef) and node in parent.decorator_list:
        return
    if not _is_constructor(node.func, use, facts) or _runs_argument(node, use, facts):
        report.add(
            AT_IMPORT,
            node,
            "this call runs while the file is loaded",
            "call it inside a function; constants may use builtins and allowed modules",
        )


def _is_constructor(func: ast.expr, use: AnyUse, facts: Facts) -> bool:
    name = _name_of(func, use.scope, facts)
    if name is not None:
        return name not in NOT_AT_IMPORT
    if isinstance(func, ast.Name):
        kinds = {binding.kind for binding in facts.bindings(func.id, use.scope)}
        facts.runs_own_code = min(facts.runs_own_code or func.lineno, func.lineno)
        return kinds == {Kind.CLASS}
    # Methods of texts, of constants and of what an allowed call gave.
    return isinstance(func, ast.Attribute) and _is_constructor_base(func.value, use, facts)


def _is_constructor_base(base: ast.expr, use: AnyUse, facts: Facts) -> bool:
    if isinstance(base, ast.Call):
        return not _is_own_class(base.func, use, facts)  # the call is checked on its own
    if isinstance(base, ast.Constant | ast.JoinedStr | ast.Dict | ast.List | ast.Tuple):
        return True
    if isinstance(base, ast.Attribute | ast.Subscript):
        return _is_constructor_base(base.value, use, facts)
    if not isinstance(base, ast.Name):
        return isinstance(base, ast.BinOp | ast.Set | ast.ListComp)
    bindings = facts.bindings(base.id, use.scope)
    made = [b.value for b in bindings if isinstance(b.value, ast.Call)]
    if any(_is_own_class(root_of(value), use, facts) for value in made):
        return False
    kinds = {binding.kind for binding in bindings}
    return not bindings or kinds <= {Kind.VALUE, Kind.MEMBER, Kind.MODULE}


def _is_own_class(node: ast.AST, use: AnyUse, facts: Facts) -> bool:
    return isinstance(node, ast.Name) and any(
        binding.kind is Kind.CLASS for binding in facts.bindings(node.id, use.scope)
    )


def _runs_argument(node: ast.Call, use: AnyUse, facts: Facts) -> bool:
    """Return whether `map(own, ...)` or `sorted(..., key=own)` runs the file's own function."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    calling = _name_of(node.func, use.scope, facts) in CALLS_ARGUMENTS
    return calling and any(_runs_own(value, use.scope, facts) for value in values)
