"""Python config files: their declarations are read from the syntax tree, never by running them.

A file that the scan refuses declares nothing but the error. What lives here: finding the five
variables. The values are read by `py_values`.
"""

from __future__ import annotations

import ast
from typing import Any

from tm.config.py_module import Module, NotPlainError
from tm.config.py_values import ValueReader
from tm.config.source import SECTIONS, KeyPath, Places, Source
from tm.errors import ConfigError, Detail, Location
from tm.model import Problem
from tm.scan import Hit, Scan, scan_source


def read_python(data: bytes, path: str, *, depth: int, scan: Scan | None = None) -> Source:
    """Read one Python config file; what is wrong with it is in the source's problems.

    Args:
        data: the file's bytes.
        path: relative to the root.
        depth: folders between the home and the file; relative imports climb no further.
        scan: of these bytes, where it is there already; None: it is made.
    """
    scan = scan or scan_source(data, path, depth=depth)
    if scan.hits:
        names = _declared_names(scan.tree) if scan.tree else ()
        return Source(path, problems=(Problem(_scan_error(scan.hits, path), names),))
    if scan.tree is None:
        return Source(path)
    return _Declarations(Module(scan.tree, path, data.decode("utf-8-sig"))).read()


def _scan_error(hits: tuple[Hit, ...], path: str) -> ConfigError:
    """Return the first hit as an error, with all of them in its details."""
    first = hits[0]
    return ConfigError(
        first.message,
        code=first.code,
        hint=first.help,
        at=Location(path, first.line, first.col),
        details=[Detail(f"{path}:{h.line}:{h.col}", f"{h.code} {h.message}") for h in hits],
    )


def _declared_names(tree: ast.Module) -> tuple[str, ...]:
    """Return the tool names that a refused file would have declared, as far as they are literal."""
    found: list[str] = []
    for statement in tree.body:
        value = getattr(statement, "value", None)
        if "tools" in _targets(statement) and isinstance(value, ast.Dict):
            keys = [key.value for key in value.keys if isinstance(key, ast.Constant)]
            found += [key for key in keys if isinstance(key, str)]
    return tuple(found)


def _targets(statement: ast.stmt) -> list[str]:
    """Return the plain names that a statement assigns."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [statement.target]
    else:
        return []
    return [target.id for target in targets if isinstance(target, ast.Name)]


class _Declarations:
    """Reads the five variables of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._reader = ValueReader(module)
        self._data: dict[str, Any] = {}
        self._problems: list[Problem] = []

    def read(self) -> Source:
        """Return everything that could be read, and the problems of the rest."""
        for section in SECTIONS:
            if not self._module.is_declared(section):
                continue
            try:
                self._read_section(section, self._module.declaration(section))
            except NotPlainError as fault:
                self._add_problem(fault, _declared_names(self._module.tree))
        module = self._module
        return Source(
            module.path,
            self._data,
            _places(module, self._data),
            tuple(self._problems),
            module.find_key,
        )

    def _read_section(self, section: str, node: ast.expr) -> None:
        """Read a variable; a fault inside one name leaves the others there."""
        if not isinstance(node, ast.Dict):
            self._data[section] = self._reader.read(node)
            return
        values: dict[str, Any] = {}
        names: set[str] = set()
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                values |= self._reader.read_mapping(value)
                continue
            name = self._reader.read_key(key, names)
            try:
                values[name] = self._reader.read_under(name, value)
            except NotPlainError as fault:
                self._add_problem(fault, (name,) if section == "tools" else ())
        self._data[section] = values

    def _add_problem(self, fault: NotPlainError, tools: tuple[str, ...]) -> None:
        at = self._module.location(fault.node)
        error = ConfigError(fault.message, code=fault.code, hint=fault.hint, at=at)
        self._problems.append(Problem(error, tools))


def _places(module: Module, data: dict[str, Any]) -> Places:
    """Return the places of the keys of the first three levels."""
    places: Places = {}
    for section, names in data.items():
        _note(module, (section,), places)
        for name, fields in names.items() if isinstance(names, dict) else ():
            _note(module, (section, name), places)
            for key in fields if isinstance(fields, dict) else ():
                _note(module, (section, name, key), places)
    return places


def _note(module: Module, keys: KeyPath, places: Places) -> None:
    """Add the place of one key."""
    if place := module.find_key(keys):
        places[keys] = place
