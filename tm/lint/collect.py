"""Finds and reads the files to lint; a fault in reading is a finding, never silence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tm.config.discover import TENANTS, list_files
from tm.config.reader import read_source
from tm.config.source import Source
from tm.confine import read_bytes
from tm.errors import ConfigError, Location, TmError
from tm.lint.subjects import LintFile, LintHome, LintWorkspace
from tm.model import SHARED, Problem

MAX_BYTES = 4_000_000
"""More than any config file may have; the readers say what a file of that size gets."""


def collect(root: Path, codes: Sequence[str]) -> LintWorkspace:
    """Read the files of tenants and of `_shared`.

    Args:
        codes: homes to lint; `_shared` is read in any case, since tools extend its tools.
    """
    shared = _home(root, SHARED, None)
    homes = [shared if code == SHARED else _home(root, code, shared) for code in codes]
    return LintWorkspace(root, homes, shared)


def _home(root: Path, code: str, shared: LintHome | None) -> LintHome:
    folder = root / TENANTS / code
    listing = list_files(folder)
    files = [_file(folder, code, path) for path in sorted(listing.files)]
    return LintHome(code, listing, files, shared)


def _file(folder: Path, code: str, relative: str) -> LintFile:
    path = f"{TENANTS}/{code}/{relative}"
    try:
        data = read_bytes(folder, relative, limit=MAX_BYTES)
    except (TmError, OSError) as problem:
        error = ConfigError(
            f"the file can't be read: {problem}", code="TM902", at=Location(path, 1)
        )
        return LintFile(path, code, b"", Source(path, problems=(Problem(error),)))
    return lint_file(path, code, data)


def lint_file(path: str, code: str, data: bytes) -> LintFile:
    """Return a file of a home from its bytes."""
    file = LintFile(path, code, data, Source(path))
    file.source = read_source(data, path, file.scan if file.is_python else None)
    return file
