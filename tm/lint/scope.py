"""Which files a call asks about: PATH..., and what `--since` reaches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from tm.config.discover import TENANTS
from tm.errors import UsageError, did_you_mean
from tm.lint.settings import FILE
from tm.records import record, replace


@record
class Scope:
    """The files that a report is limited to.

    Attributes:
        paths: files and folders relative to the root; None: all. The empty path is the root.
        changed: files that changed or are reached by a change; None: all.
    """

    paths: tuple[str, ...] | None = None
    changed: frozenset[str] | None = None

    def holds(self, path: str) -> bool:
        """Say whether a file is asked about."""
        if self.changed is not None and path not in self.changed:
            return False
        if self.paths is None:
            return True
        return any(path == given or path.startswith(given + "/") for given in self.paths)

    def only(self, changed: Iterable[str] | None) -> Scope:
        """Return this scope limited to changed files; None: they all count as changed."""
        return self if changed is None else replace(self, changed=frozenset(changed))

    def homes(self) -> set[str] | None:
        """Return the homes that it can hold files of; None: any."""
        parts = [path.split("/") for path in self.paths or ()]
        if self.paths is None or any(part == [TENANTS] for part in parts):
            return None
        return {part[1] for part in parts if part[0] == TENANTS}


def read_paths(root: Path, cwd: Path, texts: Sequence[str]) -> Scope:
    """Return the scope of PATH...; each is looked for from the current folder, then the root.

    Raises:
        UsageError: TM500 for a path that is not there, or lies outside of `tenants/`.
    """
    if not texts:
        return Scope()
    paths = [_relative(root, cwd, text) for text in texts]
    return Scope() if "" in paths else Scope(tuple(sorted(set(paths))))


def _relative(root: Path, cwd: Path, text: str) -> str:
    found = next((path for path in (cwd / text, root / text) if _exists(path)), None)
    if found is None or not text:
        raise UsageError(
            f"there is no file or folder {text!a:.200}{_near(cwd / text)}",
            code="TM500",
            hint=f"PATH is a file or folder below {TENANTS}/, as seen from here",
        )
    relative = _below(root, found)
    if relative is None or relative.split("/")[0] not in {"", TENANTS, FILE}:
        raise UsageError(
            f"{text!a:.200} is not below {TENANTS}/ of this workspace",
            code="TM500",
            hint="--root DIR chooses another workspace",
        )
    return relative


def _exists(path: Path) -> bool:
    return os.path.lexists(path) and "\0" not in str(path)


def _near(path: Path) -> str:
    """Return the nearest name in the folder that a path names, as a question."""
    try:
        names = sorted(os.listdir(path.parent))  # noqa: PTH208  the names alone
    except (OSError, ValueError):
        return ""
    return did_you_mean(path.name, names)


def _below(root: Path, path: Path) -> str | None:
    """Return a path relative to the root with `/`; empty for the root; None outside of it."""
    given = os.path.abspath(path)  # noqa: PTH100  resolve() would follow the last link too
    real = os.path.join(os.path.realpath(os.path.dirname(given)), os.path.basename(given))  # noqa: PTH118,PTH119,PTH120  a text
    for top, below in ((str(root), given), (os.path.realpath(root), real)):
        if below == top:
            return ""
        if below.startswith(top.rstrip("/") + "/"):
            return below[len(top.rstrip("/")) + 1 :]
    return None
