"""TM201: a function gets the parameters of its role; names, annotations and defaults stay."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Mapping
from typing import Final

from tm.lint.code.roles import Function, Role
from tm.lint.finding import Finding
from tm.lint.fix.edits import CantFixError, Edit
from tm.lint.fix.python_file import PythonText
from tm.scan.signature import PARAMETERS, check_signature

_ALIASES: Final[Mapping[str, frozenset[str]]] = {
    "args": frozenset({"args", "arguments", "params", "arg"}),
    "ctx": frozenset({"ctx", "context", "_ctx"}),
    "results": frozenset({"results", "result", "_results"}),
    "result": frozenset({"result", "results", "_result"}),
}


def fix_parameters(data: bytes, finding: Finding, roles: Iterable[Role]) -> bytes:
    """Return the file with the parameters of the `def` at the finding's place put right.

    Args:
        roles: all roles that tools give the function.

    Raises:
        CantFixError: where that is not safe.
    """
    file = PythonText(data)
    node = _function(file.tree, finding)
    if isinstance(node, ast.AsyncFunctionDef):
        raise CantFixError("what it awaits is yours to change before `async` can go")
    shapes = {PARAMETERS[role] for role in roles}
    if len(shapes) != 1:
        raise CantFixError("tools use it in several roles, with different parameters")
    wanted = shapes.pop()
    _refuse_callers(file.tree, node.name)
    missing = _missing(node, wanted)
    edits, arguments = _inserted(file, node, missing)
    tree = copy.deepcopy(file.tree)
    target = _function(tree, finding)
    target.args = arguments
    if any(check_signature(target, role) for role in roles):
        raise CantFixError("its parameters are in another order or have other names")
    return file.edited(edits, tree)


def _function(tree: ast.Module, finding: Finding) -> Function:
    for node in tree.body:
        if isinstance(node, Function) and node.lineno == finding.at.line:
            return node
    raise CantFixError("the function is not at the top of its file")


def _refuse_callers(tree: ast.Module, name: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            raise CantFixError(f"line {node.lineno} calls it, and would have to change as well")


def _missing(node: Function, wanted: tuple[str, ...]) -> dict[int, list[str]]:
    """Return the parameters to insert: before which of the present ones, and their names."""
    arguments = node.args
    if arguments.kwonlyargs or arguments.vararg:
        raise CantFixError("it takes `*` parameters")
    present = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    found: dict[int, list[str]] = {}
    position = 0
    for name in wanted:
        if position < len(present) and present[position] in _ALIASES[name]:
            position += 1
        elif name in present:
            raise CantFixError("its parameters are in another order")
        else:
            found.setdefault(position, []).append(name)
    if position < len(present):
        raise CantFixError(f"it takes '{present[position]}', which its role does not give it")
    return found


def _inserted(
    file: PythonText, node: Function, missing: Mapping[int, list[str]]
) -> tuple[list[Edit], ast.arguments]:
    """Return the edits that insert parameters, and what the parameters are then."""
    arguments = copy.deepcopy(node.args)
    present = [*node.args.posonlyargs, *node.args.args]
    first_default = len(present) - len(node.args.defaults)
    edits: list[Edit] = []
    for position, names in sorted(missing.items(), reverse=True):
        if position > first_default:
            raise CantFixError("a parameter with a default stands before the missing one")
        edits.append(_edit(file, node, position, names))
        _insert(arguments, position, [ast.arg(name) for name in names])
    return edits, arguments


def _insert(arguments: ast.arguments, position: int, new: list[ast.arg]) -> None:
    size = len(arguments.posonlyargs)
    if size and position <= size:
        arguments.posonlyargs[position:position] = new
    else:
        arguments.args[position - size : position - size] = new


def _edit(file: PythonText, node: Function, position: int, names: list[str]) -> Edit:
    present = [*node.args.posonlyargs, *node.args.args]
    text = ", ".join(names).encode()
    if not present:
        start = _after_bracket(file, node)
        return Edit(start, start, text + (b", " if node.args.kwarg else b""))
    if position < len(present):
        start = file.offsets.start(present[position])
        return Edit(start, start, text + b"," + _between(file, start))
    last = file.offsets.stop(present[-1])
    return Edit(last, last, b"," + _between(file, file.offsets.start(present[-1])) + text)


def _between(file: PythonText, offset: int) -> bytes:
    """Return what stands between parameters: each has its own line where one begins its line."""
    if not file.offsets.is_first(offset):
        return b" "
    return file.line_end + b" " * file.offsets.indent(offset)


def _after_bracket(file: PythonText, node: Function) -> int:
    """Return the place behind the bracket of a function without parameters."""
    name = file.offsets.skip(file.offsets.start(node) + len(b"def"))
    start = file.offsets.skip(name + len(node.name.encode()))
    if file.text[start : start + 1] != b"(":
        raise CantFixError("its parameters can't be found")
    return start + 1
