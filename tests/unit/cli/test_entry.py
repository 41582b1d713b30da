"""How the process ends: at once where nobody waits for the interpreter's own end."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import command_environment
from tm.cli import entry


class ProcessEndedError(BaseException):
    """Stands for the end of the process."""


@pytest.fixture(autouse=True)
def garbage_as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.fixture
def end(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Keeps the code of an immediate end; neither coverage nor a tracer counts."""
    codes: list[int] = []

    def ended(code: int) -> None:
        codes.append(code)
        raise ProcessEndedError

    monkeypatch.setattr(os, "_exit", ended)
    monkeypatch.setattr(sys, "argv", ["tm", "--version"])
    monkeypatch.setattr(sys, "gettrace", lambda: None)
    monkeypatch.setattr(sys, "getprofile", lambda: None)
    monkeypatch.delitem(sys.modules, "coverage", raising=False)
    return codes


def test_the_process_ends_at_once_with_everything_written(
    end: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ProcessEndedError):
        entry.run_process()
    assert end == [0]
    assert capsys.readouterr().out.startswith("tm ")


@pytest.mark.parametrize("watcher", ["gettrace", "getprofile", "coverage"])
def test_who_watches_the_interpreter_gets_its_whole_end(
    end: list[int], monkeypatch: pytest.MonkeyPatch, watcher: str
) -> None:
    if watcher == "coverage":
        monkeypatch.setitem(sys.modules, "coverage", sys)
    else:
        monkeypatch.setattr(sys, watcher, lambda: print)
    with pytest.raises(SystemExit) as ended:
        entry.run_process()
    assert ended.value.code == 0
    assert end == []


def test_the_exit_code_of_a_failure_is_that_of_the_process(
    end: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["tm"])
    with pytest.raises(ProcessEndedError):
        entry.run_process()
    assert end == [2]


def test_python_m_tm_is_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tm", "no-such-command"],
        env=command_environment(tmp_path, {}),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"no-such-command" in done.stderr
