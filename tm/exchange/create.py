"""Writes new config files into a tenant: all of them or none, and never over one that exists.

What lives here: the write. What must not: what the files say.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tm.confine import check_path, create_file, machine_reason
from tm.errors import SecurityError, UsageError

TENANTS = "tenants"


def create_files(root: Path, code: str, files: Mapping[str, str]) -> list[str]:
    """Write files below a tenant's folder and return their paths, relative to the root.

    Args:
        root: of the workspace.
        code: of the tenant; its folder is made where it is missing.
        files: path below the tenant's folder, with `/`, to text.

    Raises:
        UsageError: one of them exists already; nothing was written.
        SecurityError: a path leaves the folder.
    """
    home = root / TENANTS / code
    taken = [path for path in files if os.path.lexists(home.joinpath(*_segments(path)))]
    if taken:
        raise _exists(code, taken[0])
    written: list[str] = []
    try:
        _make(home, code)
        for path, text in files.items():
            _create(home, code, path, text)
            written.append(path)
    except BaseException:
        for path in written:
            (home / path).unlink(missing_ok=True)
        raise
    return [f"{TENANTS}/{code}/{path}" for path in written]


def _segments(path: str) -> tuple[str, ...]:
    # The one file of ours whose name begins with a dot, which no path of a tenant may.
    return (path,) if path == ".gitignore" else check_path(path)


def _create(home: Path, code: str, path: str, text: str) -> None:
    try:
        if path == ".gitignore":
            with (home / path).open("x", encoding="utf-8") as stream:
                stream.write(text)
        else:
            create_file(home, path, text.encode())
    except FileExistsError as error:
        raise _exists(code, path) from error
    except (OSError, SecurityError) as error:
        why = machine_reason(error)
        if why is None and isinstance(error, SecurityError):
            raise
        raise _refused(f"{TENANTS}/{code}/{path}", why or str(error)) from error


def _make(home: Path, code: str) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refused(f"{TENANTS}/{code}", machine_reason(error) or str(error)) from error


def _refused(shown: str, why: str) -> UsageError:
    return UsageError(f"{shown} can't be written: {why}", code="TM500")


def _exists(code: str, path: str) -> UsageError:
    return UsageError(
        f"{TENANTS}/{code}/{path} exists already, and nothing was written",
        code="TM500",
        hint="choose another name, or move the file away first",
    )
