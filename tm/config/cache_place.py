"""Where tm's caches are, and which files in there are trusted.

What lives here: names, and opening what belongs to this user. What must not: formats, and imports
beyond a few parts of Python, since the shortest answers come from here.
"""

from __future__ import annotations

import os
import stat
from zlib import crc32

TYPE_CHECKING = False  # as type checkers know it; importing `typing` costs a third of a start
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def cache_base(environ: Mapping[str, str]) -> str | None:
    """Return the user's folder for tm's caches, or None where there is no home."""
    if base := environ.get("XDG_CACHE_HOME"):
        return f"{base}/tm" if os.path.isabs(base) else None  # noqa: PTH117  a text
    home = environ.get("HOME", "")
    return f"{home}/.cache/tm" if os.path.isabs(home) else None  # noqa: PTH117  a text


def root_mark(root: str | Path) -> str:
    """Return a short name of a root, for file names; what is kept has the whole path."""
    data = os.fsencode(root)
    return f"{crc32(data):08x}{crc32(data[::-1]):08x}"


def open_own(path: str | Path) -> int:
    """Open a regular file that belongs to this user, and that nobody else can write.

    Returns:
        Its descriptor, which the caller closes.

    Raises:
        OSError: there is none such.
    """
    handle = os.open(path, _OPEN)
    status = os.fstat(handle)
    is_own = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
    if not is_own or status.st_mode & 0o022:
        os.close(handle)
        raise PermissionError("the file is not this user's alone")
    return handle
