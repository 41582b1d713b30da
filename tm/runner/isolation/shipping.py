"""What a worker gets to run: a tool's files and all that they import, scanned and compiled.

What lives here: the way from a function's file through relative imports. What must not: running.
"""

from __future__ import annotations

import ast
import marshal
from collections.abc import Iterable
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


@record
class _Packed:
    """A file that was packed, with the modules and the relative imports in it."""

    file: SourceFile
    data: dict[str, Any]
    modules: set[str] = field(default_factory=set)
    relative: list[Wanted] = field(default_factory=list)


class Shipper:
    """Collects files for workers. Threads may share it."""

    def __init__(self, files: SourceFiles) -> None:
        self._files = files
        self._packed: dict[str, _Packed] = {}

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
        known = self._packed.get(file.path)
        if known is None or known.file is not file:
            known = self._packed[file.path] = _pack(file)
        shipment.files[file.path] = known.data
        shipment.modules.update(known.modules)
        for wanted in known.relative:
            self._follow(shipment, file, home, wanted)

    def _follow(self, shipment: Shipment, file: SourceFile, home: str, wanted: Wanted) -> None:
        try:
            path = relative_path(home, file.path, wanted)
        except ConfigError:
            return  # the worker finds the same when it gets there
        if path in shipment.files:
            return
        try:
            found = self._files.get(path, home, Location(file.path, wanted.line))
        except ConfigError as error:
            shipment.files[path] = {"error": error_data(error)}
        else:
            self._add(shipment, found, home)


def _pack(file: SourceFile) -> _Packed:
    """Return a file as messages have it, with what its imports name."""
    assert file.tree is not None  # noqa: S101  it was scanned here
    data = {"source": packed(file.source), "code": packed(marshal.dumps(file.code))}
    made = _Packed(file, data)
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            made.modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            if node.level:
                wanted = Wanted(node.module or "", node.level, names, node.lineno)
                made.relative.append(wanted)
            else:  # `from a import b` means `a` or `a.b`
                made.modules.update({f"{node.module}", *(f"{node.module}.{one}" for one in names)})
    return made
