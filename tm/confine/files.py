"""Reading and writing one file beneath a folder: whole, or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tm.confine.descend import MissingPathError, make_folders, open_below, open_folder, open_name
from tm.confine.text import OUTSIDE, file_segments
from tm.errors import SecurityError

# O_NONBLOCK: opening a FIFO would wait for a writer for ever.
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PIECE: Final = 65_536
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def open_beneath(folder: Path, relative: object, *, code: str = OUTSIDE) -> int:
    """Open a regular file beneath a folder for reading, by descriptor.

    Args:
        folder: absolute, trusted.
        relative: path with `/`, or segments from `check_path`.
        code: of the errors.

    Raises:
        MissingPathError: there is none.
        SecurityError: for a path that is unsafe, a link, a hard link, no regular file.
    """
    segments = file_segments(relative, code=code)
    with open_folder(folder, (), code=code) as top:
        return _checked(open_below(top, segments, _READ, code=code), segments[-1], code)


def _checked(handle: int, name: str, code: str) -> int:
    """Return the descriptor of a plain file with one name; another one is closed."""
    status = os.fstat(handle)
    if fault := _oddity(status, name):
        os.close(handle)
        raise SecurityError(fault, code=code)
    return handle


def _oddity(status: os.stat_result, name: str) -> str | None:
    """Say why something is no plain file with one name, or None."""
    if stat.S_ISDIR(status.st_mode):
        return f"{name!a} is a folder, no regular file"
    if stat.S_ISLNK(status.st_mode):
        return f"{name!a} is a link, and links are not followed; no regular file"
    if not stat.S_ISREG(status.st_mode):
        return f"{name!a} is no regular file"
    # A second name may lie outside, and what is written here would change there.
    return None if status.st_nlink == 1 else f"{name!a} is no regular file with one name"


def read_bytes(folder: Path, relative: object, *, limit: int, code: str = OUTSIDE) -> bytes:
    """Return the bytes of a regular file beneath a folder.

    Args:
        folder: absolute.
        relative: path of the file in it, with `/`, or segments from `check_path`.
        limit: largest size in bytes.
        code: of the errors.

    Raises:
        SecurityError: where the path leaves the folder, is no regular file, or is too large.
    """
    handle = open_beneath(folder, relative, code=code)
    try:
        data = _read_up_to(handle, limit + 1)
    finally:
        os.close(handle)
    if len(data) > limit:
        name = "/".join(file_segments(relative, code=code))
        raise SecurityError(f"file {name!a} is larger than {limit:,} bytes", code=code)
    return data


def _read_up_to(handle: int, size: int) -> bytes:
    """Return the bytes of an open file, at most so many; most files are one piece."""
    pieces = [os.read(handle, min(size, _PIECE))]
    left = size - len(pieces[0])
    while left > 0 and pieces[-1]:
        pieces.append(os.read(handle, min(left, _PIECE)))
        left -= len(pieces[-1])
    return b"".join(pieces)


def write_atomic(
    folder: Path, relative: object, data: bytes, *, mode: int = 0o644, code: str = OUTSIDE
) -> None:
    """Write a file beneath a folder so that a reader sees the old or the new one, never a part.

    Missing folders on the way are made. The old file stays where writing fails.

    Raises:
        SecurityError: where the path leaves the folder, or its target is no plain file.
    """
    with _parent_made(folder, relative, code) as (parent, name):
        _replace(name, data, parent, mode, code)


def append_bytes(folder: Path, relative: object, data: bytes, *, limit: int) -> int:
    """Add to the end of a file beneath a folder, which is made where it is missing.

    A reader sees the old or the new file; of several that append at once none is lost.

    Args:
        folder: absolute, trusted.
        relative: path with `/`, or segments from `check_path`.
        data: to be added.
        limit: largest size in bytes that the file may get.

    Returns:
        The file's size after it.

    Raises:
        SecurityError: as `write_atomic` does, and past the limit.
    """
    import fcntl  # noqa: PLC0415  only those who append need it

    with _parent_made(folder, relative, OUTSIDE) as (parent, name):
        # The folder is locked, not the file: each writer replaces the file by a new one.
        fcntl.flock(parent, fcntl.LOCK_EX)
        data = _content(name, parent, limit) + data
        if len(data) > limit:
            raise SecurityError(f"{name!a} would be larger than {limit:,} bytes", code=OUTSIDE)
        _replace(name, data, parent, 0o644, OUTSIDE)
    return len(data)


def _content(name: str, parent: int, limit: int) -> bytes:
    """Return what a file holds, at most one byte more than the limit; nothing where it is new."""
    try:
        handle = open_name(name, _READ, parent, OUTSIDE)
    except MissingPathError:
        return b""
    with os.fdopen(_checked(handle, name, OUTSIDE), "rb") as stream:
        return stream.read(limit + 1)


@contextmanager
def _parent_made(folder: Path, relative: object, code: str) -> Iterator[tuple[int, str]]:
    """Yield the folder of a file that is to be written, made where it is missing, and its name."""
    *folders, name = file_segments(relative, code=code)
    make_folders(folder, tuple(folders), code=code)
    with open_folder(folder, tuple(folders), code=code) as parent:
        _size(name, parent, code)
        yield parent, name


def create_file(
    folder: Path, relative: object, data: bytes, *, mode: int = 0o644, code: str = OUTSIDE
) -> None:
    """Write a new file beneath a folder, whole or not at all, and never over an existing one.

    Missing folders on the way are made.

    Raises:
        FileExistsError: something has that name.
        SecurityError: where the path leaves the folder, or writing fails.
    """
    *folders, name = file_segments(relative, code=code)
    make_folders(folder, tuple(folders), code=code)
    with open_folder(folder, tuple(folders), code=code) as parent:
        temporary = f".{os.urandom(8).hex()}.tmp"
        with _told_as(name, code):
            _write(temporary, data, parent, mode)
        try:
            os.link(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
        finally:
            os.unlink(temporary, dir_fd=parent)


def remove_file(folder: Path, relative: object, *, code: str = OUTSIDE) -> None:
    """Delete a regular file beneath a folder.

    Raises:
        MissingPathError: there is none.
        SecurityError: for a path that is unsafe, a link, a hard link, a folder.
    """
    *folders, name = file_segments(relative, code=code)
    with open_folder(folder, tuple(folders), code=code) as parent:
        if _size(name, parent, code) is None:
            raise MissingPathError(f"there is no {name!a}", code=code)
        try:
            # Should a link take its place meanwhile, the link itself goes and nothing outside.
            os.unlink(name, dir_fd=parent)
        except OSError as error:
            why = os.strerror(error.errno or 0).lower()
            raise SecurityError(f"{name!a} can't be deleted: {why}", code=code) from error


def file_size(folder: Path, relative: object, *, code: str = OUTSIDE) -> int | None:
    """Return the size in bytes of a file beneath a folder; None where it could be made anew.

    Raises:
        SecurityError: where the path leaves the folder, or something else has that name.
    """
    *folders, name = file_segments(relative, code=code)
    try:
        with open_folder(folder, tuple(folders), code=code) as parent:
            return _size(name, parent, code)
    except MissingPathError:
        return None


def _size(name: str, parent: int, code: str) -> int | None:
    """Return the size of a plain file, None for nothing.

    Raises:
        SecurityError: something else has that name.
    """
    try:
        status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _not_written(name, error, code) from error
    if fault := _oddity(status, name):
        raise SecurityError(fault, code=code)
    return status.st_size


def _replace(name: str, data: bytes, parent: int, mode: int, code: str) -> None:
    """Write beside the target in the same folder, then rename."""
    temporary = f".{os.urandom(8).hex()}.tmp"
    with _told_as(name, code):
        _write(temporary, data, parent, mode)
    try:
        os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
    except OSError as error:
        os.unlink(temporary, dir_fd=parent)
        raise _not_written(name, error, code) from error


def _write(name: str, data: bytes, parent: int, mode: int) -> None:
    """Write a file that is not there yet, down to the disk; none is left where that fails."""
    handle = os.open(name, _CREATE, mode, dir_fd=parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        os.unlink(name, dir_fd=parent)
        raise


@contextmanager
def _told_as(name: str, code: str) -> Iterator[None]:
    """Let a failure name the file that was meant, not the one that is written beside it."""
    try:
        yield
    except OSError as error:
        raise _not_written(name, error, code) from error


def _not_written(name: str, error: OSError, code: str) -> SecurityError:
    why = os.strerror(error.errno or 0).lower()
    return SecurityError(f"{name!a} can't be written: {why}", code=code)
