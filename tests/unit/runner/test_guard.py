"""The audit hook: what it refuses, for whom, and what it lets through."""

# The acts are the ones that are refused, in every way of writing them.
# ruff: noqa: PTH101, PTH102, PTH104, PTH107, PTH123, PTH207, PTH208, SIM115, PLW0108
import array
import builtins
import collections
import contextlib
import ctypes
import gc
import glob
import importlib
import importlib.machinery
import linecache
import marshal
import os
import pickle
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import types
import typing
import warnings
import zoneinfo
from datetime import datetime
from pathlib import Path

import pytest

from tm.errors import SecurityError
from tm.records import record
from tm.runner import guard
from tm.runner.frames import runs_in, runs_unasked
from tm.runner.guard import ForbiddenError, armed, deny, disarmed, is_armed

FORBIDDEN = {
    "read a file": lambda: open("/etc/hostname"),
    "write a file": lambda: open("tm_probe", "w"),
    "read by pathlib": lambda: Path("/etc/hostname").read_text(),
    "open by descriptor": lambda: os.open("/etc/hostname", os.O_RDONLY),
    "list a folder": lambda: os.listdir("."),
    "walk a folder": lambda: list(os.scandir(".")),
    "find files": lambda: glob.glob("*"),
    "remove": lambda: os.remove("tm_probe"),
    "rename": lambda: os.rename("tm_probe", "tm_probe2"),
    "make a folder": lambda: os.mkdir("tm_probe"),
    "change a mode": lambda: os.chmod("tm_probe", 0o600),
    "copy": lambda: shutil.copyfile("a", "b"),
    "remove a tree": lambda: shutil.rmtree("tm_probe"),
    "temporary file": tempfile.mkstemp,
    "process": lambda: subprocess.Popen(["true"]),
    "shell": lambda: os.system("true"),
    "fork": lambda: os.fork(),
    "kill": lambda: os.kill(os.getpid(), 0),
    "signal": lambda: signal.pthread_kill(threading.get_ident(), 0),
    "socket": socket.socket,
    "name lookup": lambda: socket.getaddrinfo("localhost", 80),
    "database": lambda: sqlite3.connect(":memory:"),
    "native code": lambda: ctypes.CDLL(None),
    "eval": lambda: eval("1"),
    "exec": lambda: exec("1"),
    "compile": lambda: compile("1", "x", "eval"),
    "marshal": lambda: marshal.loads(marshal.dumps(1)),
    "pickle": lambda: pickle.loads(b"cos\nsystem\n."),
    "code": lambda: deny.__code__.replace(co_name="x"),
    "frame": lambda: sys._getframe(),
    "frames": sys._current_frames,
    "function's code": lambda: deny.__code__,
    "class": lambda: setattr(Path, "__name__", "x"),
    "objects": gc.get_objects,
    "trace": lambda: sys.settrace(None),
    "profile": lambda: sys.setprofile(None),
    "another hook": lambda: sys.addaudithook(print),
    "an event of tomorrow": lambda: sys.audit("tomorrow.event"),
}


def refused(act):
    """Run an act armed; return what the guard recorded."""
    block = armed()
    with pytest.raises(ForbiddenError), block:
        act()
    assert block.denial is not None
    return block.denial


@pytest.fixture(autouse=True)
def traced_hook(monkeypatch):
    """Let coverage see inside the hook: Python traces audit hooks only on demand."""
    monkeypatch.setattr(guard._hook, "__cantrace__", True, raising=False)


@pytest.mark.parametrize("act", FORBIDDEN.values(), ids=FORBIDDEN)
def test_forbidden_acts_are_refused(act, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(act).what
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("read a file", "open a file"),
        ("process", "start a process"),
        ("shell", "start a process"),
        ("kill", "use the file system or the process table"),
        ("socket", "open a connection beside ctx['http']"),
        ("eval", "compile code from text"),
        ("an event of tomorrow", "use tomorrow.event"),
    ],
)
def test_refusal_says_what_was_tried(act, words):
    assert refused(FORBIDDEN[act]).what == words


