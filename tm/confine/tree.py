"""The files beneath a folder, by descriptor, following no link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from tm.confine.descend import DIRECTORY, open_folder, open_name
from tm.confine.text import MAX_SEGMENTS, OUTSIDE
from tm.errors import SecurityError
from tm.records import record


@record
class FoundFile:
    """A regular file beneath a folder.

    Attributes:
        path: relative to the folder, with `/`.
        size: in bytes.
        modified_ns: of its last change, since 1970.
    """

    path: str
    size: int
    modified_ns: int


def walk_files(
    folder: Path, segments: tuple[str, ...], *, with_hidden: bool = False
) -> Iterator[FoundFile]:
    """Yield the regular files beneath a folder, in no order; links are left out.

    Names that are no text are left out too, and folders nested deeper than a path may be.

    Args:
        folder: absolute, trusted.
        segments: from `check_path`: of the folder in it whose files are wanted.
        with_hidden: whether names that begin with a dot count.

    Raises:
        MissingPathError: there is no such folder.
        SecurityError: a segment is a link or a file.
    """
    with open_folder(folder, segments) as top:
        yield from _walk(top, "", MAX_SEGMENTS, with_hidden=with_hidden)


def _walk(folder: int, prefix: str, depth: int, *, with_hidden: bool) -> Iterator[FoundFile]:
    """Yield the files of one folder and of those in it."""
    folders: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if (entry.name[0] == "." and not with_hidden) or not _is_text(entry.name):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # it went meanwhile
            if stat.S_ISDIR(status.st_mode):
                folders.append(entry.name)
            elif stat.S_ISREG(status.st_mode):
                yield FoundFile(prefix + entry.name, status.st_size, status.st_mtime_ns)
    for name in folders if depth > 1 else ():
        try:
            inner = open_name(name, DIRECTORY, folder, OUTSIDE)
        except SecurityError:
            continue  # it went, or a link took its place
        try:
            yield from _walk(inner, f"{prefix}{name}/", depth - 1, with_hidden=with_hidden)
        finally:
            os.close(inner)


def _is_text(name: str) -> bool:
    """Say whether a name is UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
