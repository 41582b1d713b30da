"""Opening what is beneath a folder, by descriptor, following no link."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tm.confine.text import OUTSIDE
from tm.errors import SecurityError

DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPENAT2: Final = "tm.confine.openat2"


class MissingPathError(SecurityError):
    """Nothing of that name is there: no attack, but nothing to open either."""


@contextmanager
def open_folder(folder: Path, segments: tuple[str, ...], *, code: str = OUTSIDE) -> Iterator[int]:
    """Open a folder beneath another one and yield its descriptor; no link is followed.

    Args:
        folder: absolute, trusted (its own path may hold links).
        segments: from `check_path`.
        code: of the errors.

    Raises:
        MissingPathError: a segment is missing.
        SecurityError: a segment is no folder, or a link.
    """
    try:
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise MissingPathError(f"there is no folder {folder.name!a}", code=code) from error
    except OSError as error:
        raise SecurityError(f"folder {folder.name!a} can't be opened", code=code) from error
    current = top
    try:
        if segments:
            current = open_below(top, segments, DIRECTORY, code=code)
            os.close(top)
        yield current
    finally:
        os.close(current)


def open_below(folder: int, segments: tuple[str, ...], flags: int, *, code: str) -> int:
    """Open a path beneath a folder's descriptor.

    Args:
        folder: descriptor; stays open.
        segments: at least one.
        flags: of the last one; the others are folders.
        code: of the errors.

    Returns:
        A descriptor that the caller closes.

    Raises:
        SecurityError: as `open_folder` does.
    """
    # Its import costs too much for a run that opens three files; see there.
    kernel = sys.modules.get(_OPENAT2)
    if kernel is not None:
        opened: int | None = kernel.open_path(folder, "/".join(segments), flags)
        if opened is not None:
            return opened
    return _walk(folder, segments, flags, code)


def _walk(folder: int, segments: tuple[str, ...], flags: int, code: str) -> int:
    """Open one segment after the other, each in the descriptor of the last."""
    current = folder
    try:
        for segment in segments[:-1]:
            inner = open_name(segment, DIRECTORY, current, code)
            if current != folder:
                os.close(current)
            current = inner
        return open_name(segments[-1], flags, current, code)
    finally:
        if current != folder:
            os.close(current)


def open_name(name: str, flags: int, folder: int, code: str, mode: int = 0o600) -> int:
    """Open one name in a folder's descriptor; `flags` are to hold O_NOFOLLOW.

    Raises:
        MissingPathError: there is none.
        SecurityError: it can't be opened, or is a link.
    """
    try:
        return os.open(name, flags, mode, dir_fd=folder)
    except FileNotFoundError as error:
        raise MissingPathError(f"there is no {name!a}", code=code) from error
    except OSError as error:
        raise SecurityError(
            f"{name!a} can't be opened: {_why(name, folder, error)}", code=code
        ) from error


def _why(name: str, folder: int, error: OSError) -> str:
    """Return the reason in words."""
    mode = _mode(name, folder)
    if stat.S_ISLNK(mode):
        return "it is a link, and links are not followed"
    if isinstance(error, NotADirectoryError):
        return "it is a file, no folder"
    return os.strerror(error.errno or 0).lower()


def _mode(name: str, folder: int) -> int:
    """Return the mode of what has the name, a link's own; 0 for nothing."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:
        return 0


def make_folders(folder: Path, segments: tuple[str, ...], *, code: str = OUTSIDE) -> None:
    """Make the folders that are missing, one by one beneath the descriptor of the last.

    Raises:
        SecurityError: where one of them is a link or a file.
    """
    for depth, segment in enumerate(segments):
        with open_folder(folder, segments[:depth], code=code) as parent:
            try:
                os.mkdir(segment, 0o755, dir_fd=parent)
            except FileExistsError:
                continue  # a link in its place is refused when it is opened
            except OSError as error:
                why = os.strerror(error.errno or 0).lower()
                message = f"folder {segment!a} can't be made: {why}"
                raise SecurityError(message, code=code) from error
