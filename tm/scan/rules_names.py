"""Names: each is defined in the file or an allowed builtin (point 6)."""

from __future__ import annotations

import ast
import builtins

from tm.errors import did_you_mean
from tm.scan.facts import AnyUse, Binding, Facts, Kind
from tm.scan.families import builtin_family, is_write_mode, opener_family
from tm.scan.hits import INJECTS, INTERPRETER, READS, WRITES
from tm.scan.policy import (
    BUILTINS,
    CLASS_DUNDERS,
    DUNDER_METHODS,
    MODULE_DUNDERS,
    MODULE_NAMES,
    PATTERN_ATTRIBUTES,
)
from tm.scan.report import Report
from tm.scan.rules_attributes import Access, check_access
from tm.scan.rules_imports import (
    check_member_use,
    check_module_use,
    check_relative_use,
    star_family,
    star_modules,
)
from tm.scan.rules_rewriters import check_rewriter
from tm.scan.values import is_type_of

_REFUSED = frozenset(vars(builtins)) - BUILTINS - MODULE_NAMES
_WHAT = {
    "TM302": "reads files",
    "TM303": "ends or holds the process, or catches its stop signals",
    "TM304": "runs or injects code",
    "TM307": "reaches into the interpreter",
}
_DEFINE = "correct the name, import it, or define it in this file"
_PASSED_IN = (
    "it is a parameter: preprocess takes (args, ctx), postprocess (result, args, ctx), "
    "a handler (results, args, ctx)"
)


def check_names(facts: Facts, report: Report) -> None:
    """Check every name that is read or bound."""
    stars = star_modules(facts)
    for use in facts.of(ast.Name):
        node = use.node
        if isinstance(node.ctx, ast.Load):
            _check_load(node, use, facts, report, stars)
        elif _is_dunder(node.id):
            _check_dunder_store(node, use, report)
    _check_aliased_open(facts, report)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _check_dunder_store(node: ast.Name, use: AnyUse, report: Report) -> None:
    allowed = {
        "module": MODULE_DUNDERS,
        "class": (CLASS_DUNDERS | DUNDER_METHODS) - {"__new__"},  # a `def`, see rules_new
        "function": frozenset[str](),
    }[use.scope.kind]
    if node.id not in allowed:
        report.add(
            INTERPRETER, node, f"'{node.id}' is set, which changes how the class or module works"
        )


def _check_load(
    node: ast.Name, use: AnyUse, facts: Facts, report: Report, stars: list[str]
) -> None:
    bindings = facts.bindings(node.id, use.scope)
    if not bindings:
        _check_global(node, use, facts, report, stars)
    if node.id in facts.imported_names:
        _check_imported(use, bindings, facts, report)
    if bindings and node.id in _REFUSED and not _is_shadowed(node, use, facts, bindings):
        _refuse(node, use, report)


def _check_imported(use: AnyUse, bindings: list[Binding], facts: Facts, report: Report) -> None:
    done = set[tuple[str, str]]()
    for binding in bindings:
        if (binding.module, binding.member) in done:
            continue
        done.add((binding.module, binding.member))
        if binding.kind is Kind.MODULE:
            check_module_use(use, binding, facts, report)
        elif binding.kind is Kind.MEMBER:
            _check_member(use, binding, facts, report)
        elif binding.kind is Kind.RELATIVE:
            check_relative_use(use, facts, report)


def _check_member(use: AnyUse, binding: Binding, facts: Facts, report: Report) -> None:
    check_member_use(use, binding, facts, report)
    check_rewriter(use.node, binding.member, facts, report)


def _is_shadowed(node: ast.Name, use: AnyUse, facts: Facts, bindings: list[Binding]) -> bool:
    """Return whether a forbidden builtin's name surely means the file's own binding here."""
    if bindings is not facts.module.names.get(node.id):
        return use.scope.kind != "class" or node.id not in use.scope.names
    if node.id in facts.deleted:
        return False
    ends = [_end(binding.node) for binding in bindings if binding.settled]
    if not ends:
        return False
    first = min(ends)
    if first < node.lineno:
        return True
    runs = facts.runs_own_code
    return not use.at_import and (runs is None or first < runs)


def _end(node: ast.AST) -> int:
    return getattr(node, "end_lineno", None) or 1


def _check_global(
    node: ast.Name, use: AnyUse, facts: Facts, report: Report, stars: list[str]
) -> None:
    if node.id in BUILTINS:
        _check_builtin(node, use, facts, report)
    elif node.id not in MODULE_NAMES:
        _refuse(node, use, report, star_family(node.id, stars))


