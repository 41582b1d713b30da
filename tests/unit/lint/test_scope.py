from __future__ import annotations

from pathlib import Path

import pytest

from tm.errors import UsageError
from tm.lint.scope import Scope, read_paths

FILES = {
    "tenants/a/x.yaml": "tools: {}\n",
    "tenants/a/sub/y.yaml": "tools: {}\n",
    "tenants/ab/z.yaml": "tools: {}\n",
    "README.md": "",
    "pyproject.toml": "",
}


@pytest.mark.parametrize(
    ("cwd", "text", "paths"),
    [
        (".", "tenants/a", ("tenants/a",)),
        (".", "tenants/a/", ("tenants/a",)),
        (".", "./tenants//a/sub/../x.yaml", ("tenants/a/x.yaml",)),
        ("tenants/a", "sub", ("tenants/a/sub",)),
        ("tenants/a", "../ab/z.yaml", ("tenants/ab/z.yaml",)),
        ("tenants/a", "tenants/ab", ("tenants/ab",)),
        (".", "pyproject.toml", ("pyproject.toml",)),
        (".", ".", None),
        (".", "tenants", ("tenants",)),
    ],
)
def test_paths_are_seen_from_the_current_folder(
    workspace, cwd: str, text: str, paths: tuple[str, ...] | None
) -> None:
    root = workspace(FILES)
    assert read_paths(root, root / cwd, [text]).paths == paths
    assert read_paths(root, Path("/"), [str(root / cwd / text)] if cwd == "." else []).paths in (
        paths,
        None,
    )


def test_a_folder_holds_its_files_and_no_others(workspace) -> None:
    root = workspace(FILES)
    scope = read_paths(root, root, ["tenants/a", "tenants/a/x.yaml"])
    assert scope.holds("tenants/a/sub/y.yaml")
    assert not scope.holds("tenants/ab/z.yaml")
    assert scope.homes() == {"a"}
    assert Scope().holds("anything")
    assert Scope(("tenants",)).homes() is None
    assert Scope(("pyproject.toml",)).homes() == set()


def test_changes_limit_a_scope_further() -> None:
    scope = Scope(("tenants/a",)).only({"tenants/a/x.yaml", "tenants/b/x.yaml"})
    held = [
        p for p in ("tenants/a/x.yaml", "tenants/a/y.yaml", "tenants/b/x.yaml") if scope.holds(p)
    ]
    assert held == ["tenants/a/x.yaml"]
    assert Scope().only(None) == Scope()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("tenants/a/x.yml", "did you mean 'x.yaml'"),
        ("gone/x.yaml", "no file or folder"),
        ("", "no file or folder"),
        ("x\0y", "no file or folder"),
        ("new\nline", "no file or folder"),
        ("README.md", "not below tenants/"),
        ("..", "not below tenants/"),
        ("/", "not below tenants/"),
    ],
)
def test_what_is_not_there_or_elsewhere_is_refused(workspace, text: str, word: str) -> None:
    root = workspace(FILES)
    with pytest.raises(UsageError) as error:
        read_paths(root, root, [text])
    assert word in error.value.message
    assert "\n" not in error.value.message


def test_a_workspace_behind_a_link_is_the_same(workspace, tmp_path: Path) -> None:
    root = workspace(FILES)
    (tmp_path / "link").symlink_to(root)
    found = read_paths(tmp_path / "link", root / "tenants/a", ["x.yaml"])
    assert found.paths == ("tenants/a/x.yaml",)


def test_a_link_is_meant_itself(workspace, tmp_path: Path) -> None:
    root = workspace(FILES)
    (root / "tenants/a/out.yaml").symlink_to(tmp_path / "gone")
    assert read_paths(root, root, ["tenants/a/out.yaml"]).paths == ("tenants/a/out.yaml",)
