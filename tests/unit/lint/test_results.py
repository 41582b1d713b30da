from __future__ import annotations

import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.lint.samples import UNKNOWN_API, finding, lint_root, places
from tm.lint import examine as examining
from tm.lint.results import HomeResult, ResultStore
from tm.lint.suppression import Suppression

RESULT = HomeResult(
    (finding("TM106", end=(2, 9), help="x"), finding("TM110", tool="a", tenant="b", fixable=True)),
    {"tenants/depot/a.yaml": (Suppression(1, 2, ("TM110",), "why", (1, 2)),)},
)


def kept(root: Path, folder: Path) -> Path:
    store = ResultStore(root, folder)
    store.keep("depot", b"state", RESULT)
    store.write()
    (path,) = folder.iterdir()
    return path


def test_a_result_comes_back_as_it_was(tmp_path: Path) -> None:
    path = kept(tmp_path, tmp_path / "cache")
    assert path.stat().st_mode & 0o777 == 0o600
    store = ResultStore(tmp_path, tmp_path / "cache")
    assert store.find("depot", b"state") == RESULT
    assert store.find("depot", b"other") is None
    assert store.find("other", b"state") is None
    assert ResultStore(tmp_path / "elsewhere", tmp_path / "cache").find("depot", b"state") is None


@pytest.mark.parametrize("change", ["cut", "flip", "empty", "mode", "link", "fifo"])
def test_a_damaged_or_foreign_file_is_as_good_as_none(tmp_path: Path, change: str) -> None:
    path = kept(tmp_path, tmp_path / "cache")
    data = path.read_bytes()
    changed = {"cut": data[:-1], "flip": data[:-1] + bytes([data[-1] ^ 1]), "empty": b""}
    if change in changed:
        path.write_bytes(changed[change])
    elif change == "mode":
        path.chmod(0o666)
    else:
        path.rename(tmp_path / "moved")
        if change == "link":
            path.symlink_to(tmp_path / "moved")
        else:
            os.mkfifo(path)
    assert ResultStore(tmp_path, tmp_path / "cache").find("depot", b"state") is None


def test_a_folder_that_can_not_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", None):
        store = ResultStore(tmp_path, folder)
        store.keep("depot", b"state", RESULT)
        store.write()
        assert ResultStore(tmp_path, folder).find("depot", b"state") is None


@pytest.fixture(autouse=True)
def a_second_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lint a second after the files were written, when they can't change again unseen."""
    clock = SimpleNamespace(time_ns=lambda: time.time_ns() + 1_000_000_000)
    monkeypatch.setattr(examining, "time", clock)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return a list that gets the homes of each run of the rules."""
    seen: list[list[str]] = []
    run_rules = examining.run_rules

    def run(root: Path, codes: Any, homes: Any) -> Any:
        seen.append(sorted(homes))
        return run_rules(root, codes, homes)

    monkeypatch.setattr(examining, "run_rules", run)
    return seen


def test_only_homes_that_changed_are_linted_again(
    workspace, tmp_path: Path, runs: list[list[str]]
) -> None:
    files = {f"tenants/{code}/a.yaml": UNKNOWN_API for code in ("a", "b", "_shared")}
    root = workspace(files)
    cache = tmp_path / "cache"
    first = lint_root(root, cache=cache)
    assert places(lint_root(root, cache=cache)) == places(first)
    assert runs == [["", "_shared", "a", "b"]]

    (root / "tenants/b/a.yaml").write_text("tools: {}\n")
    lint_root(root, cache=cache, tenant="a")
    assert len(runs) == 1
    changed = lint_root(root, cache=cache)
    assert runs[1:] == [["", "_shared", "b"]]
    assert {path for path, _, _ in places(changed)} == {"tenants/a/a.yaml"}

    (root / "tenants/_shared/a.yaml").unlink()
    lint_root(root, cache=cache)
    assert runs[2:] == [["", "_shared", "a", "b"]]


def test_a_file_that_may_change_again_unseen_is_not_kept(
    workspace, tmp_path: Path, runs: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = workspace({"tenants/a/a.yaml": UNKNOWN_API})
    changed_ns = (root / "tenants/a/a.yaml").stat().st_ctime_ns
    monkeypatch.setattr(examining, "time", SimpleNamespace(time_ns=lambda: changed_ns))
    lint_root(root, cache=tmp_path / "cache")
    lint_root(root, cache=tmp_path / "cache")
    assert len(runs) == 2


def test_what_could_not_be_read_is_tried_again(
    workspace, tmp_path: Path, runs: list[list[str]]
) -> None:
    root = workspace({"tenants/a/a.yaml": UNKNOWN_API})
    os.mkfifo(root / "tenants/a/pipe.yaml")
    report = lint_root(root, cache=tmp_path / "cache")
    assert ("tenants/a/pipe.yaml", 1, "TM902") in places(report)
    lint_root(root, cache=tmp_path / "cache")
    assert len(runs) == 2
