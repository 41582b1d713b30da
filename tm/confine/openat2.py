"""The system call openat2: a whole path beneath a folder in one step, links refused (Linux 5.6).

It needs ctypes, whose import costs a fifth of a start of tm. So it is used from the moment on that
somebody loads this module: the shared tools do, and servers that have run one. Until then, and
where the kernel or a filter lacks it, the walk of `descend` opens one part after the other.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from typing import Final

_NUMBER: Final = 437
# Where the number means this call; elsewhere it may be any other one.
_MACHINES: Final = frozenset({("linux", "x86_64"), ("linux", "aarch64")})
# linux/openat2.h: RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH
_RESOLVE: Final = 0x02 | 0x04 | 0x08


class _How(ctypes.Structure):
    """`struct open_how`."""

    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


def _prepared() -> ctypes._NamedFuncPointer | None:
    """Return libc's `syscall`; None where the kernel has no openat2."""
    if (sys.platform, os.uname().machine) not in _MACHINES:
        return None
    try:
        call = ctypes.CDLL(None, use_errno=True).syscall
    except (OSError, AttributeError):
        return None
    call.restype = ctypes.c_long
    # An empty `open_how` is invalid, so nothing is opened: only a missing call says ENOSYS, and
    # only a filter (seccomp) says EPERM.
    call(ctypes.c_long(_NUMBER), ctypes.c_long(-1), b"", None, ctypes.c_size_t(0))
    return None if ctypes.get_errno() in {errno.ENOSYS, errno.EPERM} else call


_CALL: Final = _prepared()


def open_path(folder: int, path: str, flags: int) -> int | None:
    """Open a path beneath a folder's descriptor.

    Args:
        folder: descriptor.
        path: relative, of one part or several.
        flags: of `os.open`, none that makes a file.

    Returns:
        A descriptor that the caller closes; None where the kernel refuses or can't: the walk
        then finds out which part is at fault.
    """
    if _CALL is None:
        return None
    how = _How(flags | os.O_CLOEXEC, 0, _RESOLVE)
    opened: int = _CALL(
        ctypes.c_long(_NUMBER),
        ctypes.c_long(folder),
        ctypes.c_char_p(os.fsencode(path)),
        ctypes.byref(how),
        ctypes.c_size_t(ctypes.sizeof(how)),
    )
    return opened if opened >= 0 else None
