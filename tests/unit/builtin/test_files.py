"""readFile, writeFile, deleteFile."""

from __future__ import annotations

import base64
import os

import pytest

from tm.builtin import files
from tm.errors import ToolError


def refused(shop, code, name, **args) -> ToolError:
    with pytest.raises(ToolError) as caught:
        shop.call(name, **args)
    assert caught.value.code == code, caught.value.message
    return caught.value


def test_a_written_text_is_read_again_to_the_letter(shop):
    text = "Nr;Kunde\r\n1;Müller “Süd”\n\tΩ \x00 end"
    size = len(text.encode())
    assert shop.call("writeFile", path="a/b/c.csv", content=text) == {
        "path": "a/b/c.csv",
        "size": size,
    }
    assert shop.call("readFile", path="a/b/c.csv") == {
        "path": "a/b/c.csv",
        "content": text,
        "size": size,
    }


def test_bytes_travel_as_base64(shop):
    data = bytes(range(256))
    content = base64.encodebytes(data).decode()  # with its line breaks
    shop.call("writeFile", path="x.bin", content=content, encoding="base64")
    got = shop.call("readFile", path="x.bin", encoding="base64")
    assert base64.b64decode(got["content"]) == data
    assert got["size"] == 256


def test_what_is_no_text_says_how_to_read_it(shop):
    shop.write("files/x.bin", b"ab\xff")
    error = refused(shop, "TM501", "readFile", path="x.bin")
    assert "byte 2 is 0xff" in error.message
    assert "base64" in (error.hint or "")


@pytest.mark.parametrize("content", ["a", "%%%%", "YWI=Y", "ü"])
def test_broken_base64_is_an_argument_error_and_nothing_is_written(shop, content):
    refused(shop, "TM501", "writeFile", path="x.bin", content=content, encoding="base64")
    assert not shop.files.exists()


def test_half_a_character_is_an_argument_error(shop):
    refused(shop, "TM501", "writeFile", path="x.txt", content="a\ud800")


def test_writing_replaces_and_appending_adds(shop):
    shop.call("writeFile", path="n.txt", content="one\n")
    shop.call("writeFile", path="n.txt", content="two\n")
    assert shop.call("writeFile", path="n.txt", content="three\n", append=True)["size"] == 10
    assert (shop.files / "n.txt").read_text() == "two\nthree\n"


def test_appending_makes_a_missing_file(shop):
    shop.call("writeFile", path="log/n.txt", content="x", append=True)
    assert (shop.files / "log/n.txt").read_text() == "x"


def test_a_leading_dot_slash_is_dropped(shop):
    shop.write("files/n.txt", "x")
    assert shop.call("readFile", path="./n.txt")["path"] == "n.txt"


def test_a_missing_file_names_the_nearest(shop):
    shop.write("files/reports/2026-03.csv", "x")
    error = refused(shop, "TM501", "readFile", path="reports/2026-3.csv")
    assert "did you mean 'reports/2026-03.csv'" in error.message
    assert error.details[0].path == "path"
    refused(shop, "TM501", "deleteFile", path="reports/other.csv")
    refused(shop, "TM501", "deleteFile", path="nowhere/other.csv")


def test_a_missing_folder_of_files_is_no_crash(shop):
    assert "no 'a.txt'" in refused(shop, "TM501", "readFile", path="a.txt").message


def test_deleting_takes_the_file_and_leaves_its_folder(shop):
    shop.write("files/a/b.txt", "x")
    assert shop.call("deleteFile", path="a/b.txt") == {"path": "a/b.txt", "deleted": True}
    assert list(shop.files.rglob("*")) == [shop.files / "a"]


def test_folders_are_neither_read_nor_written_nor_deleted(shop):
    shop.write("files/a/b.txt", "x")
    for name, more in (("readFile", {}), ("writeFile", {"content": "x"}), ("deleteFile", {})):
        assert "folder" in refused(shop, "TM518", name, path="a", **more).message
        refused(shop, "TM518", name, path=".", **more)
    assert "file, no folder" in refused(shop, "TM518", "readFile", path="a/b.txt/c").message


@pytest.mark.parametrize("name", ["x.py", "x.YAML", "x.yml", "run.sh", "x.pth", "a.txt.Py", "x.so"])
def test_config_code_and_programs_are_not_written(shop, name):
    assert "files/ holds data" in refused(shop, "TM518", "writeFile", path=name, content="").message


