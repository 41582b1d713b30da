"""TM204: `ctx.x` becomes `ctx["x"]`."""

from __future__ import annotations

import ast
import re

from tm.lint.code.values import CTX_KEYS
from tm.lint.finding import Finding
from tm.lint.fix.edits import CantFixError, Edit
from tm.lint.fix.python_file import PythonText


def fix_ctx_key(data: bytes, finding: Finding) -> bytes:
    """Return the file with the attribute at the finding's place written as a key.

    Raises:
        CantFixError: where that is not safe.
    """
    file = PythonText(data)
    node = _attribute(file, finding)
    if node.attr not in CTX_KEYS:
        raise CantFixError(f"ctx has no key '{node.attr}'")
    around = _around(file, node)
    wanted = _AsKey(node).visit(file.tree)
    if around is None:
        return file.edited([_edit(file, node)], wanted)
    return _in_f_string(file, node, around, wanted)


def _attribute(file: PythonText, finding: Finding) -> ast.Attribute:
    for node in ast.walk(file.tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        is_there = (node.lineno, file.column(node)) == (finding.at.line, finding.at.col)
        if is_there and isinstance(node.ctx, ast.Load):
            return node
    raise CantFixError("only a plain `ctx.x` that is read is rewritten")


class _AsKey(ast.NodeTransformer):
    """Changes the tree that it is given: one attribute becomes a subscript."""

    def __init__(self, node: ast.Attribute) -> None:
        self._node = node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Return the subscript in place of the one attribute."""
        if node is self._node:
            return ast.Subscript(node.value, ast.Constant(node.attr), node.ctx)
        return self.generic_visit(node)


def _around(file: PythonText, node: ast.Attribute) -> ast.JoinedStr | None:
    """Return the f-string around a node; its own place in there is not to be relied on."""
    for outer in ast.walk(file.tree):
        if isinstance(outer, ast.JoinedStr) and any(inner is node for inner in ast.walk(outer)):
            return outer
    return None


def _edit(file: PythonText, node: ast.Attribute) -> Edit:
    start = file.offsets.stop(node.value)
    while file.text[start : start + 1] != b".":
        start = max(file.offsets.skip(start), start + (file.text[start : start + 1] == b")"))
        if file.text[start : start + 1] not in {b".", b")"}:
            raise CantFixError("the dot can't be found")
    return Edit(start, file.offsets.stop(node), f'["{node.attr}"]'.encode())


def _in_f_string(
    file: PythonText, node: ast.Attribute, around: ast.JoinedStr, wanted: ast.AST
) -> bytes:
    start, stop = file.offsets.start(around), file.offsets.stop(around)
    source = file.text[start:stop]
    name = node.value.id if isinstance(node.value, ast.Name) else ""
    word = re.compile(rf"(?<![\w.]){re.escape(name)}\.{node.attr}(?!\w)".encode())
    quote = b"'" if re.match(rb"\w*(?:\"(?!\"\")|'''|\"\"\")", source) else b'"'
    key = b"[" + quote + node.attr.encode() + quote + b"]"
    for hit in word.finditer(source):
        first = start + hit.start() + len(name.encode())
        try:
            return file.edited([Edit(first, start + hit.end(), key)], wanted)
        except CantFixError:
            continue
    raise CantFixError("it stands in an f-string that can't be rewritten safely")
