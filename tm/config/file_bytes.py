"""A file's bytes, up to a limit, without following a link in its place or waiting for a pipe."""

from __future__ import annotations

import os
from typing import Final

from tm.config.source import MAX_FILE_BYTES

_OPEN: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


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
