"""Locks the present process in, for good: limits, no privileges, Landlock, seccomp.

What lives here: the calls to the kernel, in their order. What must not: anything that runs after.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from functools import cache
from typing import Final

from tm.runner.isolation.seccomp import build_filter
from tm.runner.isolation.syscalls import MACHINES

PIPE: Final = 3
"""The one descriptor that a locked process has."""

MAX_MEMORY_BYTES: Final = 512 * 1024 * 1024
"""On top of what the process has when it is locked."""

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
_SIGKILL: Final = 9
_LANDLOCK_CREATE, _LANDLOCK_RESTRICT = 444, 446  # the same numbers on every machine
_LANDLOCK_VERSION: Final = 1
_SECCOMP_MODE_FILTER: Final = 2
_CAPABILITIES_V3: Final = 0x20080522


class LockError(Exception):
    """The kernel can't lock the process in; the message says what it lacks."""


def why_not() -> str | None:
    """Return what this system lacks for a lock; None where it has everything."""
    if not sys.platform.startswith("linux"):
        return f"it needs Linux, and this is {sys.platform}"
    if os.uname().machine not in MACHINES:
        return f"it needs x86-64 or arm64, and this is {os.uname().machine}"
    if _landlock_abi() < 1:
        return "the kernel has no Landlock (Linux 5.13 and later have it, where it is switched on)"
    return None


def prepare() -> None:
    """Load the C library and build the filter, so that workers forked later need not."""
    if why_not() is None:
        build_filter(MACHINES[os.uname().machine], os.getpid())


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def lock_in(
    pipe: int, parent: int, cpu_s: int
) -> None:  # pragma: no cover  it can write no figures
    """Lock this process in. It must have one thread.

    Args:
        pipe: the descriptor to keep; it becomes `PIPE`, all others are closed.
        parent: its process, whose death ends this one.
        cpu_s: processor time that it may take.

    Raises:
        LockError: the kernel refused a part.
    """
    libc = _libc()
    os.setsid()
    _control(libc, _PR_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != parent:
        raise LockError("the parent has ended")
    os.environ.clear()
    _limit(cpu_s)
    _keep_only(pipe)
    _control(libc, _PR_SET_NO_NEW_PRIVS, 1)
    _drop_capabilities(libc)
    _control(libc, _PR_SET_DUMPABLE, 0)
    _restrict_files(libc)
    _filter_calls(libc)


def _limit(cpu_s: int) -> None:  # pragma: no cover  as lock_in
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  Path is not loaded
        used = int(file.read().split()[0]) * resource.getpagesize()
    limits = {
        resource.RLIMIT_AS: used + MAX_MEMORY_BYTES,
        resource.RLIMIT_CPU: cpu_s,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NOFILE: PIPE + 1,
    }
    for which, limit in limits.items():
        resource.setrlimit(which, (limit, limit))


def _keep_only(pipe: int) -> None:  # pragma: no cover  as lock_in
    if pipe != PIPE:
        os.dup2(pipe, PIPE, inheritable=False)
    os.closerange(0, PIPE)
    os.closerange(PIPE + 1, 65_536)


def _control(libc: ctypes.CDLL, option: int, value: int) -> None:  # pragma: no cover  as lock_in
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise LockError(f"prctl({option}): {os.strerror(ctypes.get_errno())}")


def _drop_capabilities(libc: ctypes.CDLL) -> None:  # pragma: no cover  as lock_in
    header = struct.pack("=Ii", _CAPABILITIES_V3, 0)
    if libc.capset(header, bytes(24)) != 0:
        raise LockError(f"capset: {os.strerror(ctypes.get_errno())}")


def _landlock_abi() -> int:
    abi: int = _libc().syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _LANDLOCK_VERSION)
    return abi


def ruleset(abi: int) -> bytes:
    """Return the attributes of a ruleset that handles, and so refuses, everything it can.

    From `include/uapi/linux/landlock.h`: rights to files, from version 4 on to TCP ports, from 6
    on to abstract sockets and signals.
    """
    rights = {1: 13, 2: 14, 3: 15, 4: 15}.get(abi, 16)
    words = [(1 << rights) - 1]
    if abi >= 4:
        words.append(0b11)
    if abi >= 6:
        words.append(0b11)
    return struct.pack(f"={len(words)}Q", *words)


def _restrict_files(libc: ctypes.CDLL) -> None:  # pragma: no cover  as lock_in
    attributes = ruleset(_landlock_abi())
    size = ctypes.c_size_t(len(attributes))
    rules = libc.syscall(_LANDLOCK_CREATE, attributes, size, 0)
    # The ruleset takes one of the descriptors that were closed.
    if rules < 0 or libc.syscall(_LANDLOCK_RESTRICT, rules, 0) != 0:
        raise LockError(f"Landlock: {os.strerror(ctypes.get_errno())}")
    os.close(rules)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _filter_calls(libc: ctypes.CDLL) -> None:  # pragma: no cover  as lock_in
    code = build_filter(MACHINES[os.uname().machine], os.getpid())
    kept = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(kept))
    place = ctypes.c_void_p(ctypes.addressof(program))
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, place, 0, 0) != 0:
        raise LockError(f"seccomp: {os.strerror(ctypes.get_errno())}")
