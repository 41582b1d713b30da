from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import write_tree
from tm.config.git import Git
from tm.errors import UsageError
from tm.lint.changes import changed_files
from tm.lint.collect import collect

FILES = {
    "tenants/_shared/base.yaml": """
        tools:
          ship: {description: Ships., handler: "ship.py:ship"}
          fast: {extends: ship, description: Ships fast.}
          other: {description: Other., handler: "other.py:other"}
        """,
    "tenants/_shared/ship.py": """
        from .lib.rates import rate
        def ship(results, args, ctx): return {}
        """,
    "tenants/_shared/lib/rates.py": "from . import tables\ndef rate(): return 1\n",
    "tenants/_shared/lib/tables.py": "T = 1\n",
    "tenants/_shared/other.py": "def other(results, args, ctx): return {}\n",
    "tenants/a/apis.yaml": 'apis:\n  erp: {base_url: "https://erp.example.com"}\n',
    "tenants/a/get.yaml": """
        tools:
          get: {description: Gets., api: erp, method: GET, path: /x}
        """,
    "tenants/a/send.yaml": """
        tools:
          send: {extends: fast}
        """,
    "tenants/a/alone.yaml": """
        tools:
          alone: {description: Alone., handler: "alone.py:alone"}
        """,
    "tenants/a/alone.py": "def alone(results, args, ctx): return {}\n",
    "tenants/a/calls.py": 'def go(results, args, ctx): return ctx["tool"]("send", {})\n',
    "tenants/a/desk.yaml": """
        assistants:
          desk: {system_prompt: x, model: m, provider: p, tools: [send]}
        """,
    "tenants/a/night.yaml": """
        scheduled:
          night: {cron: "0 1 * * *", assistant: desk, message: x}
        """,
    "tenants/b/send.yaml": "tools:\n  send: {description: Own., handler: 'x.py:x'}\n",
}
Changed = Callable[..., set[str] | None]


def git(root: Path, *words: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, "-C", str(root), *words], check=True, capture_output=True)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """Return the top of a repository, whose workspace is in a subfolder."""
    write_tree(tmp_path / "repo" / "sub", FILES)
    git(tmp_path / "repo", "init", "-q")
    git(tmp_path / "repo", "add", "-A")
    git(tmp_path / "repo", "commit", "-q", "-m", "first")
    return tmp_path / "repo"


@pytest.fixture
def changed(top: Path) -> Changed:
    """Return a function that writes files (None deletes) and returns what is reached."""

    def ask(files: dict[str, str | bytes | None], ref: str = "HEAD") -> set[str] | None:
        root = top / "sub"
        write_tree(root, {path: text for path, text in files.items() if text is not None})
        for path, text in files.items():
            if text is None:
                (root / path).unlink()
        codes = ["_shared", "a", "b"]
        found = changed_files(collect(root, codes), Git(root, os.environ), ref)
        return found and {path.removeprefix("tenants/") for path in found}

    return ask


def test_nothing_changed_is_nothing(changed: Changed) -> None:
    assert changed({}) == set()


def test_a_shared_tool_reaches_what_extends_it_and_what_names_that(changed: Changed) -> None:
    text = FILES["tenants/_shared/base.yaml"].replace("Ships.", "Ships it.")
    assert changed({"tenants/_shared/base.yaml": text}) == {
        "_shared/base.yaml",
        "_shared/ship.py",
        "a/send.yaml",
        "a/desk.yaml",
        "a/calls.py",
    }


def test_only_declarations_that_changed_reach_others(changed: Changed) -> None:
    text = FILES["tenants/_shared/base.yaml"].replace("Other.", "Another.")
    found = changed({"tenants/_shared/base.yaml": text})
    assert found == {"_shared/base.yaml", "_shared/other.py"}


def test_a_helper_module_reaches_the_tools_of_its_importers(changed: Changed) -> None:
    assert changed({"tenants/_shared/lib/tables.py": "T = 2\n"}) == {
        "_shared/lib/tables.py",
        "_shared/lib/rates.py",
        "_shared/ship.py",
        "_shared/base.yaml",
        "a/send.yaml",
        "a/desk.yaml",
        "a/calls.py",
    }


def test_a_functions_file_reaches_its_tool(changed: Changed) -> None:
    assert changed({"tenants/a/alone.py": "def alone(): pass\n"}) == {"a/alone.py", "a/alone.yaml"}


