"""Paths that stay inside one folder, by descriptor: the only path guard.

What lives here: checks of a path's text, opening beneath a folder without following links, and
atomic writes. What must not: knowing which folder is whose.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tm.errors import SecurityError

OUTSIDE: Final = "TM518"
MAX_SEGMENT_BYTES: Final = 255  # NAME_MAX of the usual file systems
MAX_SEGMENTS: Final = 16

_FORBIDDEN = re.compile(r'[\\:*?"<>|%]')
# Reserved by Windows in every folder and with any extension; a tenant's folder may be synced there.
_DEVICE = re.compile(
    r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\..*)?"
)
# Control, format (bidirectional, zero width, soft hyphen), line and paragraph separators,
# surrogates, private use and unassigned characters.
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def check_path(relative: object, *, code: str = OUTSIDE) -> tuple[str, ...]:
    """Return the segments of a relative path whose text is safe on every system.

    One leading `./` is dropped; the path `.` is the folder itself and gives no segments.

    Raises:
        SecurityError: for anything else than a plain relative path, with the given code.
    """
    if not isinstance(relative, str):
        raise SecurityError(f"a path is text, not {type(relative).__name__}", code=code)
    if relative == ".":
        return ()
    segments = tuple(relative.removeprefix("./").split("/"))
    if len(segments) > MAX_SEGMENTS:
        raise SecurityError(f"a path has at most {MAX_SEGMENTS} levels", code=code)
    for segment in segments:
        if why := _fault(segment):
            raise SecurityError(f"path {relative!a} {why}", code=code)
    return segments


def _fault(segment: str) -> str | None:
    """Say what is wrong with one segment, or None."""
    if not segment:
        return "is empty, absolute, or has an empty part"
    if segment.startswith((".", "~")):
        return f"has the part {segment!a}: names that begin with '.' or '~' are not allowed"
    if segment[-1] in ". ":
        return f"has the part {segment!a}, which ends in a dot or a space"
    if hit := _FORBIDDEN.search(segment):
        return f"holds {hit.group()!r}, which is not allowed in names"
    return _unicode_fault(segment) or (
        f"has the part {segment!a}, a device name" if _DEVICE.fullmatch(segment) else None
    )


def _unicode_fault(segment: str) -> str | None:
    """Say which character makes the name look like another one, or None."""
    if segment.isascii() and segment.isprintable():
        return None if len(segment) <= MAX_SEGMENT_BYTES else "has a name that is too long"
    if any(unicodedata.category(char) in _INVISIBLE for char in segment):
        return "holds a control or invisible character"
    if len(segment.encode()) > MAX_SEGMENT_BYTES:
        return "has a name that is too long"
    if not unicodedata.is_normalized("NFC", segment):
        return "is not in the composed form NFC"
    folded = unicodedata.normalize("NFKC", segment)
    if folded.startswith((".", "~")) or set(folded) & set("/\\:%"):
        return "holds a character that some systems read as '.', '/' or ':'"
    return None


@contextmanager
def open_folder(folder: Path, segments: tuple[str, ...], *, code: str = OUTSIDE) -> Iterator[int]:
    """Open a folder beneath another one and yield its descriptor; no link is followed.

    Args:
        folder: absolute, trusted (its own path may hold links).
        segments: from `check_path`.
        code: of the errors.

    Raises:
        SecurityError: where a segment is missing, no folder, or a link.
    """
    try:
        current = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise SecurityError(f"folder {folder.name!a} can't be opened", code=code) from error
    try:
        for segment in segments:
            inner = _open(segment, _DIRECTORY, current, code)
            os.close(current)
            current = inner
        yield current
    finally:
        os.close(current)


def _open(name: str, flags: int, folder: int, code: str, mode: int = 0o600) -> int:
    """Open one name in a folder's descriptor."""
    try:
        return os.open(name, flags, mode, dir_fd=folder)
    except OSError as error:
        why = os.strerror(error.errno or 0).lower()
        if _is_link(name, folder):
            why = "it is a link, and links are not followed"
        raise SecurityError(f"{name!a} can't be opened: {why}", code=code) from error