def test_hard_links_are_refused(shop, tmp_path):
    outside = tmp_path / "secret.txt"
    outside.write_text("secret")
    shop.files.mkdir()
    os.link(outside, shop.files / "hard.txt")
    for name, more in (("readFile", {}), ("writeFile", {"content": "x"}), ("deleteFile", {})):
        refused(shop, "TM518", name, path="hard.txt", **more)
    refused(shop, "TM518", "writeFile", path="hard.txt", content="x", append=True)
    assert outside.read_text() == "secret"


def test_a_linked_files_folder_is_not_followed(shop, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.txt").write_text("secret")
    shop.files.symlink_to(tmp_path / "out")
    for name, more in (("readFile", {}), ("writeFile", {"content": "x"}), ("deleteFile", {})):
        refused(shop, "TM518", name, path="a.txt", **more)
    refused(shop, "TM518", "listFiles")
    assert (tmp_path / "out/a.txt").read_text() == "secret"


def test_a_pipe_is_no_file_and_nobody_waits_for_it(shop):
    shop.files.mkdir()
    os.mkfifo(shop.files / "pipe")
    refused(shop, "TM518", "readFile", path="pipe")
    refused(shop, "TM518", "writeFile", path="pipe", content="x")


def test_too_large_files_are_refused_on_both_ways(shop, monkeypatch):
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 10)
    refused(shop, "TM501", "writeFile", path="x.txt", content="a" * 11)
    shop.call("writeFile", path="x.txt", content="a" * 6)
    refused(shop, "TM501", "writeFile", path="x.txt", content="a" * 6, append=True)
    shop.write("files/y.txt", "a" * 11)
    assert "larger" in refused(shop, "TM518", "readFile", path="y.txt").message
    assert (shop.files / "x.txt").read_text() == "a" * 6


def test_the_quota_counts_all_files_and_what_is_replaced(shop):
    shop.settings["files_quota_mb"] = 0.00002  # 20 bytes
    shop.call("writeFile", path="a.txt", content="a" * 15)
    error = refused(shop, "TM501", "writeFile", path="b/b.txt", content="b" * 6)
    assert "quota" in error.message
    assert "files_quota_mb" in (error.hint or "")
    shop.call("writeFile", path="a.txt", content="c" * 20)
    shop.call("writeFile", path="a.txt", content="c")
    shop.call("writeFile", path="b/b.txt", content="b" * 19)
    shop.write("files/.hidden", "h")
    refused(shop, "TM501", "writeFile", path="a.txt", content="d", append=True)


@pytest.mark.parametrize("odd", ["many", True, None])
def test_an_odd_quota_does_not_lift_the_limit(shop, odd):
    shop.settings["files_quota_mb"] = odd
    assert files._quota_mb(shop.settings) == 500


def test_a_dry_run_checks_everything_and_writes_nothing(shop, tree):
    shop.write("files/keep.txt", "keep")
    before = tree(shop.folder)
    wrote = shop.call("writeFile", dry_run=True, path="new/a.txt", content="abc")
    assert wrote == {"path": "new/a.txt", "size": 3, "dry_run": True}
    added = shop.call("writeFile", dry_run=True, path="keep.txt", content="abc", append=True)
    assert added["size"] == 7
    deleted = shop.call("deleteFile", dry_run=True, path="keep.txt")
    assert deleted == {"path": "keep.txt", "deleted": False, "dry_run": True}
    refused(shop, "TM518", "writeFile", dry_run=True, path="../a.txt", content="x")
    refused(shop, "TM518", "writeFile", dry_run=True, path="a.py", content="x")
    refused(shop, "TM501", "writeFile", dry_run=True, path="a", content="?", encoding="base64")
    refused(shop, "TM501", "deleteFile", dry_run=True, path="other.txt")
    assert tree(shop.folder) == before
    assert not (shop.files / "new").exists()


def test_every_call_writes_a_line_at_its_start_and_its_end(shop):
    shop.call("writeFile", path="a.txt", content="x")
    shop.call("readFile", path="a.txt")
    shop.call("listFiles")
    shop.call("deleteFile", path="a.txt")
    assert shop.levels() == ["info", "success"] * 4


def test_a_full_disk_is_the_machines_fault_and_not_the_paths(shop, monkeypatch):
    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    error = refused(shop, "TM509", "writeFile", path="a.txt", content="x")
    assert "no space left" in error.message
    assert list(shop.files.iterdir()) == []


def test_a_disk_that_fails_while_listing_is_told_in_words(shop, monkeypatch):
    shop.files.mkdir()

    def broken(fd):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "scandir", broken)
    assert "input/output error" in refused(shop, "TM509", "listFiles").message
