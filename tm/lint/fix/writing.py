"""Writes what was mended: each file whole or not at all."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path

from tm.config.discover import TENANTS
from tm.confine import machine_reason, write_atomic
from tm.errors import SecurityError
from tm.lint.subjects import LintWorkspace


def write_fixes(workspace: LintWorkspace, files: Mapping[str, bytes]) -> list[str]:
    """Write mended files in place of those that were linted, and return what could not be.

    Args:
        files: new bytes by path from the root.
    """
    failed: list[str] = []
    for path, data in sorted(files.items()):
        _, home, relative = path.split("/", 2)
        folder = workspace.root / TENANTS / home
        try:
            write_atomic(folder, relative, data, mode=_mode(folder / relative), code="TM902")
        except (SecurityError, OSError) as error:
            reason = machine_reason(error) or getattr(error, "strerror", None) or error
            failed.append(f"{path} is not written: {reason}")
    return failed


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)
