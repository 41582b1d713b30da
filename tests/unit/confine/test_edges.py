"""What happens where the disk, or somebody else at the same time, does not play along."""

from __future__ import annotations

import os

import pytest

from tm.confine import MissingPathError, open_folder
from tm.confine.files import append_bytes, file_size, open_beneath, remove_file
from tm.confine.tree import walk_files
from tm.errors import SecurityError

LONG = ("a" * 300,)


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path):
    (tmp_path / "x").write_text("x")
    with pytest.raises(SecurityError, match="'x' can't be opened"), open_folder(tmp_path / "x", ()):
        pass


def test_a_name_that_the_disk_refuses_is_told_in_its_words(tmp_path):
    for use in (open_beneath, file_size, remove_file):
        with pytest.raises(SecurityError, match="too long"):
            use(tmp_path, LONG)


def test_what_was_added_meanwhile_counts_for_the_limit(tmp_path):
    (tmp_path / "x").write_bytes(b"123456")
    with pytest.raises(SecurityError, match="larger than 8 bytes"):
        append_bytes(tmp_path, "x", b"789", limit=8)
    assert (tmp_path / "x").read_bytes() == b"123456"
    assert append_bytes(tmp_path, "x", b"78", limit=8) == 8


def test_removing_what_is_not_there_is_no_crime(tmp_path):
    with pytest.raises(MissingPathError):
        remove_file(tmp_path, "x")
    with pytest.raises(MissingPathError):
        remove_file(tmp_path, "a/x")


def test_a_file_that_can_not_be_removed_is_told(tmp_path, monkeypatch):
    (tmp_path / "x").write_text("x")

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(SecurityError, match="can't be deleted: permission denied"):
        remove_file(tmp_path, "x")


def test_a_folder_that_became_a_link_while_walking_is_passed_over(tmp_path):
    for path in ("in/a.txt", "in/sub/b.txt", "out/secret.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    walk = walk_files(tmp_path / "in", ())
    assert next(walk).path == "a.txt"
    (tmp_path / "in/sub").rename(tmp_path / "moved")
    (tmp_path / "in/sub").symlink_to(tmp_path / "out")
    assert list(walk) == []


def test_a_file_that_goes_while_walking_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "x").write_text("x")
    scan = os.scandir

    class Gone:
        name = "gone"

        def stat(self, *, follow_symlinks):
            raise FileNotFoundError

    class Entries(list):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(os, "scandir", lambda fd: Entries([*scan(fd), Gone()]))
    assert [found.path for found in walk_files(tmp_path, ())] == ["x"]