def test_import_of_another_module_is_refused(monkeypatch):
    monkeypatch.delitem(sys.modules, "this", raising=False)
    assert "import a module" in refused(lambda: __import__("this")).what
    assert "this" not in sys.modules


def test_nothing_is_refused_outside(tmp_path):
    with armed():
        pass
    assert not is_armed()
    (tmp_path / "a").write_text("x")
    assert eval("1 + 1") == 2


def test_refusal_is_caught_by_no_except_exception_and_recorded_once():
    block = armed()
    with block:
        for act in (FORBIDDEN["shell"], FORBIDDEN["socket"]):
            with pytest.raises(ForbiddenError), contextlib.suppress(Exception):
                act()
    assert block.denial.what == "start a process"


def test_another_thread_is_not_armed(tmp_path):
    done = []
    thread = threading.Thread(target=lambda: done.append((tmp_path / "a").write_text("x")))
    gate, ready = threading.Event(), threading.Event()

    def hold():
        with armed():
            ready.set()
            gate.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    ready.wait(10)
    thread.start()
    thread.join()
    gate.set()
    holder.join()
    assert done == [1]


def test_disarmed_work_inside_is_free_and_arms_again_after_it(tmp_path):
    with armed():
        with disarmed():
            assert not is_armed()
            (tmp_path / "a").write_text("x")
        assert is_armed()


def test_disarmed_arms_again_after_an_error():
    with armed():
        with pytest.raises(ValueError), disarmed():
            raise ValueError
        assert is_armed()


def test_disarmed_outside_stays_disarmed():
    with disarmed():
        assert not is_armed()
    assert not is_armed()


def test_nested_tool_has_its_own_record():
    outer, inner = armed(), armed()
    with outer:
        with disarmed():
            with pytest.raises(ForbiddenError), inner:
                FORBIDDEN["shell"]()
            assert not is_armed()
        assert is_armed()
    assert inner.denial is not None
    assert outer.denial is None


def stopped(code):
    return SecurityError("stopped", code=code)


def test_stopped_nested_tool_counts_for_its_caller():
    block = armed()
    with block, pytest.raises(SecurityError), disarmed():
        raise stopped("TM511")
    assert "call a tool that was stopped" in block.denial.what


def test_first_refusal_is_kept_when_a_nested_tool_is_stopped():
    block = armed()
    with block:
        with pytest.raises(ForbiddenError):
            deny("act")
        with pytest.raises(SecurityError), disarmed():
            raise stopped("TM511")
    assert block.denial.what == "act"


def test_other_security_errors_of_tools_may_be_caught():
    block = armed()
    with block, pytest.raises(SecurityError), disarmed():
        raise stopped("TM518")
    assert block.denial is None


def test_stopped_tool_outside_a_function_is_not_recorded():
    with pytest.raises(SecurityError), disarmed():
        raise stopped("TM511")
    with armed() as block:
        pass
    assert block.denial is None


def test_refusal_outside_is_raised_and_not_recorded():
    with pytest.raises(ForbiddenError):
        deny("act")
    block = armed()
    with block:
        pass
    assert block.denial is None


def test_hook_is_added_once_however_many_threads_begin(monkeypatch):
    added = []
    monkeypatch.setattr(guard, "_installed", [])
    monkeypatch.setattr(guard.sys, "addaudithook", added.append)

    class Slow:
        """A lock during whose wait another thread installs the hook."""

        def __enter__(self):
            guard._installed.append("audit")

        def __exit__(self, *_):
            pass

    lock = guard._install_lock
    monkeypatch.setattr(guard, "_install_lock", Slow())
    guard._install()
    monkeypatch.setattr(guard, "_install_lock", lock)
    guard._install()
    assert added == []
    guard._installed.clear()
    guard._install()
    assert added == [guard._hook]


# -- what legal code causes


def test_harmless_events_pass():
    with armed() as block:
        id(block)
        time.sleep(0)
        array.array("i", [1])
    assert block.denial is None


