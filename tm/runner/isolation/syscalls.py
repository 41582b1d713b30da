"""System calls by number: what a locked worker may call, and what ends it at once.

From the kernel's tables for x86-64 (`syscall_64.tbl`) and the generic one that arm64 uses
(`include/uapi/asm-generic/unistd.h`). A call in neither list fails with EACCES.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Machine(NamedTuple):
    """One kind of processor.

    Attributes:
        audit: its AUDIT_ARCH number, which the filter compares.
        allowed: names to numbers of calls that can reach nothing outside the process.
        fatal: numbers of calls that start processes, open connections or act on others.
        mmap, mprotect: allowed where they ask for no executable memory.
        tgkill: allowed for the process itself; `abort` needs it.
    """

    audit: int
    allowed: tuple[int, ...]
    fatal: tuple[int, ...]
    mmap: int
    mprotect: int
    tgkill: int


MACHINES: Final = {
    "x86_64": Machine(
        audit=0xC000003E,
        # read write close munmap brk mremap madvise rt_sigreturn rt_sigprocmask futex sched_yield
        # nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time getpid gettid
        # getrandom exit exit_group restart_syscall getrusage times sysinfo
        allowed=(0, 1, 3, 11, 12, 25, 28, 15, 14, 202, 24, 35, 230, 228, 229, 96, 201, 39, 186,
                 318, 60, 231, 219, 98, 100, 99),
        # socket..accept sendto sendmsg bind listen socketpair accept4 clone fork vfork clone3
        # execve execveat kill tkill rt_sigqueueinfo rt_tgsigqueueinfo ptrace process_vm_readv
        # process_vm_writev pidfd_* setns unshare mount umount2 pivot_root chroot bpf
        # perf_event_open modules kexec reboot keys userfaultfd io_uring_* open_by_handle_at
        fatal=(41, 42, 43, 44, 46, 49, 50, 53, 288, 56, 57, 58, 435, 59, 322, 62, 200, 129, 297,
               101, 310, 311, 424, 434, 438, 308, 272, 165, 166, 155, 161, 321, 298, 175, 313, 176,
               246, 320, 169, 248, 249, 250, 323, 425, 426, 427, 304),
        mmap=9, mprotect=10, tgkill=234,
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        # The same, without `time`, which the generic table lacks.
        allowed=(63, 64, 57, 215, 214, 216, 233, 139, 135, 98, 124, 101, 115, 113, 114, 169, 172,
                 178, 278, 93, 94, 128, 165, 153, 179),
        fatal=(198, 203, 202, 206, 211, 200, 201, 199, 242, 220, 435, 221, 281, 129, 130, 138, 240,
               117, 270, 271, 424, 434, 438, 268, 97, 40, 39, 41, 51, 280, 241, 105, 273, 106, 104,
               294, 142, 217, 218, 219, 282, 425, 426, 427, 265),
        mmap=222, mprotect=226, tgkill=131,
    ),
}  # fmt: skip
