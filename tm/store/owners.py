"""Which process wrote a row, and whether it still lives.

What lives here: the name of a process that no other process ever has, so that a run whose
process was killed can be told from one that is still at work. Nothing here touches a database.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_UNKNOWN: Final = "-"


def this_process() -> str:
    """Return `host boot pid-namespace pid start`, parts that are not known as `-`.

    A process id alone is used again, after a restart or by another container.
    """
    pid = os.getpid()
    return " ".join([_host(), *_where(), str(pid), _started(pid)])


def is_gone(owner: str) -> bool | None:
    """Say whether the process of this name has ended; None where that can't be known from here.

    That is so for another machine, and for another container on this one.
    """
    parts = owner.split(" ")
    if len(parts) != 5:
        return None
    host, boot, namespace, pid, started = parts
    here, (this_boot, this_namespace) = _host(), _where()
    if host != here or _UNKNOWN in {host, pid}:
        return None
    if boot != this_boot:
        return True
    if namespace != this_namespace:
        return None
    return not _lives(int(pid), started)


def is_one_of(owner: str, pids: Collection[int]) -> bool:
    """Say whether this is the name of one of these processes, of this machine and boot."""
    *where, pid, _ = owner.split(" ") if owner.count(" ") == 4 else ("", "", "")
    return where == [_host(), *_where()] and pid in {str(known) for known in pids}


def _lives(pid: int, started: str) -> bool:
    if started != _UNKNOWN:
        return _started(pid) == started
    if sys.platform == "win32":  # there, signal 0 is not a question but an interrupt
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _host() -> str:
    return (os.uname().nodename if hasattr(os, "uname") else "").replace(" ", "_") or _UNKNOWN


def _where() -> tuple[str, str]:
    """Return the ids of this boot and of the namespace that process ids belong to."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        return boot, str((_PROC / "self/ns/pid").readlink()).replace(" ", "_")
    except OSError:
        return _UNKNOWN, _UNKNOWN


def _started(pid: int) -> str:
    """Return when a process began, in clock ticks since boot; `-` where that is not to be had."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return _UNKNOWN
    # The name in brackets may hold spaces and brackets of its own; state is the next field.
    state, *fields = stat.rpartition(")")[2].split()
    return _UNKNOWN if state in {"Z", "X"} else fields[18]
