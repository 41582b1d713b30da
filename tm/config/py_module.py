"""A scanned Python module as names: constants, functions, imports, and where keys are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tm.config.source import SECTIONS, KeyPath
from tm.errors import Location

MAX_DEPTH: Final = 128
_PLAIN_HINT: Final = (
    "declarations are plain data: literals, constants of this file, **CONSTANT, A | B, + of texts "
    "and lists, f-strings of constants"
)


class NotPlainError(Exception):
    """A value that is no plain data, at its node."""

    def __init__(
        self, node: ast.AST, message: str, *, code: str = "TM308", hint: str | None = _PLAIN_HINT
    ) -> None:
        super().__init__(message)
        self.node = node
        self.message = message
        self.code = code
        self.hint = hint


class Module:
    """A scanned module: its constants, functions and imported functions.

    Attributes:
        tree: the whole module.
        path: relative to the root.
    """

    def __init__(self, tree: ast.Module, path: str, text: str) -> None:
        self.tree = tree
        self.path = path
        self._lines = text.split("\n")
        self._assigned: dict[str, list[ast.expr]] = {}
        self._changed: dict[str, ast.AST] = {}
        self._functions: dict[str, str] = {}
        for statement in tree.body:
            self._note(statement)

    def _note(self, statement: ast.stmt) -> None:
        """Remember what one statement of the module defines or changes."""
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            own = self.path.rpartition("/")[2]
            self._functions[statement.name] = f"{own}:{statement.name}"
        elif isinstance(statement, ast.ImportFrom):
            self._note_import(statement)
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                self._note_target(target, statement.value)
        elif isinstance(statement, ast.AnnAssign) and statement.value:
            self._note_target(statement.target, statement.value)
        else:
            self._note_changes(statement)

    def _note_target(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._assigned.setdefault(target.id, []).append(value)
        else:
            self._note_changes(target)

    def _note_changes(self, node: ast.AST) -> None:
        """Remember names that a statement changes: `tools["x"] = ...`, `|=`, `.update()`, `del`."""
        if isinstance(node, ast.ClassDef):
            return
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                self._changed.setdefault(inner.id, node)

    def _note_import(self, statement: ast.ImportFrom) -> None:
        """Remember functions of the same home; others can't be tool functions.

        `from . import x` would hand out a module; the scan refuses it.
        """
        if not statement.level or not statement.module:
            return
        file = "../" * (statement.level - 1) + statement.module.replace(".", "/") + ".py"
        for alias in statement.names:
            self._functions[alias.asname or alias.name] = f"{file}:{alias.name}"

    def is_declared(self, name: str) -> bool:
        """Tell whether the module assigns the name anywhere."""
        return name in self._assigned or (name in SECTIONS and name in self._functions)

    def declaration(self, name: str) -> ast.expr:
        """Return the only value that is assigned to a name.

        Raises:
            NotPlainError: assigned twice, or changed after that.
        """
        values = self._assigned.get(name, [])
        if not values:
            raise NotPlainError(self.tree, f"{name} is a function, not a mapping")
        if len(values) > 1:
            raise NotPlainError(
                values[1], f"{name} is assigned twice; it is read without running it"
            )
        if name in self._changed:
            what = f"{name} is changed after it was assigned; it is read without running it"
            raise NotPlainError(self._changed[name], what)
        return values[0]

    def constant(self, node: ast.Name) -> ast.expr:
        """Return the value of the constant that a name stands for.

        Raises:
            NotPlainError: no such constant, or no constant one.
        """
        if node.id not in self._assigned:
            what = "is a function" if node.id in self._functions else "is no constant of this file"
            raise NotPlainError(node, f"{node.id} {what}")
        return self.declaration(node.id)

    def function(self, node: ast.expr) -> str | None:
        """Return `FILE:FUNCTION` where the expression names a function of this home."""
        return self._functions.get(node.id) if isinstance(node, ast.Name) else None

    def location(self, node: ast.AST) -> Location:
        """Return where a node begins."""
        return Location(self.path, *self.place(node))

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Return line and column, from 1 and in characters (the tree counts bytes)."""
        line = getattr(node, "lineno", 1)
        offset = getattr(node, "col_offset", 0)
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        if offset == 0 or text.isascii():
            return line, min(offset, len(text)) + 1
        return line, len(text.encode()[:offset].decode("utf-8", "ignore")) + 1

    def find_key(self, keys: KeyPath) -> tuple[int, int] | None:
        """Return line and column of a key or list item, or None where it is not there."""
        if not keys or not self._assigned.get(str(keys[0])):
            return None
        node: ast.expr = self._assigned[str(keys[0])][0]
        found: ast.expr = node
        for number, key in enumerate(keys[1:], start=1):
            pair = self._find_pair(node, key, MAX_DEPTH)
            if pair is None:
                return None
            found, node = pair
            if number == len(keys) - 1:
                return self.place(found)
        # A variable's own place is its name, which is where its line begins.
        return found.lineno, 1

    def _find_pair(
        self, node: ast.expr, key: str | int, depth: int
    ) -> tuple[ast.expr, ast.expr] | None:
        """Return the nodes of a key and its value; the last of several wins, as when it runs."""
        if isinstance(node, ast.List | ast.Tuple):
            if isinstance(key, int) and 0 <= key < len(node.elts):
                return node.elts[key], node.elts[key]
            return None
        for inner_key, value in self._pairs(node):
            if inner_key is None:
                if depth and (found := self._find_pair(value, key, depth - 1)):
                    return found
            elif isinstance(inner_key, ast.Constant) and inner_key.value == key:
                return inner_key, value
        return None

    def _pairs(self, node: ast.expr) -> Iterator[tuple[ast.expr | None, ast.expr]]:
        """Yield pairs from the last to the first; without a key where a mapping is merged in."""
        if isinstance(node, ast.Name) and self._assigned.get(node.id):
            yield None, self._assigned[node.id][0]
        elif isinstance(node, ast.BinOp):
            yield None, node.right
            yield None, node.left
        elif isinstance(node, ast.Dict):
            yield from zip(reversed(node.keys), reversed(node.values), strict=True)
