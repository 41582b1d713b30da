import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tm.errors import SecurityError, UsageError
from tm.exchange.create import create_files


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    written = create_files(tmp_path, "shop", {"tools/a.yaml": "a", ".gitignore": "b"})
    assert written == ["tenants/shop/tools/a.yaml", "tenants/shop/.gitignore"]
    assert [(tmp_path / path).read_text() for path in written] == ["a", "b"]


def test_nothing_is_written_where_one_file_exists(tmp_path: Path) -> None:
    create_files(tmp_path, "shop", {"b.yaml": "old"})
    with pytest.raises(UsageError, match=r"b\.yaml exists already"):
        create_files(tmp_path, "shop", {"a.yaml": "new", "b.yaml": "new"})
    assert not (tmp_path / "tenants/shop/a.yaml").exists()
    assert (tmp_path / "tenants/shop/b.yaml").read_text() == "old"


def test_a_dangling_link_counts_as_existing(tmp_path: Path) -> None:
    (tmp_path / "tenants/shop").mkdir(parents=True)
    (tmp_path / "tenants/shop/a.yaml").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError):
        create_files(tmp_path, "shop", {"a.yaml": "new"})
    assert not (tmp_path / "elsewhere").exists()


def test_what_was_written_goes_again_where_a_later_file_fails(tmp_path: Path) -> None:
    (tmp_path / "tenants/shop").mkdir(parents=True)
    (tmp_path / "tenants/shop/tools").write_text("a file, where a folder is needed")
    with pytest.raises(SecurityError):
        create_files(tmp_path, "shop", {"a.yaml": "new", "tools/b.yaml": "new"})
    assert not (tmp_path / "tenants/shop/a.yaml").exists()


@pytest.mark.parametrize("path", ["../a.yaml", "/a.yaml", "a/../../b.yaml", ".hidden"])
def test_a_path_out_of_the_tenant_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(SecurityError):
        create_files(tmp_path, "shop", {path: "x"})
    assert not (tmp_path / "tenants").exists()


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_can_not_be_written_is_told_with_the_files_own_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, there: bool
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    if there:
        (tmp_path / "tenants" / "acme").mkdir(parents=True)
    monkeypatch.setattr(os, "mkdir", refuse)
    monkeypatch.setattr(os, "open", _opening_no_new_file(os.open, refuse))
    with pytest.raises(UsageError) as caught:
        create_files(tmp_path, "acme", {"foo.yaml": "tools: {}"})
    shown = "tenants/acme/foo.yaml" if there else "tenants/acme"
    assert caught.value.message == f"{shown} can't be written: permission denied"
    assert caught.value.code == "TM500"


def _opening_no_new_file(opened: Callable[..., int], refuse: Callable[..., int]) -> Any:
    def call(path: object, flags: int, *rest: Any, **named: Any) -> int:
        return refuse() if flags & os.O_CREAT else opened(path, flags, *rest, **named)

    return call
