"""The kernel's lock alone: what a locked process can't do, though nothing else watches it."""

import ast
import ctypes
import os
import signal
import socket
import sys

import pytest

from tests.security.isolation_escapes import KILLED, run_locked_in
from tm.errors import Location, ToolError
from tm.runner.isolation import lock, worker
from tm.runner.isolation.lock import PIPE, why_not
from tm.runner.isolation.seccomp import ALLOW, KILL, REFUSE, build_filter
from tm.runner.isolation.syscalls import MACHINES
from tm.runner.places import RAISED, Source

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"no lock here: {why_not()}")
EACCES = 13


def errno_of(call):
    """Return the attempt that makes a C call, and gives its result and errno."""

    def attempt(libc):
        result = call(libc)
        return result, ctypes.get_errno()

    return attempt


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_PATH])
def test_no_file_opens(tmp_path, flags):
    path = str(tmp_path / "canary").encode()
    (tmp_path / "canary").write_text("untouched")
    assert run_locked_in(errno_of(lambda libc: libc.open(path, flags, 0o600))) == (
        0, f"(-1, {EACCES})",
    )  # fmt: skip
    assert (tmp_path / "canary").read_text() == "untouched"


@pytest.mark.parametrize("name", ["unlink", "rmdir", "chdir", "chroot_"])
def test_no_path_is_touched(tmp_path, name):
    path = str(tmp_path).encode()
    if name == "chroot_":
        assert run_locked_in(lambda libc: libc.chroot(path))[0] == KILLED
        return
    assert run_locked_in(errno_of(lambda libc: getattr(libc, name)(path)))[1] == f"(-1, {EACCES})"
    assert tmp_path.is_dir()


@pytest.mark.parametrize(
    "attempt",
    [
        lambda libc: libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0),
        lambda libc: libc.socketpair(1, 1, 0, (ctypes.c_int * 2)()),
        lambda libc: libc.fork(),
        lambda libc: libc.vfork(),
        lambda libc: os.fork(),
        lambda libc: libc.execv(b"/bin/true", (ctypes.c_char_p * 2)(b"true", None)),
        lambda libc: libc.kill(os.getppid(), 0),
        lambda libc: libc.kill(0, 0),
        lambda libc: libc.ptrace(16, os.getppid(), 0, 0),
        lambda libc: libc.syscall(425, 8, 0),
    ],
)
def test_processes_connections_and_signals_end_it(attempt):
    assert run_locked_in(attempt) == (KILLED, "")


def test_nothing_new_is_executable():
    def attempt(libc):
        libc.mmap.restype = ctypes.c_void_p
        page = libc.mmap(None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0))
        return page == ctypes.c_void_p(-1).value, ctypes.get_errno()

    assert run_locked_in(attempt) == (0, f"(True, {EACCES})")


def test_it_has_no_descriptor_but_the_pipe():
    def attempt(libc):
        found = []
        for number in range(64):
            try:
                os.write(number, b"")
            except OSError:
                continue
            found.append(number)
        return found

    assert run_locked_in(attempt) == (0, f"[{PIPE}]")


def test_its_environment_is_empty(monkeypatch):
    monkeypatch.setenv("ERP_TOKEN", "tok-1234567890")
    assert run_locked_in(lambda _: dict(os.environ)) == (0, "{}")


def test_memory_is_limited():
    assert run_locked_in(lambda _: len(bytearray(2 * lock.MAX_MEMORY_BYTES))) == (0, "MemoryError")


def test_processor_time_is_limited():
    def attempt(_libc):
        while True:
            pass

    code, _ = run_locked_in(attempt, cpu_s=1)
    assert code in {-signal.SIGKILL, -signal.SIGXCPU}


def test_it_can_end_itself():
    assert run_locked_in(lambda libc: libc.abort())[0] == -signal.SIGABRT


def test_a_process_that_lost_its_parent_is_not_locked_but_refused():
    child = os.fork()
    if child == 0:
        try:
            lock.lock_in(0, parent=1 << 22, cpu_s=1)
        except lock.LockError:
            os._exit(42)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42


