from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import InProcess
from tm.cli import boundary
from tm.cli.crash import masked_words, write_crash_file
from tm.cli.entry import main
from tm.cli.streams import QuietPipe, prepare_streams


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ([], "auto"),
        (["--color", "never"], "never"),
        (["--color=always"], "always"),
        (["--color", "blue"], "auto"),
        (["--color"], "auto"),
    ],
)
def test_colour_is_known_before_the_words_are_read(words: list[str], option: str) -> None:
    assert boundary.color_option(words) == option


def bug(*_: Any) -> Any:
    raise RuntimeError("token s3cr3t-value leaked")


def test_a_bug_is_one_line_and_a_crash_file(
    tm: InProcess, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tm.cli.run_named.run_with_options", bug)
    monkeypatch.setenv("CRM_TOKEN", "s3cr3t-value")
    done = tm("test-tool", "echo", "--args", '{"n": "private"}', "--arg=n=private")
    assert done.code == 3
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.output
    (crash,) = (shop / ".tm").glob("crash-*.txt")
    text = crash.read_text()
    assert str(crash) in done.stderr
    assert "RuntimeError" in text
    assert "command: tm test-tool echo --args *** --arg=***" in text
    assert "s3cr3t-value" not in text
    assert "private" not in text


@pytest.mark.parametrize("named", ["here", "--root DIR", "--root=DIR", "TM_ROOT"])
def test_a_crash_file_holds_no_value_of_the_workspaces_env_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    root = tmp_path / "shop"
    (root / "tenants" / "acme").mkdir(parents=True)
    (root / ".env").write_text("REGION=north-by-east")
    (root / "tenants" / "acme" / ".env").write_text("CRM_LOGIN='harbour 42'")
    monkeypatch.chdir(root if named == "here" else tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    words = named.replace("DIR", str(root)).split() if named.startswith("--") else []
    environ = {"TM_ROOT": str(root)} if named == "TM_ROOT" else {}
    path = write_crash_file(ValueError("north-by-east, harbour%2042"), words, environ)
    assert "ValueError: ***, ***" in Path(path).read_text()


def test_outside_of_a_workspace_the_crash_file_is_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    path = write_crash_file(ValueError("x"), [], {})
    assert Path(path).parent == tmp_path / "temp"


def test_a_crash_file_that_can_not_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "tenants").mkdir()
    (tmp_path / ".tm").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    assert write_crash_file(ValueError("x"), [], {}) == "(it could not be written)"


def test_values_of_arguments_and_sessions_are_masked() -> None:
    words = ["test-tool", "x", "--session", "{}", "--session={}", "-t", "acme"]
    assert masked_words(words) == [
        "test-tool",
        "x",
        "--session",
        "***",
        "--session=***",
        "-t",
        "acme",
    ]


def test_ctrl_c_is_130(tm: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("tm.cli.app.build_command", interrupted)
    assert (tm("list").code, tm("list").output) == (130, "")


def test_traceback_is_shown_only_when_asked_for(tm: InProcess) -> None:
    assert "Traceback" not in tm("test-tool", "ecoh").output
    assert "Traceback" in tm("test-tool", "ecoh", "--traceback").stderr


def test_the_traceback_of_a_failed_run_is_shown_too(tm: InProcess) -> None:
    assert "Traceback" not in tm("test-tool", "fail").output
    assert "Traceback" in tm("test-tool", "fail", "--traceback").stderr


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["-h"]])
def test_small_answers_need_no_library(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tm", *words])
    assert main() == 0
    assert "tm" in capsys.readouterr().out


def test_no_words_at_all_are_exit_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tm"])
    assert main() == 2
    assert capsys.readouterr().err.startswith("Usage: tm")


def test_ctrl_c_while_modules_are_imported_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_words: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "argv", ["tm", "list"])
    monkeypatch.setattr("tm.cli.boundary.run", interrupted)
    assert main() == 130


def test_a_process_without_streams_runs_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tm", "--version"])
    monkeypatch.setattr(sys, "stderr", None)
    assert main() == 0


def test_a_closed_pipe_takes_everything() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with QuietPipe(writer, "w") as pipe:
        assert pipe.write(b"nobody reads") == 12
        assert pipe.write(memoryview(b"this")) == 4


def test_streams_become_utf8_and_keep_what_utf8_can_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "out").open("w", encoding="ascii") as narrow:
        monkeypatch.setattr(sys, "stdout", narrow)
        monkeypatch.setattr(sys, "__stdout__", narrow)
        prepare_streams()
        sys.stdout.write("Süd \udcff\n")
        sys.stdout.flush()
        monkeypatch.undo()
    assert (tmp_path / "out").read_bytes() == "Süd \\udcff\n".encode()


def test_a_windows_console_keeps_its_own_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "out").open("w", encoding="cp1252") as narrow:
        monkeypatch.setattr(sys, "stdout", narrow)
        monkeypatch.setattr(sys, "__stdout__", narrow)
        monkeypatch.setattr("tm.cli.streams.os.name", "nt")
        prepare_streams()
        changed = sys.stdout
        monkeypatch.undo()
        assert changed is narrow
        assert narrow.encoding == "utf-8"


def test_streams_of_a_test_or_another_program_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    own = io.StringIO()
    monkeypatch.setattr(sys, "stdout", own)
    prepare_streams()
    assert sys.stdout is own
