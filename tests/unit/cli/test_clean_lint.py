from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import write_tree
from tm.cli import clean_lint, entry
from tm.cli.boundary import run
from tm.cli.clean_lint import kept_answer, state_of
from tm.config import discover

CLEAN = "apis:\n  wms: {base_url: 'https://wms.example.com'}\n"
FILE = "tenants/depot/depot.yaml"
WORDS = ["lint", "--strict"]


@pytest.fixture
def environ(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """Return an environment with a cache, the clock a minute ahead, and stand in a workspace."""
    write_tree(tmp_path / "shop", {FILE: CLEAN, "tenants/depot/files/big.py": "x"})
    monkeypatch.chdir(tmp_path / "shop")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    now = time.time_ns() + 60_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: now)
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def answer(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> Callable[..., str | None]:
    """Return what asks for the kept answer, in the environment of the process."""

    def ask(*words: str) -> str | None:
        capsys.readouterr()
        return kept_answer(words or WORDS, dict(os.environ))

    return ask


def test_a_clean_answer_is_given_again(
    answer: Callable[..., str | None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer() is None
    assert run(WORDS) == 0
    printed = capsys.readouterr().out
    assert printed == "no findings in 1 file\n"
    assert answer() == printed
    assert answer("lint", "--json") is None


def test_the_process_gives_it_without_a_look(
    answer: Callable[..., str | None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(WORDS)
    capsys.readouterr()
    monkeypatch.setattr("sys.argv", ["tm", *WORDS])
    monkeypatch.setattr("tm.cli.boundary.run", lambda _: 7)
    assert (entry.main(), capsys.readouterr().out) == (0, "no findings in 1 file\n")
    Path(FILE).write_text(CLEAN + "# more\n")
    assert entry.main() == 7


def _edit() -> None:
    Path(FILE).write_text(CLEAN + "tools: {}\n")


def _add() -> None:
    Path("tenants/depot/new.py").write_text("x = 1\n")


def _link() -> None:
    Path("tenants/depot/new.yaml").symlink_to("depot.yaml")


def _settings() -> None:
    Path("pyproject.toml").write_text("[tool.tm.lint]\nstrict = true\n")


def _linked_settings() -> None:
    Path("pyproject.toml").symlink_to(FILE)


def _tenant() -> None:
    Path("tenants/Odd Name").mkdir()


def _replace() -> None:
    other = Path("tenants/depot/files/other")
    other.write_text(CLEAN)
    times = Path(FILE).stat().st_mtime_ns
    os.utime(other, ns=(times, times))
    other.rename(FILE)


def _delete() -> None:
    Path(FILE).unlink()


def _close() -> None:
    Path("tenants").rename("gone")


CHANGES = [
    _edit, _add, _link, _settings, _linked_settings, _tenant, _replace, _delete, _close,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_makes_it_look_again(
    answer: Callable[..., str | None], change: Callable[[], None]
) -> None:
    run(WORDS)
    assert answer() is not None
    change()
    assert answer() is None


def test_runtime_folders_and_other_files_change_nothing(
    answer: Callable[..., str | None],
) -> None:
    run(WORDS)
    Path("tenants/depot/files/more.py").write_text("y")
    Path("tenants/depot/notes.txt").write_text("y")
    Path("tenants/depot/.hidden.py").write_text("y")
    assert answer() is not None


@pytest.mark.parametrize(
    ("name", "value"), [("TM_TENANT", "depot"), ("FORCE_COLOR", "1"), ("TM_ROOT", ".")]
)
def test_another_environment_makes_it_look_again(
    answer: Callable[..., str | None], monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    run(WORDS)
    monkeypatch.setenv(name, value)
    assert answer() is None


def test_another_version_of_the_code_makes_it_look_again(
    answer: Callable[..., str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(WORDS)
    monkeypatch.setattr(clean_lint, "_code", lambda _: iter([("rules.py", 1)]))
    assert answer() is None


@pytest.mark.parametrize("words", [["--fix"], ["--diff"], ["tenants"], ["--root", "."]])
def test_other_calls_keep_no_answer(answer: Callable[..., str | None], words: list[str]) -> None:
    run(["lint", *words])
    assert answer("lint", *words) is None


def test_findings_keep_no_answer(answer: Callable[..., str | None]) -> None:
    Path("tenants/depot/bad.yaml").write_text("tool: {}\n")
    assert run(WORDS) == 1
    assert answer() is None


def test_notes_keep_no_answer(answer: Callable[..., str | None]) -> None:
    Path("tenants/Odd Name").mkdir()
    assert run(WORDS) == 0
    assert answer() is None


def test_a_terminal_gets_no_kept_answer(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(WORDS)
    capsys.readouterr()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert kept_answer(WORDS, dict(os.environ)) is None


def test_a_young_file_can_not_be_told(environ: dict[str, str]) -> None:
    changed = Path(FILE).stat().st_ctime_ns
    assert state_of(str(Path.cwd()), time_ns=changed + 10_000_000) is None
    assert state_of(str(Path.cwd()), time_ns=changed + 10_000_000_000) is not None


@pytest.mark.parametrize("data", [b"", b"xx", b"i\x01\x00\x00\x00"])
def test_a_damaged_cache_is_as_good_as_none(
    answer: Callable[..., str | None], tmp_path: Path, data: bytes
) -> None:
    run(WORDS)
    (path,) = (tmp_path / "cache/tm").glob("*-.clean.index")
    path.write_bytes(data)
    assert answer() is None


def test_without_a_cache_folder_it_looks_again(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert run(WORDS) == 0
    assert kept_answer(WORDS, dict(os.environ)) is None


def test_it_looks_where_config_is_looked_for() -> None:
    assert clean_lint.SKIPPED == discover.RUNTIME_FOLDERS
    assert clean_lint.ENDINGS == discover.CONFIG_ENDINGS
    assert (clean_lint.TENANTS, clean_lint.YOUNG_NS) == (discover.TENANTS, discover.YOUNG_NS)
