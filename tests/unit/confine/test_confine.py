"""No path leaves its folder, whatever it holds."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path

import pytest

from tm.confine import (
    check_path,
    create_file,
    make_folders,
    open_folder,
    read_bytes,
    write_atomic,
)
from tm.errors import SecurityError

LIMIT = 1_048_576


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "acme" / "files"
    (folder / "sub").mkdir(parents=True)
    (folder / "notes.txt").write_text("notes")
    (folder / "sub" / "x.txt").write_text("x")
    (folder / "日本語.txt").write_text("jp")
    (tmp_path / "acme" / "secret.txt").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "passwd").write_text("outside")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def read(folder, path):
    return read_bytes(folder, path, limit=LIMIT)


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("notes.txt", b"notes"),
        ("./notes.txt", b"notes"),
        ("sub/x.txt", b"x"),
        ("日本語.txt", b"jp"),
    ],
)
def test_reads_plain_paths(files, path, data):
    assert read(files, path) == data


@pytest.mark.parametrize(
    "name", ["notes..txt", "a b.txt", "report.py.txt", "Müller.txt", "x-1_2.csv"]
)
def test_plain_names_pass(name):
    assert check_path(name) == (name,)


def test_dot_is_the_folder_itself(files):
    assert check_path(".") == ()
    with pytest.raises(SecurityError):
        read(files, ".")


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "/etc/passwd", "//etc/passwd", "..", "../secret.txt", "sub/../notes.txt",
        "./../secret.txt", "sub//x.txt", "notes.txt/", "notes.txt/../notes.txt", "....//secret.txt",
        "..././secret.txt", "../files/notes.txt", "../../globex/files/notes.txt", "./", "././x",
        "..%2fsecret.txt", "%252e%252e%252fsecret.txt", "%u002e%u002e/secret.txt", "100%.txt",
        "sub\\..\\..\\secret.txt", "C:\\Windows\\win.ini", "file:///etc/passwd", "a:b",
        "php://filter/resource=notes.txt", "notes.txt::$DATA", "notes.txt\0.png", "notes\n.txt",
        "notes\t.txt", "notes\x7f.txt", "notes\u2028.txt", "notes\u0085.txt",
        "\uff0e\uff0e/secret.txt", "\u2025/secret.txt", "a\uff0fb", "a\u2044b\uff1ac",
        "Mu\u0308ller.txt", "notes\u202etxt.exe", "notes\u00ad.txt", "notes\u200b.txt", "\ufeffx",
        "a\ud800", "\ue000", "CON", "sub/NUL", "COM1", "com1.txt", "COM\u00b9.txt", "lpt9",
        "aux.csv",
        "CONIN$", "notes.txt ", "notes.txt.", "sub./x.txt", ".env", "sub/.htaccess", "~root/x",
        "~", "note?.txt", "*.txt", "<x>.txt", "a|b", 'a"b', "ü" * 128, "a" * 256, "a/" * 20 + "x",
        5, None, True, {"path": "notes.txt"}, b"notes.txt", ["notes.txt"],
    ],
)  # fmt: skip
def test_refuses_the_text_of_a_path(path):
    with pytest.raises(SecurityError) as caught:
        check_path(path)
    assert caught.value.code == "TM518"


@pytest.mark.parametrize(
    "path", ["ﬁle.txt", "{a,b}.txt", "sub", "missing.txt", "missing/x", "notes.txt/x"]
)
def test_refuses_what_is_no_file_there(files, path):
    with pytest.raises(SecurityError):
        read(files, path)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("link_out.txt", "{tmp}/outside/passwd"),
        ("link_rel.txt", "../secret.txt"),
        ("link_in.txt", "notes.txt"),
        ("link_dangling", "/nowhere"),
        ("link_dev", "/dev/zero"),
        ("link_self", "link_self"),
    ],
)
def test_links_are_not_followed(files, tmp_path, name, target):
    (files / name).symlink_to(target.format(tmp=tmp_path))
    with pytest.raises(SecurityError, match="link"):
        read(files, name)
    with pytest.raises(SecurityError):
        write_atomic(files, name, b"new")
    assert (tmp_path / "outside" / "passwd").read_text() == "outside"
    assert (files / name).is_symlink()


def test_linked_folders_are_not_followed(files, tmp_path):
    (files / "dir").symlink_to(tmp_path / "outside")
    with pytest.raises(SecurityError, match="link"):
        read(files, "dir/passwd")
    with pytest.raises(SecurityError):
        write_atomic(files, "dir/new.txt", b"new")
    assert names(tmp_path / "outside") == ["passwd"]


def test_hard_links_are_refused(files, tmp_path):
    os.link(tmp_path / "outside" / "passwd", files / "hard.txt")
    with pytest.raises(SecurityError):
        read(files, "hard.txt")
    with pytest.raises(SecurityError):
        write_atomic(files, "hard.txt", b"new")


def test_fifo_never_blocks(files):
    os.mkfifo(files / "pipe")
    with pytest.raises(SecurityError, match="regular"):
        read(files, "pipe")
    with pytest.raises(SecurityError, match="regular"):
        write_atomic(files, "pipe", b"x")


def test_socket_is_refused(files, monkeypatch):
    monkeypatch.chdir(files)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        with pytest.raises(SecurityError):
            read(files, "sock")


def test_size_limit_holds(files):
    (files / "fits.bin").write_bytes(b"x" * LIMIT)
    with (files / "big.bin").open("wb") as stream:
        stream.truncate(LIMIT + 1)
    assert len(read(files, "fits.bin")) == LIMIT
    with pytest.raises(SecurityError, match="larger"):
        read(files, "big.bin")


def test_missing_folder_is_an_error(tmp_path):
    with pytest.raises(SecurityError, match=r"there is no folder .nowhere."):
        read(tmp_path / "nowhere", "x")


def test_messages_hold_no_absolute_path(files, tmp_path):
    for path in ("../x", "missing.txt", "sub"):
        with pytest.raises(SecurityError) as caught:
            read(files, path)
        assert str(tmp_path) not in str(caught.value)


def test_code_is_the_callers(files):
    with pytest.raises(SecurityError) as caught:
        read_bytes(files, "../x", limit=1, code="TM312")
    assert caught.value.code == "TM312"


def test_writes_a_new_file_and_its_folders(files):
    write_atomic(files, "new/deep/report.csv", b"a;b")
    assert (files / "new" / "deep" / "report.csv").read_bytes() == b"a;b"


def test_replaces_a_file_whole_and_leaves_nothing_behind(files):
    write_atomic(files, "notes.txt", b"new", mode=0o600)
    assert (files / "notes.txt").read_bytes() == b"new"
    assert stat.S_IMODE((files / "notes.txt").stat().st_mode) == 0o600
    assert names(files) == ["notes.txt", "sub", "日本語.txt"]


def test_failing_write_leaves_the_old_file(files, monkeypatch):
    def fail(*_args, **_kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SecurityError, match="no space"):
        write_atomic(files, "notes.txt", b"new")
    assert (files / "notes.txt").read_bytes() == b"notes"
    assert names(files) == ["notes.txt", "sub", "日本語.txt"]


@pytest.mark.parametrize("path", ["sub", "notes.txt/x", "."])
def test_refuses_to_write_over_what_is_no_file(files, path):
    with pytest.raises(SecurityError):
        write_atomic(files, path, b"x")


def test_folder_that_cannot_be_made(files):
    with pytest.raises(SecurityError):
        make_folders(files, ("notes.txt", "x"))
    with pytest.raises(SecurityError, match="can't be made"):
        make_folders(files, ("a" * 300,))


def test_open_folder_yields_a_descriptor_that_is_closed_again(files):
    with open_folder(files, ("sub",)) as handle:
        assert names(Path(f"/proc/self/fd/{handle}")) == ["x.txt"]
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(handle)


def test_no_descriptor_is_left_open(files):
    before = len(names(Path("/proc/self/fd")))
    for path in ("notes.txt", "sub", "missing", "sub/missing", "sub/x.txt/y"):
        with contextlib.suppress(SecurityError):
            read(files, path)
    assert len(names(Path("/proc/self/fd"))) == before


def test_a_new_file_is_created_whole_and_never_over_another(tmp_path):
    create_file(tmp_path, "a/b.txt", b"first")
    with pytest.raises(FileExistsError):
        create_file(tmp_path, "a/b.txt", b"second")
    assert (tmp_path / "a/b.txt").read_bytes() == b"first"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]


@pytest.mark.parametrize("path", [".", "../x", "/x", "a/../x"])
def test_a_new_file_stays_in_its_folder(tmp_path, path):
    with pytest.raises(SecurityError):
        create_file(tmp_path, path, b"x")
