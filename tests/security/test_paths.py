"""Paths that models ask for: the cases of the security material, a fuzz, and a swap race."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import socket
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.unit.builtin.conftest import Shop
from tm.confine import check_path, descend, openat2
from tm.confine.files import read_bytes, remove_file, write_atomic
from tm.errors import SecurityError, ToolError

CASES = json.loads((ROOT / "tests/data/security/paths.json").read_text("utf-8"))

DIFFERENCES = {
    "P007": "allow: the note of the case says so itself, for a product that makes the folders",
    "P131": "its limit is 1 MiB; here a file may have 20 MB, so the case's file is made larger",
    "P153": "run.sh and x.pth (P155): SPEC names .py, .yaml and .yml; programs are refused too",
}
"""Cases whose expectation is not taken as it stands, each with the reason."""


@pytest.fixture(params=["openat2", "walk"])
def way(request, monkeypatch) -> str:
    """Run a test by the system call and by the walk that replaces it where it is missing."""
    if request.param == "walk":
        monkeypatch.setattr(openat2, "_CALL", None)
    elif openat2._CALL is None:
        pytest.skip("this kernel has no openat2")
    return request.param


@pytest.fixture
def filled(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path)
    for path in ("notes.txt", "notes..txt", "日本語.txt", "Müller.txt", "sub/x.txt"):
        shop.write(f"files/{path}", "plain")
    shop.write("secret.txt", "SECRET")
    shop.write("_backups/x.py", "SECRET")
    shop.write("../globex/files/notes.txt", "SECRET")
    links = {"link_out.txt": "/etc/passwd", "linkdir_out": "/etc", "link_rel.txt": "../secret.txt"}
    links |= {"link_dangling": "/nowhere", "link_dev": "/dev/zero"}
    for name, target in links.items():
        (shop.files / name).symlink_to(target)
    os.link(shop.folder / "secret.txt", shop.files / "hard.txt")
    os.mkfifo(shop.files / "fifo")
    with (shop.files / "big.bin").open("wb") as sparse:
        sparse.truncate(20_000_001)
    return shop


def asked(case: dict[str, Any]) -> Any:
    path = case["path"]
    if isinstance(path, dict) and "repeat" in path:
        return path["repeat"] * path["times"] + path.get("suffix", "")
    return path


def attempt(shop: Shop, case: dict[str, Any]) -> Any:
    path = asked(case)
    if not isinstance(path, str):
        return check_path(path)  # the schema refuses it before; the guard does so itself
    if case["op"] == "read":
        return shop.call("readFile", path=path)
    if case["op"] == "list":
        return shop.call("listFiles", path=path)
    return shop.call("writeFile", path=path, content="new")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
@pytest.mark.usefixtures("way")
def test_the_case_ends_as_it_says(filled: Shop, monkeypatch, case: dict[str, Any]) -> None:
    expect = "allow" if case["id"] == "P007" else case["expect"]
    if case["id"] == "P129":
        monkeypatch.chdir(filled.files)  # a socket's own path is limited to 108 bytes
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("sock")
    if expect == "allow":
        got = json.dumps(attempt(filled, case))
        assert "link" not in got
        assert "SECRET" not in got
        return
    with pytest.raises((ToolError, SecurityError)) as caught:
        attempt(filled, case)
    assert caught.value.code in {"TM518", "TM501"}
    assert "SECRET" not in str(caught.value)
    assert str(filled.root) not in str(caught.value)
    assert (filled.folder / "secret.txt").read_text() == "SECRET"


def test_only_what_is_missing_is_told_as_an_argument_error(filled: Shop) -> None:
    missing = {"P085", "P105"}  # names that are fine, and not there
    for case in CASES:
        path = asked(case)
        if case["expect"] == "allow" or case["id"] in missing or not isinstance(path, str):
            continue
        if case["id"] in {"P007", "P117", "P045", "P119", "P129"}:
            continue  # made; the empty path; see above
        with pytest.raises(ToolError) as caught:
            attempt(filled, case)
        assert caught.value.code == "TM518", case


HARD_PARTS = (
    "..", ".", "", "/", "\\", "\0", "%2e", "~", "link_out.txt", "linkdir_out", "notes.txt", "sub",
    "x.txt", "hard.txt", "fifo", "CON", "a:b", "\uff0e\uff0e", "\u2025", "\xe9", "\ud800",
    "a" * 256, " ", "*",
)  # fmt: skip
HARD = st.sampled_from(HARD_PARTS)
PATHS = st.one_of(
    st.lists(HARD, max_size=6).map("/".join), st.lists(HARD, max_size=4).map("".join), st.text()
)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    shop = Shop(tmp_path_factory.mktemp("fuzz"))
    shop.write("files/notes.txt", "plain")
    shop.write("files/sub/x.txt", "plain")
    shop.write("secret.txt", "SECRET")
    (shop.files / "link_out.txt").symlink_to("../secret.txt")
    (shop.files / "linkdir_out").symlink_to("..")
    os.link(shop.folder / "secret.txt", shop.files / "hard.txt")
    os.mkfifo(shop.files / "fifo")
    return shop


def outcome(shop: Shop, name: str, **args: str) -> str:
    """Return how a call ended; nothing of the secret may be in its result."""
    try:
        got = shop.call(name, **args)
    except ToolError as refusal:
        return refusal.code
    return "done" if "SECRET" not in json.dumps(got) else "the secret came out"


@given(
    path=PATHS,
    name=st.sampled_from(["readFile", "writeFile", "listFiles", "deleteFile"]),
    by_kernel=st.booleans(),
)
@example(path="linkdir_out/secret.txt", name="writeFile", by_kernel=True)
@example(path="sub/../../secret.txt", name="deleteFile", by_kernel=False)
def test_no_path_crashes_or_leaves_the_folder(
    fuzzed: Shop, path: str, name: str, *, by_kernel: bool
) -> None:
    kept = openat2._CALL
    try:
        if not by_kernel:
            openat2._CALL = None
        more = {"content": "new"} if name == "writeFile" else {}
        assert outcome(fuzzed, name, path=path, **more) in {"done", "TM518", "TM501"}
    finally:
        openat2._CALL = kept
    assert (fuzzed.folder / "secret.txt").read_text() == "SECRET"
    assert sorted(entry.name for entry in fuzzed.folder.iterdir()) == ["files", "secret.txt"]


SWAPS = 400


def swapping(folder: Path, link: Path, stop: threading.Event) -> Callable[[], None]:
    """Return what exchanges a folder and a link over and over, each time in one step."""
    exchange = ctypes.CDLL(None).renameat2  # RENAME_EXCHANGE is 2, AT_FDCWD -100
    words = (-100, os.fsencode(folder), -100, os.fsencode(link), 2)

    def run() -> None:
        while not stop.is_set():
            exchange(*words)

    return run


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("operation", ["read", "write", "delete"])
def test_a_swap_race_never_leads_outside(tmp_path: Path, operation: str) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside / "sub", outside):
        folder.mkdir(parents=True)
    (inside / "sub/x.txt").write_text("inside")
    (outside / "x.txt").write_text("SECRET")
    (inside / "link").symlink_to(outside)
    stop = threading.Event()
    other = threading.Thread(target=swapping(inside / "sub", inside / "link", stop))
    other.start()
    outcomes = set()
    try:
        for _ in range(SWAPS):
            outcomes.add(once(inside, operation))
    finally:
        stop.set()
        other.join()
    assert outcomes <= {"inside", "done", "refused"}
    assert (outside / "x.txt").read_text() == "SECRET"
    assert [entry.name for entry in outside.iterdir()] == ["x.txt"]


def once(folder: Path, operation: str) -> str:
    """Try an operation; nothing of the other folder may come out of it."""
    try:
        if operation == "read":
            return read_bytes(folder, "sub/x.txt", limit=100).decode()
        if operation == "write":
            write_atomic(folder, "sub/x.txt", b"inside")
        else:
            write_atomic(folder, "sub/x.txt", b"inside")
            remove_file(folder, "sub/x.txt")
    except SecurityError:
        return "refused"
    return "done"


def reloaded(monkeypatch: pytest.MonkeyPatch, answer: int | None) -> Any:
    """Return what the module finds on a machine whose libc or kernel answers so."""

    class Call:
        restype: Any = None

        def __call__(self, *args: object) -> int:
            return -1

    class Libc:
        syscall = Call()

    def load(*args: object, **kwargs: object) -> Any:
        if answer is None:
            raise OSError("no libc")
        return Libc

    fake = types.ModuleType("ctypes")
    fake.__dict__.update(vars(openat2.ctypes))
    fake.CDLL, fake.get_errno = load, lambda: answer
    monkeypatch.setattr(openat2, "ctypes", fake)
    return openat2._prepared()


@pytest.mark.parametrize("answer", [None, errno.ENOSYS, errno.EPERM])
def test_a_machine_without_the_system_call_is_noticed(monkeypatch, answer) -> None:
    assert reloaded(monkeypatch, answer) is None


def test_other_machines_are_not_asked(monkeypatch) -> None:
    machine = types.SimpleNamespace(machine="alpha")
    monkeypatch.setattr(openat2.os, "uname", lambda: machine)
    assert reloaded(monkeypatch, errno.EINVAL) is None


def test_a_kernel_that_finds_the_probe_invalid_has_it(monkeypatch) -> None:
    assert reloaded(monkeypatch, errno.EINVAL) is not None


def test_without_the_module_the_walk_opens_the_same_file(tmp_path, monkeypatch) -> None:
    monkeypatch.delitem(descend.sys.modules, "tm.confine.openat2")
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c.txt").write_text("plain")
    assert read_bytes(tmp_path, "a/b/c.txt", limit=10) == b"plain"