def test_methods_that_the_library_writes_as_text_pass():
    with armed():
        point = collections.namedtuple("point", "x y")  # noqa: PYI024  the one that is tested
        assert point(1, 2).y == 2
        assert typing.Optional["point"] is not None


def test_lazy_import_of_the_library_is_done_unarmed(monkeypatch):
    monkeypatch.delitem(sys.modules, "encodings.cp037", raising=False)
    with armed() as block:
        import encodings.cp037
    assert block.denial is None
    assert encodings.cp037.getregentry().name == "cp037"


def test_dates_are_parsed():
    with armed():
        assert datetime.strptime("2026-03-01 +0000", "%Y-%m-%d %z").day == 1


def test_lazy_import_that_is_not_there_fails_as_usual(monkeypatch):
    monkeypatch.delitem(sys.modules, "tzdata.nowhere", raising=False)
    with armed() as block, pytest.raises(ModuleNotFoundError):
        importlib.import_module("encodings.nowhere")
    assert block.denial is None


def test_unknown_encoding_fails_as_usual():
    with armed() as block, pytest.raises(LookupError):
        "a".encode("nowhere")
    assert block.denial is None


def test_lazy_import_is_not_for_code_with_other_builtins():
    text = compile("audit('import', 'encodings.cp037', None, None, None, None)", "a", "exec")
    refused(types.FunctionType(text, {"__builtins__": {}, "audit": sys.audit}))


def test_time_zones_are_read():
    with armed():
        zone = zoneinfo.ZoneInfo.no_cache("Europe/Lisbon")
    assert zone.key == "Europe/Lisbon"


def audit_open(path, mode="rb"):
    return lambda: sys.audit("open", path, mode, 0)


def test_zone_folders_are_no_way_out_and_not_for_writing():
    folder = zoneinfo.TZPATH[0]
    for act in (
        audit_open(f"{folder}/../../../etc/hostname"),
        audit_open(f"{folder}/Europe/Lisbon", "w"),
        audit_open(folder),
        audit_open(folder + "2/x"),
        audit_open(folder.encode()),
        audit_open(5),
    ):
        refused(act)


def test_zones_of_the_tzdata_package_are_read(monkeypatch, tmp_path):
    package = types.ModuleType("tzdata")
    package.__file__ = str(tmp_path / "tzdata/__init__.py")
    monkeypatch.setitem(sys.modules, "tzdata", package)
    with armed():
        audit_open(f"{tmp_path}/tzdata/zoneinfo/Asia/Tokyo")()
    package.__file__ = None
    refused(audit_open(f"{tmp_path}/tzdata/zoneinfo/Asia/Tokyo"))


def test_without_zoneinfo_no_file_is_read(monkeypatch):
    folder = zoneinfo.TZPATH[0]
    monkeypatch.delitem(sys.modules, "zoneinfo")
    refused(audit_open(f"{folder}/Europe/Lisbon"))


def test_source_line_of_a_warning_is_read(tmp_path):
    file = tmp_path / "a.py"
    file.write_text("one\n")
    with armed():
        shown = warnings.formatwarning("odd", FutureWarning, str(file), 1)
    assert "one" in shown


def test_library_that_reads_source_lines_is_not_for_others(tmp_path):
    file = tmp_path / "b.py"
    file.write_text("one\n")
    refused(lambda: linecache.getline(str(file), 1))


def test_module_that_claims_a_library_s_name_is_not_trusted():
    code = compile("audit('exec', None)", "a", "exec")
    forged = {"__name__": "dataclasses", "audit": sys.audit}
    refused(types.FunctionType(code, forged))
    refused(types.FunctionType(code, {"__name__": 5, "audit": sys.audit}))


def test_no_frame_is_no_module():
    assert not runs_in(None, frozenset({"warnings"}))
    assert not runs_unasked(None)


def test_the_first_record_of_a_class_may_be_made_under_the_guard():
    @record
    class Place:
        line: int

    with armed() as watch:
        made = Place(7)
    assert made.line == 7
    assert watch.denial is None


