"""A file's bytes, without following a link in its place or waiting for a pipe; and cache files.

What lives here: reading a config file up to a limit, and how tm writes the files in the user's
cache folder. What must not: their formats.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from tm.config.source import MAX_FILE_BYTES

_OPEN: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def read_file(path: str, *, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return a file's bytes, at most one more than the limit, so that too long ones can be told.

    Raises:
        OSError: there is none, a link is in its place, or it can't be read.
    """
    handle = os.open(path, _OPEN)
    try:
        data = os.read(handle, limit + 1)
        while data and len(data) <= limit:
            more = os.read(handle, limit + 1 - len(data))
            if not more:
                break
            data += more
        return data
    finally:
        os.close(handle)


def replace_own(path: Path, data: bytes) -> None:
    """Write a cache file, for this user alone: whole or not at all.

    Raises:
        OSError: it can't be written; then nothing is.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(path, data, mode=0o600)


def replace_file(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write beside the target, then rename: whole or not at all.

    Args:
        mode: of the file, less what the process masks.

    Raises:
        OSError: it can't be written; then nothing is.
    """
    temporary = path.with_name(f".{os.urandom(8).hex()}.tmp")
    try:
        with os.fdopen(os.open(temporary, _CREATE, mode), "wb") as stream:
            stream.write(data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
