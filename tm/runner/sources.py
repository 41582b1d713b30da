"""A tenant's Python files: read, scanned and compiled, once per content.

What lives here: from a path to code that may run. What must not: running it (`modules`), deciding
what is allowed (`tm.scan`).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from tm.confine import machine_reason, read_bytes
from tm.errors import ConfigError, Detail, Location, SecurityError, did_you_mean
from tm.runner.source_file import (
    NOT_FOUND,
    OUTSIDE,
    SourceFile,
    Stamp,
    compile_tree,
    top_level_functions,
)
from tm.scan import Scan, scan_source

# One byte more than the scan takes, so that its words tell what is wrong with a larger file.
MAX_SOURCE_BYTES: Final = 262_145

# A file that changed within this time may change again without another time stamp.
_SETTLED_NS: Final = 2_000_000_000

Scanner: TypeAlias = Callable[..., Scan]


class SourceFiles:
    """The Python files below a workspace root. Threads may share it."""

    def __init__(self, root: Path, *, scan: Scanner = scan_source) -> None:
        """Read files below the root.

        Args:
            root: of the workspace, absolute.
            scan: `tm.scan.scan_source`; another one in tests of what comes after the scan.
        """
        self._root = root
        self._scan = scan
        self._known: dict[str, SourceFile] = {}
        self._lock = threading.Lock()

    def get(self, path: str, home: str, at: Location) -> SourceFile:
        """Return a file, scanned and compiled anew where its content has changed.

        Raises:
            ConfigError: TM117 (no such file), TM312 (outside the home), TM001 to TM308 (the scan).
        """
        if not path.startswith(f"tenants/{home}/"):
            raise ConfigError(
                f"{path!r} is outside tenants/{home}, and functions stay inside it",
                code=OUTSIDE,
                hint="copy the file into the tenant's folder",
                at=at,
            )
        with self._lock:
            known = self._known.get(path)
            stamp = self._stamp(path)
            if known is not None and stamp is not None and known.stamp == stamp:
                return known
            source = self._read(path, at)
            if known is None or known.source != source:
                known = self._known[path] = self._compiled(path, home, source)
            known.stamp = stamp
            return known

    def _stamp(self, path: str) -> Stamp | None:
        """Return what changes when the file does; None where that can't be relied on."""
        try:
            status = os.stat(f"{self._root}/{path}")  # noqa: PTH116  Path costs 5 us a call
        except OSError:
            return None
        if time.time_ns() - status.st_ctime_ns < _SETTLED_NS:
            return None
        return (
            status.st_dev,
            status.st_ino,
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )

    def _read(self, path: str, at: Location) -> bytes:
        """Return the bytes of a file.

        Raises:
            ConfigError: TM312 or TM117.
        """
        try:
            return read_bytes(self._root, path, limit=MAX_SOURCE_BYTES, code=OUTSIDE)
        except SecurityError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise _no_file(self._root, path, at) from error
            if (why := machine_reason(error)) is not None:
                message = f"{path} can't be read: {why}"
                raise ConfigError(message, code="TM902", at=at) from error
            raise ConfigError(error.message, code=OUTSIDE, at=at) from error

    def _compiled(self, path: str, home: str, source: bytes) -> SourceFile:
        """Return the file whose tree the scan let through, compiled.

        Raises:
            ConfigError: with the first hit's code and place, and all hits as details.
        """
        depth = path.removeprefix(f"tenants/{home}/").count("/")
        scan = self._scan(source, path, depth=depth)
        if scan.tree is None or scan.hits:
            raise _refused(scan, path)
        defs = top_level_functions(scan.tree)
        return SourceFile(path, source, compile_tree(scan.tree, path), scan.tree, defs)


def _refused(scan: Scan, path: str) -> ConfigError:
    """Return the error for a file that the scan refuses."""
    first = scan.hits[0]
    details = [
        Detail(f"{path}:{hit.line}:{hit.col}", f"{hit.code}: {hit.message}") for hit in scan.hits
    ]
    return ConfigError(
        first.message,
        code=first.code,
        hint=first.help,
        at=Location(path, first.line, first.col),
        details=details if len(details) > 1 else (),
    )


def _no_file(root: Path, path: str, at: Location) -> ConfigError:
    """Return the error for a missing file, with the files beside it that may be meant."""
    folder, _, name = path.rpartition("/")
    beside = [found.name for found in (root / folder).glob("*.py")]
    return ConfigError(
        f"there is no file {path}{did_you_mean(name, beside)}",
        code=NOT_FOUND,
        hint="FILE:FUNCTION and relative imports count from the folder of the file that has them",
        at=at,
    )