def _is_link(name: str, folder: int) -> bool:
    """Tell whether the name is a symbolic link; a missing one is none."""
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def open_beneath(folder: Path, relative: object, *, code: str = OUTSIDE) -> int:
    """Open a regular file beneath a folder for reading, by descriptor.

    Raises:
        SecurityError: for a path that is unsafe, missing, a link, a hard link, no regular file.
    """
    segments = check_path(relative, code=code)
    if not segments:
        raise SecurityError("a file is meant, not the folder itself", code=code)
    with open_folder(folder, segments[:-1], code=code) as parent:
        # O_NONBLOCK: opening a FIFO would wait for a writer for ever.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        handle = _open(segments[-1], flags, parent, code)
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        os.close(handle)
        raise SecurityError(f"{segments[-1]!a} is no regular file with one name", code=code)
    return handle


def read_bytes(folder: Path, relative: object, *, limit: int, code: str = OUTSIDE) -> bytes:
    """Return the bytes of a regular file beneath a folder.

    Args:
        folder: absolute.
        relative: path of the file in it, with `/`.
        limit: largest size in bytes.
        code: of the errors.

    Raises:
        SecurityError: where the path leaves the folder, is no regular file, or is too large.
    """
    with os.fdopen(open_beneath(folder, relative, code=code), "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise SecurityError(f"file {relative!a} is larger than {limit:,} bytes", code=code)
    return data


def write_atomic(
    folder: Path, relative: object, data: bytes, *, mode: int = 0o644, code: str = OUTSIDE
) -> None:
    """Write a file beneath a folder so that a reader sees the old or the new one, never a part.

    Missing folders on the way are made. The old file stays where writing fails.

    Raises:
        SecurityError: where the path leaves the folder, or its target is no plain file.
    """
    segments = check_path(relative, code=code)
    if not segments:
        raise SecurityError("a file is meant, not the folder itself", code=code)
    make_folders(folder, segments[:-1], code=code)
    with open_folder(folder, segments[:-1], code=code) as parent:
        _refuse_odd_target(segments[-1], parent, code)
        _replace(segments[-1], data, parent, mode, code)


def create_file(
    folder: Path, relative: object, data: bytes, *, mode: int = 0o644, code: str = OUTSIDE
) -> None:
    """Write a new file beneath a folder, whole or not at all, and never over an existing one.

    Missing folders on the way are made.

    Raises:
        FileExistsError: something has that name.
        SecurityError: where the path leaves the folder, or writing fails.
    """
    segments = check_path(relative, code=code)
    if not segments:
        raise SecurityError("a file is meant, not the folder itself", code=code)
    make_folders(folder, segments[:-1], code=code)
    with open_folder(folder, segments[:-1], code=code) as parent:
        temporary = f".{os.urandom(8).hex()}.tmp"
        _write(temporary, data, parent, mode, code)
        try:
            os.link(temporary, segments[-1], src_dir_fd=parent, dst_dir_fd=parent)
        finally:
            os.unlink(temporary, dir_fd=parent)


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
                raise SecurityError(f"folder {segment!a} can't be made", code=code) from error


def _refuse_odd_target(name: str, parent: int, code: str) -> None:
    """Refuse to replace what is no plain file with one name."""
    try:
        status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        raise SecurityError(f"{name!a} is no regular file with one name", code=code)


def _replace(name: str, data: bytes, parent: int, mode: int, code: str) -> None:
    """Write beside the target in the same folder, then rename."""
    temporary = f".{os.urandom(8).hex()}.tmp"
    _write(temporary, data, parent, mode, code)
    try:
        os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
    except OSError as error:
        os.unlink(temporary, dir_fd=parent)
        raise _not_written(name, error, code) from error


def _write(name: str, data: bytes, parent: int, mode: int, code: str) -> None:
    """Write a file that is not there yet, down to the disk; none is left where that fails."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = _open(name, flags, parent, code, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        os.unlink(name, dir_fd=parent)
        raise _not_written(name, error, code) from error


def _not_written(name: str, error: OSError, code: str) -> SecurityError:
    why = os.strerror(error.errno or 0).lower()
    return SecurityError(f"{name!a} can't be written: {why}", code=code)
