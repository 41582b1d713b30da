"""The Python files of one home together: their functions, constants and imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from tm.lint.code.roles import Function
from tm.lint.code.ways import Way, Ways, is_generator
from tm.lint.subjects import LintFile, LintHome

_MAX_IMPORTS: Final = 8
MAX_DEPTH: Final = 12
"""Functions that are followed one inside the other; what is deeper is not known."""


class HomeCode:
    """The Python files of a home as one: their functions, constants and imports."""

    def __init__(self, home: LintHome) -> None:
        self.home = home
        self.depth = 0
        self._files: dict[str, _FileNames] = {}
        self._endless: dict[int, bool] = {}
        # What was found out once, for all rules: of functions, of constants, of logging helpers.
        self.frames: dict[tuple[object, ...], Any] = {}
        self.constants: dict[int, Any] = {}
        self.log_ways: dict[tuple[object, ...], Any] = {}
        self.plain: dict[tuple[int, str | None], Any] = {}

    def names(self, file: LintFile) -> _FileNames:
        """Return the names of a file's module."""
        if file.path not in self._files:
            self._files[file.path] = _FileNames(file)
        return self._files[file.path]

    def function(self, file: LintFile, name: str) -> tuple[LintFile, Function] | None:
        """Return the top-level function that a module's name stands for, imported ones too."""
        for _ in range(_MAX_IMPORTS):
            if name in file.functions:
                return file, file.functions[name]
            step = self._imported(file, name)
            if step is None:
                return None
            file, name = step
        return None

    def constant(self, file: LintFile, name: str) -> tuple[LintFile, ast.expr] | None:
        """Return the only value that a module's name is assigned, through imports."""
        for _ in range(_MAX_IMPORTS):
            values = self.names(file).constants.get(name)
            if values:
                return (file, values[0]) if len(values) == 1 else None
            step = self._imported(file, name)
            if step is None:
                return None
            file, name = step
        return None

    def _imported(self, file: LintFile, name: str) -> tuple[LintFile, str] | None:
        found = self.names(file).imports.get(name)
        target = self.file_of(found[0], file.home) if found else None
        return (target, found[1]) if found and target else None

    def file_of(self, path: str, home: str) -> LintFile | None:
        """Return a Python file of the home, or of `_shared`; None where it is not there."""
        owner = self.home if home == self.home.code else self.home.shared
        file = owner.file(path) if owner else None
        return None if file is None or file.tree is None else file

    def never_returns(self, file: LintFile, call: ast.Call) -> bool:
        """Return whether a call of a function of this home always raises."""
        if not isinstance(call.func, ast.Name):
            return False
        found = self.function(file, call.func.id)
        return found is not None and self._is_endless(*found)

    def _is_endless(self, file: LintFile, node: Function) -> bool:
        if id(node) not in self._endless:
            if self.depth >= MAX_DEPTH:
                return False
            self._endless[id(node)] = False  # a function on the way to itself may return
            self.depth += 1
            ways = self.ways(file, node)
            self.depth -= 1
            ends = all(way.kind == "raise" for way in ways)
            self._endless[id(node)] = ends and not is_generator(node, file.data)
        return self._endless[id(node)]

    def ways(self, file: LintFile, node: Function) -> set[Way]:
        """Return the ways out of a function."""
        return Ways(lambda call: self.never_returns(file, call)).of(node.body, node)


@lru_cache(maxsize=16)
def code_of(home: LintHome) -> HomeCode:
    """Return the code of a home, the same one for all rules."""
    return HomeCode(home)


class _FileNames:
    """What the statements of a module bind."""

    def __init__(self, file: LintFile) -> None:
        self.constants: dict[str, list[ast.expr]] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        for statement in file.tree.body if file.tree else ():
            self._note(statement, file.path)

    def _note(self, statement: ast.stmt, path: str) -> None:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                self._note_constant(target, statement.value)
        elif isinstance(statement, ast.AnnAssign) and statement.value:
            self._note_constant(statement.target, statement.value)
        elif isinstance(statement, ast.ImportFrom):
            self.imports.update(imports_of(statement, path))

    def _note_constant(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.constants.setdefault(target.id, []).append(value)


def imports_of(statement: ast.ImportFrom, path: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the names that a relative import binds: the file that it names, and the name there."""
    folder = path.split("/")[: -statement.level] if statement.level else []
    if folder and statement.module:
        target = "/".join((*folder, *statement.module.split("."))) + ".py"
        yield from ((a.asname or a.name, (target, a.name)) for a in statement.names)
