"""Lints and mends a workspace that a test writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tm.lint.collect import collect
from tm.lint.engine import lint
from tm.lint.fix import Fixes, fix_until_done
from tm.lint.subjects import LintWorkspace


def workspace(root: Path, files: Mapping[str, str | bytes]) -> LintWorkspace:
    """Write files below tenants/shop, and read the workspace."""
    for name, text in files.items():
        path = root / "tenants/shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return collect(root, ["shop"])


def mend(root: Path, files: Mapping[str, str | bytes]) -> Fixes:
    """Return what is mended in files below tenants/shop."""
    read = workspace(root, files)
    return fix_until_done(read, lint(read), lint)


def mended(root: Path, name: str, text: str | bytes, **others: str) -> str:
    """Return one file as it is mended; as it was where nothing is."""
    files = mend(root, {name: text, **others}).files
    before = text if isinstance(text, bytes) else text.encode()
    return files.get(f"tenants/shop/{name}", before).decode()


def reasons(root: Path, name: str, text: str, **others: str) -> list[str]:
    """Return why something is left."""
    return [left.why for left in mend(root, {name: text, **others}).left]