def _refuse(node: ast.Name, use: AnyUse, report: Report, code: str | None = None) -> None:
    code = code or builtin_family(node.id)
    if node.id == "open":
        call = use.parent if isinstance(use.parent, ast.Call) else None
        code = opener_family(call) if call is not None and call.func is node else READS
        report.add(code, node, f"'open' {'writes' if code == WRITES else 'reads'} files")
    elif node.id in _REFUSED or _is_dunder(node.id):
        report.add(code, node, f"'{node.id}' {_WHAT[code]}")
    else:
        near = "" if node.id == "ctx" else did_you_mean(node.id, sorted(BUILTINS))
        help_ = _PASSED_IN if node.id in {"args", "ctx", "result", "results"} else _DEFINE
        report.add(code, node, f"the name '{node.id}' is not defined in this file{near}", help_)


def _check_aliased_open(facts: Facts, report: Report) -> None:
    """Find the writing where `open` goes by another name: `o = open; o(path, "w")`."""
    aliased = any(
        use.node.id == "open"
        and not (isinstance(use.parent, ast.Call) and use.parent.func is use.node)
        and report.has(READS)
        for use in facts.of(ast.Name)
    )
    if not aliased:
        return
    for use in facts.of(ast.Call):
        node = use.node
        if _writes(node):
            report.add(WRITES, node, "this call opens a file for writing, or writes to it")


def _writes(node: ast.Call) -> bool:
    values = [*node.args[1:2], *(keyword.value for keyword in node.keywords)]
    if any(isinstance(value, ast.Constant) and is_write_mode(value.value) for value in values):
        return True
    return isinstance(node.func, ast.Attribute) and node.func.attr in {"write", "writelines"}


# -- builtins with a condition ------------------------------------------------


def _check_builtin(node: ast.Name, use: AnyUse, facts: Facts, report: Report) -> None:
    call = use.parent if isinstance(use.parent, ast.Call) and use.parent.func is node else None
    if node.id in {"getattr", "hasattr"}:
        _check_getattr(node, call, use, facts, report)
    elif node.id == "type":
        _check_type(node, call, use, facts, report)
    elif node.id == "super" and (call is None or len(call.args) not in {0, 2}):
        report.add(INTERPRETER, node, "'super' is only called: `super().method(...)`")


def _check_getattr(
    node: ast.Name, call: ast.Call | None, use: AnyUse, facts: Facts, report: Report
) -> None:
    name = call.args[1] if call is not None and len(call.args) in {2, 3} else None
    if call is None or not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        report.add(
            INTERPRETER,
            node,
            f"'{node.id}' with a name that is not written out",
            f'write the name as text, `{node.id}(value, "name")`, or use a dict',
        )
        return
    if node.id == "getattr" and name.value in PATTERN_ATTRIBUTES:
        report.add(INTERPRETER, name, f"'{name.value}' can't be taken with getattr")
    if node.id == "hasattr" and name.value in DUNDER_METHODS:
        return  # a question only: `hasattr(value, "__iter__")`
    check_access(Access(name.value, call.args[0], name), use, facts, report)


def _check_type(
    node: ast.Name, call: ast.Call | None, use: AnyUse, facts: Facts, report: Report
) -> None:
    if call is not None:
        simple = len(call.args) == 1 and not call.keywords
        if not simple or isinstance(call.args[0], ast.Starred):
            report.add(INJECTS, node, "'type' with three arguments builds a class from data")
        elif _is_class(call.args[0], use, facts):
            report.add(INTERPRETER, node, "the type of a type is the class of all classes")
        return
    if use.annotation or _is_compared(use, facts):
        return
    if isinstance(use.parent, ast.ClassDef):
        return  # the rule for classes names it
    report.add(INJECTS, node, "'type' is handed on; it builds classes from data")


def _is_class(node: ast.AST, use: AnyUse, facts: Facts) -> bool:
    """Return whether a value surely is a class itself, whose type builds classes."""
    if isinstance(node, ast.Name):
        bindings = facts.bindings(node.id, use.scope)
        known = {binding.kind for binding in bindings}
        builtin = not bindings and isinstance(getattr(builtins, node.id, None), type)
        if builtin or known == {Kind.CLASS}:
            return True
    return is_type_of(facts, node, use.scope)


def _is_compared(use: AnyUse, facts: Facts) -> bool:
    parent = use.parent
    if isinstance(parent, ast.Tuple):
        parent = facts.parents.get(parent, parent)
    if isinstance(parent, ast.Compare):
        return True
    return isinstance(parent, ast.Call) and any(
        facts.is_builtin(parent.func, use.scope, name) for name in ("isinstance", "issubclass")
    )