@pytest.mark.parametrize(
    ("platform", "machine", "words"),
    [("darwin", "arm64", "needs Linux"), ("linux", "riscv64", "x86-64 or arm64")],
)
def test_other_systems_are_told_what_they_lack(monkeypatch, platform, machine, words):
    uname = os.uname()
    fields = {0: uname.sysname, 1: "host", 2: "1", 3: "1", 4: machine}
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(fields[i] for i in range(5)))
    assert words in why_not()


# -- the filter as a program, run here


def verdict(code, nr, arch, args=(0, 0, 0, 0, 0, 0)):
    """Interpret the filter as the kernel does."""
    import struct

    data = struct.pack("=IIQ6Q", nr, arch, 0, *args)
    at, value = 0, 0
    while True:
        operation, if_true, if_false, number = struct.unpack_from("=HBBI", code, at * 8)
        at += 1
        if operation == 0x20:
            value = struct.unpack_from("=I", data, number)[0]
        elif operation == 0x06:
            return number
        else:
            tests = {0x15: value == number, 0x35: value >= number, 0x45: bool(value & number)}
            at += if_true if tests[operation] else if_false


@pytest.mark.parametrize("name", MACHINES)
def test_filter_lets_through_what_is_listed_and_nothing_else(name):
    machine = MACHINES[name]
    code = build_filter(machine, pid=77)
    assert not set(machine.allowed) & set(machine.fatal)
    special = {machine.mmap, machine.mprotect, machine.tgkill}
    for nr in range(500):
        got = verdict(code, nr, machine.audit)
        if nr not in special:
            wanted = ALLOW if nr in machine.allowed else KILL if nr in machine.fatal else REFUSE
            assert got == wanted, nr
    for nr in (machine.mmap, machine.mprotect):
        assert verdict(code, nr, machine.audit, (0, 0, 3, 0, 0, 0)) == ALLOW
        assert verdict(code, nr, machine.audit, (0, 0, 7, 0, 0, 0)) == REFUSE
    assert verdict(code, machine.tgkill, machine.audit, (77, 1, 6, 0, 0, 0)) == ALLOW
    assert verdict(code, machine.tgkill, machine.audit, (78, 1, 6, 0, 0, 0)) == KILL
    assert verdict(code, machine.allowed[0], 0x40000003) == KILL
    assert verdict(code, 0x40000000 | machine.allowed[0], machine.audit) == KILL


def test_ruleset_grows_with_the_kernels_version():
    assert [len(lock.ruleset(abi)) for abi in (1, 3, 4, 6, 7)] == [8, 8, 16, 24, 24]
    assert lock.ruleset(1) == ((1 << 13) - 1).to_bytes(8, "little")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("os.getcwd()", "TM511"),
        ("os.stat('/etc/passwd')", "TM511"),
        ("open('/etc/passwd')", "TM511"),
        ("raise PermissionError(13, 'ask the office')", "TM509"),
        ("raise PermissionError('ask the office')", "TM509"),
        ("{}['x']", "TM509"),
    ],
)
def test_what_the_kernel_refuses_is_told_in_the_words_of_the_guard(line, code):
    path = "tenants/acme/a.py"
    source = Source(path, line.encode())
    assert source.line(1) == line  # its codec is loaded: the child can open no file
    names = {"os": os, "__loader__": source}
    compiled = compile(line, path, "exec")

    def attempt(_libc):
        try:
            exec(compiled, names)
        except (OSError, KeyError) as error:
            failure = ToolError("it failed", code=RAISED, at=Location(path, 7))
            failure.__cause__ = error
        told = worker._as_refusal(failure)
        return told.code, str(told.at), told.message

    ended, text = run_locked_in(attempt)
    told, at, message = ast.literal_eval(text)
    assert (ended, told) == (0, code)
    if code == "TM511":
        assert at == "tenants/acme/a.py:1:1"
        assert message.startswith("the function tried to use the file system")
        assert message.endswith(f"in the line `{line}`")
