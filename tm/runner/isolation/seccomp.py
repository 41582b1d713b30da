"""The system call filter of a worker, as a program of the kernel's packet filter (seccomp-bpf)."""

from __future__ import annotations

import struct
from functools import cache
from typing import Final

from tm.runner.isolation.syscalls import Machine

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_HAS_BITS: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000  # the whole process, with SIGSYS
REFUSE: Final = 0x00050000 | 13  # the call fails with EACCES

# Offsets in struct seccomp_data: nr, arch, then six arguments of eight bytes, low half first.
_NR, _ARCH, _ARGS = 0, 4, 16
_PROT_EXEC: Final = 4
_X32: Final = 0x40000000  # the second numbering of x86-64's calls


def build_filter(machine: Machine, pid: int) -> bytes:
    """Return the filter: an allowlist, with a closer look at three calls.

    Args:
        machine: that the process runs on; a call of another one ends it.
        pid: of the process, which may send a signal to itself alone.
    """
    is_self = [_do(_LOAD, _ARGS), _do(_EQUAL, pid, 0, 1)]
    verdicts = [_do(_RETURN, ALLOW), _do(_RETURN, KILL)]
    signals = [_do(_EQUAL, machine.tgkill, 0, 4), *is_self, *verdicts]
    return b"".join((_for_every_process(machine), *signals, _do(_RETURN, REFUSE)))


@cache
def _for_every_process(machine: Machine) -> bytes:
    """Return the part that is the same for all; the fork server builds it before it forks."""
    code = [_do(_LOAD, _ARCH), _do(_EQUAL, machine.audit, 1, 0), _do(_RETURN, KILL)]
    code += [_do(_LOAD, _NR), _do(_AT_LEAST, _X32, 0, 1), _do(_RETURN, KILL)]
    for numbers, verdict in ((machine.allowed, ALLOW), (machine.fatal, KILL)):
        for number in numbers:
            code += [_do(_EQUAL, number, 0, 1), _do(_RETURN, verdict)]
    for number in (machine.mmap, machine.mprotect):
        is_executable = [_do(_LOAD, _ARGS + 2 * 8), _do(_HAS_BITS, _PROT_EXEC, 0, 1)]
        verdicts = [_do(_RETURN, REFUSE), _do(_RETURN, ALLOW)]
        code += [_do(_EQUAL, number, 0, 4), *is_executable, *verdicts]
    return b"".join(code)


def _do(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one instruction; the jumps count instructions from the next one."""
    return struct.pack("=HBBI", operation, if_true, if_false, value)