def test_an_api_reaches_its_tools(changed: Changed) -> None:
    text = 'apis:\n  erp: {base_url: "http://erp.example.com"}\n'
    assert changed({"tenants/a/apis.yaml": text}) == {"a/apis.yaml", "a/get.yaml"}


def test_an_assistant_reaches_its_tasks(changed: Changed) -> None:
    text = FILES["tenants/a/desk.yaml"].replace("[send]", "[]")
    assert changed({"tenants/a/desk.yaml": text}) == {"a/desk.yaml", "a/night.yaml"}


def test_what_was_deleted_reaches_what_named_it(changed: Changed) -> None:
    assert changed({"tenants/a/send.yaml": None}) == {"a/send.yaml", "a/desk.yaml", "a/calls.py"}


def test_a_new_file_reaches_the_one_with_the_same_name(changed: Changed) -> None:
    found = changed({"tenants/a/new.yaml": FILES["tenants/a/alone.yaml"]})
    assert found == {"a/new.yaml", "a/alone.yaml", "a/alone.py"}


def test_settings_reach_everything_of_their_tenant(changed: Changed) -> None:
    found = changed({"tenants/b/settings.yaml": "settings: {token_budget: 5}\n"})
    assert found == {"b/settings.yaml", "b/send.yaml"}


def test_a_broken_file_reaches_what_names_its_tools(changed: Changed) -> None:
    found = changed({"tenants/a/send.yaml": "tools:\n  send: {extends: [\n"})
    assert found == {"a/send.yaml", "a/desk.yaml", "a/calls.py"}


def test_the_settings_of_the_linter_reach_all(changed: Changed) -> None:
    assert changed({"pyproject.toml": "[tool.tm.lint]\n"}) is None


def test_committed_and_staged_changes_count_since_a_ref(changed: Changed, top: Path) -> None:
    write_tree(top / "sub", {"tenants/b/one.yaml": "tools: {}\n"})
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "second")
    write_tree(top / "sub", {"tenants/b/two.yaml": "tools: {}\n"})
    git(top, "add", "-A")
    assert changed({}, "HEAD~1") == {"b/one.yaml", "b/two.yaml"}
    assert changed({}, "HEAD") == {"b/two.yaml"}


def test_odd_names_are_taken_as_they_are(changed: Changed, top: Path) -> None:
    names = ["a b.yaml", "ü.yaml", "new\nline.yaml", '"quoted".yaml', "tab\t.yaml", "-x.yaml"]
    found = changed({f"tenants/b/{name}": "tools: {}\n" for name in names})
    assert found == {f"b/{name}" for name in names}
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "second")
    assert changed({f"tenants/b/{name}": None for name in names}) == found


def test_a_file_that_was_a_folder_before_is_new(changed: Changed, top: Path) -> None:
    write_tree(top / "sub", {"tenants/b/x.yaml/y.yaml": "tools: {}\n"})
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "second")
    (top / "sub/tenants/b/x.yaml/y.yaml").unlink()
    (top / "sub/tenants/b/x.yaml").rmdir()
    found = changed({"tenants/b/x.yaml": "tools: {}\n"})
    assert found == {"b/x.yaml", "b/x.yaml/y.yaml"}


def test_what_git_ignores_and_what_is_elsewhere_is_left_out(changed: Changed, top: Path) -> None:
    write_tree(top, {".gitignore": "*.tmp.yaml\n", "tenants/b/other.yaml": "tools: {}\n"})
    assert changed({"tenants/b/x.tmp.yaml": "tools: {}\n"}) == set()


@pytest.mark.parametrize("ref", ["nothing", "", "--output=x", "HEAD..HEAD", "HEAD:sub", "a\0b"])
def test_an_unknown_ref_is_named(changed: Changed, top: Path, ref: str) -> None:
    with pytest.raises(UsageError) as error:
        changed({}, ref)
    assert error.value.exit_code == 2
    assert sorted(path.name for path in top.iterdir()) == [".git", "sub"]


def test_no_repository_is_told(workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace({})
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(root.parent))
    with pytest.raises(UsageError, match="git repository"):
        Git(root, os.environ).commit("HEAD")


def test_no_git_is_told(workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="can't be run"):
        Git(workspace({}), os.environ).commit("HEAD")


def test_a_hooks_own_variables_do_not_mislead(top: Path) -> None:
    root = top / "sub"
    environ = {**os.environ, "GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index", "GIT_PREFIX": ""}
    (root / "tenants/b/new.yaml").write_text("tools: {}\n")
    asked = Git(root, environ)
    assert asked.changed(asked.commit("HEAD")) == {"tenants/b/new.yaml"}
