"""Imports: which modules, which members, and what a forbidden one is for (points 5 and 6)."""

from __future__ import annotations

import ast
import re
import sys

from tm.errors import did_you_mean
from tm.scan.facts import AnyUse, Binding, Facts, Kind, root_of
from tm.scan.families import (
    OPENERS,
    PATH_METHODS,
    is_opener,
    known_module,
    member_family,
    module_family,
    opener_family,
    package_family,
)
from tm.scan.hits import IMPORT, INTERPRETER, NETWORK, PROCESS, READS, WRITES
from tm.scan.modules import MODULES, PACKAGES
from tm.scan.report import Report
from tm.scan.rules_rewriters import check_rewriter

_ALLOWED = frozenset(MODULES) | PACKAGES
_FOR = {
    "TM301": "it writes files",
    "TM302": "it reads files or the environment",
    "TM303": "it starts or steers processes",
    "TM304": "it runs or injects code",
    "TM305": "it opens connections",
    "TM306": "it is not on the list of modules for tools",
    "TM307": "it reaches into the interpreter",
}


def check_imports(facts: Facts, report: Report, depth: int) -> None:
    """Check every import statement."""
    for use in facts.of(ast.Import):
        _in_class(use, report)
        for alias in use.node.names:
            _import(alias, report)
    for member_use in facts.of(ast.ImportFrom):
        _in_class(member_use, report)
        if member_use.node.level:
            _relative(member_use.node, report, depth)
        else:
            _import_from(member_use.node, report)


def _in_class(use: AnyUse, report: Report) -> None:
    if use.scope.kind == "class":
        report.add(INTERPRETER, use.node, "import in a class body hands out a module as attribute")
        report.add(IMPORT, use.node, "import in a class body", "import at the top of the file")


def _import(alias: ast.alias, report: Report) -> None:
    if alias.name not in MODULES:
        _refuse_module(alias.name, alias, report)


def _refuse_module(module: str, node: ast.AST, report: Report) -> None:
    why = _FOR[module_family(module)]
    known = known_module(module) or module in sys.stdlib_module_names
    near = "" if known else did_you_mean(module, sorted(MODULES))
    report.add(IMPORT, node, f"import of '{module}' is not allowed: {why}{near}")


def _import_from(node: ast.ImportFrom, report: Report) -> None:
    module = node.module or ""
    if module not in MODULES and module not in PACKAGES:
        _refuse_module(module, node, report)
    for alias in node.names:
        if alias.name == "*":
            _refuse_star(module, node, alias, report)
        elif f"{module}.{alias.name}" not in MODULES:
            _member(module, alias, node, report)


def _refuse_star(module: str, node: ast.AST, alias: ast.AST, report: Report) -> None:
    report.add(IMPORT, node, f"`from {module or '.'} import *`: name what is imported")
    if module and module not in MODULES:
        report.add(module_family(module), alias, f"'{module}': {_FOR[module_family(module)]}")


def _member(module: str, alias: ast.alias, node: ast.AST, report: Report) -> None:
    if alias.name in MODULES.get(module, ()):
        return
    allowed = module in _ALLOWED
    if allowed:
        known = sorted(MODULES.get(module, ()))
        report.add(
            IMPORT,
            node,
            f"'{alias.name}' of '{module}' is not allowed{did_you_mean(alias.name, known)}",
        )
    if is_opener(module, alias.name):
        return  # its mode decides, where it is used
    code = member_family(module, alias.name, default=package_family(module) if allowed else None)
    if code != IMPORT:
        report.add(code, alias, f"'{module}.{alias.name}': {_FOR[code]}")


def _relative(node: ast.ImportFrom, report: Report, depth: int) -> None:
    if node.level - 1 > depth:
        report.add(
            IMPORT,
            node,
            "relative import leaves the tenant's folder",
            "import only files of the same tenant",
        )
    if node.module is None:
        report.add(
            IMPORT,
            node,
            "`from . import x` hands out a module",
            "name what you need: `from .file import name`",
        )
    for alias in node.names:
        if alias.name == "*":
            _refuse_star("", node, alias, report)
        elif alias.name in sys.stdlib_module_names or _is_dunder(alias.name):
            report.add(
                INTERPRETER,
                alias,
                f"'{alias.name}' from a file of the tenant would be a module",
                f"write `import {alias.name}` where it is needed, if it is allowed",
            )


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


# -- uses of what was imported ------------------------------------------------


def check_module_use(use: AnyUse, binding: Binding, facts: Facts, report: Report) -> None:
    """Check one use of a name that is a module: only the base of an allowed member."""
    node, attributes = _chain(use, facts)
    module = binding.module
    while attributes and f"{module}.{attributes[0]}" in _ALLOWED:
        module = f"{module}.{attributes.pop(0)}"
    if attributes and attributes[0] in MODULES.get(module, ()):
        check_rewriter(_member_node(use.node, module, binding, facts), attributes[0], facts, report)
        return
    allowed = module in MODULES or module in PACKAGES
    if not attributes and allowed:
        report.add(
            INTERPRETER,
            use.node,
            f"the module '{module}' is used as a value",
            f"use a member of it, such as `{module}.{min(MODULES.get(module, ['x']))}`",
        )
        return
    for code in _use_codes(module, attributes, node, facts):
        name = ".".join([module, *attributes[:1]])
        report.add(code, use.node, f"'{name}' is not allowed: {_FOR[code]}")


