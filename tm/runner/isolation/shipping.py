"""What a worker gets to run: a tool's files and all that they import, scanned and compiled.

What lives here: the way from a function's file through relative imports. What must not: running.
"""

from __future__ import annotations

import ast
import marshal
from collections.abc import Iterable, Iterator
from typing import Any

from tm.errors import ConfigError, Location
from tm.model import FunctionRef
from tm.records import field, record
from tm.runner.facades import Wanted
from tm.runner.functions import relative_path
from tm.runner.isolation.messages import error_data, packed
from tm.runner.source_file import SourceFile
from tm.runner.sources import SourceFiles


@record
class Shipment:
    """The files of one tool.

    Attributes:
        files: path to content, as messages have it; a file that can't be used has its error.
        modules: of the standard library that they import.
    """

    files: dict[str, Any] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)


class Shipper:
    """Collects files for workers. Threads may share it."""

    def __init__(self, files: SourceFiles) -> None:
        self._files = files
        self._packed: dict[str, tuple[SourceFile, dict[str, Any]]] = {}

    def get(self, ref: FunctionRef) -> SourceFile:
        """Return the file of a function; raises as `SourceFiles.get` does."""
        return self._files.get(ref.path, ref.home, ref.at)

    def ship(self, refs: Iterable[FunctionRef]) -> Shipment:
        """Return the files of functions, with all files that they can import.

        Raises:
            ConfigError: a function's own file can't be used. One that is imported fails when it
                is, as it does without a worker.
        """
        shipment = Shipment()
        for ref in refs:
            self._add(shipment, self.get(ref), ref.home)
        return shipment

    def _add(self, shipment: Shipment, file: SourceFile, home: str) -> None:
        if file.path in shipment.files:
            return
        shipment.files[file.path] = self._pack(file)
        assert file.tree is not None  # noqa: S101  it was scanned here
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Import):
                shipment.modules.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                shipment.modules.update(_absolute(node))
            elif isinstance(node, ast.ImportFrom):
                self._follow(shipment, file, home, node)

    def _follow(
        self, shipment: Shipment, file: SourceFile, home: str, node: ast.ImportFrom
    ) -> None:
        names = tuple(alias.name for alias in node.names)
        try:
            path = relative_path(
                home, file.path, Wanted(node.module or "", node.level, names, node.lineno)
            )
        except ConfigError:
            return  # the worker finds the same when it gets there
        if path in shipment.files:
            return
        try:
            found = self._files.get(path, home, Location(file.path, node.lineno))
        except ConfigError as error:
            shipment.files[path] = {"error": error_data(error)}
        else:
            self._add(shipment, found, home)

    def _pack(self, file: SourceFile) -> dict[str, Any]:
        known = self._packed.get(file.path)
        if known is None or known[0] is not file:
            data = {"source": packed(file.source), "code": packed(marshal.dumps(file.code))}
            known = self._packed[file.path] = (file, data)
        return known[1]


def _absolute(node: ast.ImportFrom) -> Iterator[str]:
    """Yield the modules that `from a import b` may mean: `a`, and `a.b`."""
    assert node.module is not None  # noqa: S101  the import is absolute
    yield node.module
    for alias in node.names:
        yield f"{node.module}.{alias.name}"