def _tenant_function(body):
    """Return a function whose frames are a tenant's: its builtins are not the interpreter's."""
    space = {"__builtins__": dict(vars(builtins))}
    exec(body, space)
    return space


def test_tenant_code_is_stopped_where_nothing_armed_the_thread():
    with armed(), disarmed():
        pass  # the hook is in
    space = _tenant_function("def f():\n    open('/etc/hostname')\n")
    with pytest.raises(ForbiddenError, match="open a file"):
        space["f"]()


def test_tenant_code_that_runs_while_tm_works_is_stopped_and_recorded():
    space = _tenant_function("class T(str):\n    def upper(self):\n        open('/etc/hostname')\n")
    with armed() as held, disarmed(), contextlib.suppress(ForbiddenError):
        space["T"]("x").upper()
    assert held.denial is not None


def test_generator_that_is_freed_after_the_call_is_stopped():
    with armed(), disarmed():
        pass
    space = _tenant_function(
        "def g(log):\n    try:\n        yield\n    finally:\n        log.append(1)\n"
        "        open('/etc/hostname')\n        log.append(2)\n"
    )
    log = []
    started = space["g"](log)
    next(started)
    with pytest.raises(ForbiddenError):
        started.close()
    assert log == [1]


def test_code_of_tm_below_a_tenants_function_works_unhindered():
    with armed(), disarmed():
        pass
    space = _tenant_function("def f(work):\n    return work()\n")
    own = types.FunctionType(
        (lambda: open("/etc/hostname").close()).__code__, vars(guard), "work"
    )  # fmt: skip
    assert space["f"](own) is None


class Owner:
    """An object of the embedding program: it removes its file when it is freed."""

    def __init__(self, path):
        self.path = path
        self.cycle = self  # so that only the collector frees it

    def __del__(self):
        os.remove(self.path)


def test_finalizers_that_the_collector_runs_meanwhile_are_no_tenants_doing(tmp_path):
    path = tmp_path / "owned"
    path.touch()
    Owner(path)
    space = _tenant_function("def f(collect):\n    collect()\n")
    with armed() as held:
        space["f"](gc.collect)
    assert held.denial is None
    assert not path.exists()


def test_tenant_code_that_the_collector_runs_is_stopped(tmp_path):
    path = tmp_path / "kept"
    path.touch()
    space = _tenant_function(
        "class Bad:\n    def __init__(self, path, remove):\n"
        "        self.path, self.remove, self.cycle = path, remove, self\n"
        "    def __del__(self):\n        try:\n            self.remove(self.path)\n"
        "        except BaseException:\n            pass\n"
        "def f(path, remove, collect):\n    Bad(path, remove)\n    collect()\n"
    )
    with armed() as held:
        space["f"](path, os.remove, gc.collect)
    assert held.denial is not None
    assert path.exists()


def test_function_is_held_again_after_a_collection():
    with armed() as held, contextlib.suppress(ForbiddenError):
        gc.collect()
        open("/etc/hostname")
    assert held.denial is not None


def test_import_system_may_look_at_a_folder_again(tmp_path):
    # A legal import that finds no module looks twice; in between the folder may have changed.
    finder = importlib.machinery.FileFinder(str(tmp_path))
    with armed() as held:
        assert finder.find_spec("absent") is None
    assert held.denial is None


def test_folder_is_listed_for_nobody_else(tmp_path):
    refused(lambda: os.listdir(tmp_path))
    space = _tenant_function("def f(listdir, path):\n    return listdir(path)\n")
    with armed() as held, contextlib.suppress(ForbiddenError):
        space["f"](os.listdir, tmp_path)
    assert held.denial is not None


def test_an_uncaught_error_of_the_embedding_program_is_told_without_the_guard():
    program = (
        "from tm.runner.guard import armed\nwith armed():\n    pass\nraise SystemError('its own')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert "audit hook" not in done.stderr
    assert done.stderr.rstrip().endswith("SystemError: its own")