def _member_node(node: ast.AST, module: str, binding: Binding, facts: Facts) -> ast.AST:
    """Return the node `module.member` around the name of the module."""
    for _ in range(module.count(".") - binding.module.count(".") + 1):
        node = facts.parents[node]
    return node


def _chain(use: AnyUse, facts: Facts) -> tuple[ast.AST, list[str]]:
    node, names = use.node, list[str]()
    parent = facts.parents.get(node)
    while isinstance(parent, ast.Attribute):
        names.append(parent.attr)
        node, parent = parent, facts.parents.get(parent)
    return node, names


def _use_codes(module: str, attributes: list[str], node: ast.AST, facts: Facts) -> set[str]:
    if not attributes:
        return {module_family(module)} - {IMPORT}
    if is_opener(module, attributes[0]):
        return {_opener_code(node, facts)}
    default = package_family(module) if module in _ALLOWED else None
    if default is None and not _is_called(node, facts):
        default = IMPORT  # a constant of a module whose import is refused, and told, already
    codes = {member_family(module, attributes[0], default=default)}
    inner = f"{module}.{attributes[0]}"
    if known_module(inner) and len(attributes) > 1:
        codes.add(member_family(inner, attributes[1]))
    return codes - {IMPORT}


def _is_called(node: ast.AST, facts: Facts) -> bool:
    parent = facts.parents.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _opener_code(node: ast.AST, facts: Facts) -> str:
    parent = facts.parents.get(node)
    is_call = isinstance(parent, ast.Call) and parent.func is node
    return opener_family(parent) if is_call and isinstance(parent, ast.Call) else READS


def check_member_use(use: AnyUse, binding: Binding, facts: Facts, report: Report) -> None:
    """Check one use of a name that came from a forbidden module."""
    module, member = binding.module, binding.member
    if module in MODULES and member in MODULES[module]:
        return
    node, attributes = _chain(use, facts)
    if is_opener(module, member):
        code = _opener_code(node if not attributes else use.node, facts)
        report.add(code, use.node, f"'{module}.{member}': {_FOR[code]}")
    inner = f"{module}.{member}"
    if attributes and known_module(inner):
        code = member_family(inner, attributes[0])
        report.add(code, use.node, f"'{inner}.{attributes[0]}': {_FOR[code]}")


def check_relative_use(use: AnyUse, facts: Facts, report: Report) -> None:
    """Check one use of a name from another file of the tenant: it may turn out to be a module."""
    _, attributes = _chain(use, facts)
    if any(name in sys.stdlib_module_names and name not in MODULES for name in attributes):
        report.add(INTERPRETER, use.node, "an attribute of an imported name is a module")


def check_methods(facts: Facts, report: Report) -> None:
    """Name what methods of forbidden objects do: `Path(...).unlink()` writes."""
    families = {module_family(module) for module in _forbidden_modules(facts)}
    if not families - {IMPORT, INTERPRETER}:
        return
    _check_call_texts(facts, report)
    files = families & {WRITES, READS}
    for use in facts.of(ast.Attribute):
        node = use.node
        if isinstance(node.value, ast.Constant):
            continue
        for code, names in PATH_METHODS.items():
            if node.attr in names and (files or code not in {WRITES, READS}):
                report.add(code, node, f"'.{node.attr}': {_FOR[code]}")
        # `str.replace` takes two arguments, `Path.replace` one.
        call = use.parent
        if files and node.attr == "replace" and isinstance(call, ast.Call) and len(call.args) == 1:
            report.add(WRITES, node, f"'.replace': {_FOR[WRITES]}")


# What the text handed to a forbidden call is for: an address, or code that starts a process.
_TEXTS = {
    NETWORK: re.compile(r"(?:https?|ftp|wss?)://"),
    PROCESS: re.compile(r"\b(?:os\.(?:system|popen|exec|spawn|fork|kill)|subprocess\b)"),
}


def _check_call_texts(facts: Facts, report: Report) -> None:
    for use in facts.of(ast.Call):
        node = use.node
        if not _is_foreign(node, use, facts):
            continue
        for value in (*node.args, *(keyword.value for keyword in node.keywords)):
            text = value.value if isinstance(value, ast.Constant) else None
            for code, pattern in _TEXTS.items():
                if isinstance(text, str) and pattern.search(text):
                    report.add(code, value, f"a text for a forbidden call: {_FOR[code]}")


def _is_foreign(node: ast.Call, use: AnyUse, facts: Facts) -> bool:
    root = root_of(node)
    bindings = facts.bindings(root.id, use.scope) if isinstance(root, ast.Name) else []
    return any(
        binding.kind in {Kind.MODULE, Kind.MEMBER} and binding.module not in MODULES
        for binding in bindings
    )


def _forbidden_modules(facts: Facts) -> set[str]:
    modules = set[str]()
    for use in facts.of(ast.Import):
        modules.update(alias.name for alias in use.node.names)
    for member_use in facts.of(ast.ImportFrom):
        if not member_use.node.level:
            modules.add(member_use.node.module or "")
    return {module for module in modules if module not in MODULES and module not in PACKAGES}


def star_modules(facts: Facts) -> list[str]:
    """Return the modules that are imported with a star."""
    return [
        use.node.module or ""
        for use in facts.of(ast.ImportFrom)
        if any(alias.name == "*" for alias in use.node.names)
    ]


def star_family(name: str, modules: list[str]) -> str | None:
    """Return the rule code for a name that can only come from a star import."""
    for module in modules:
        code = WRITES if name in OPENERS else member_family(module, name)
        if code != IMPORT:
            return code
    return None
