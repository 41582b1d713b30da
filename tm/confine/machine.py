"""Why a file could not be read or written where no other path would mend it."""

from __future__ import annotations

import errno
import os
from typing import Final

from tm.errors import SecurityError

_MACHINE: Final = frozenset(
    {errno.EACCES, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOSPC}
    | {errno.EPERM, errno.EROFS}
)


def machine_reason(error: SecurityError | OSError) -> str | None:
    """Return why the machine refused, as `permission denied`; None where the path is at fault."""
    cause = error.__cause__ if isinstance(error, SecurityError) else error
    if isinstance(cause, OSError) and cause.errno in _MACHINE:
        return os.strerror(cause.errno).lower()
    return None
