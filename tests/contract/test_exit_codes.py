"""Exit codes of the real command (SPEC, section 10)."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import COMMAND, TmCommand, Workspace, command_environment

FILES = {
    "tenants/acme/tools.py": """
        def ok(results, args, ctx):
            ctx["logger"].info("starts")
            ctx["logger"].success("ends")
            return {"rows": ["x" * 100] * 20000}


        def fail(results, args, ctx):
            ctx["logger"].info("starts")
            raise ValueError("no")


        def spin(results, args, ctx):
            ctx["logger"].info("spinning")
            while True:
                pass


        tools = {
            "ok": {"description": "Ok.", "handler": ok, "args_fixture": {}},
            "fail": {"description": "Fail.", "handler": fail, "args_fixture": {}},
            "spin": {"description": "Spin.", "handler": spin, "args_fixture": {}},
        }
        """,
    "tenants/acme/broken.yaml": """
        tools:
          broken: {description: Neither api nor handler.}
        """,
}


@pytest.fixture
def shop(workspace: Workspace) -> Path:
    return workspace(FILES)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--version"], 0),
        (["test-tool", "ok", "-q"], 0),
        (["test-tool", "ok", "ok"], 0),
        (["test-tool", "fail"], 1),
        (["test-tool", "ok", "fail"], 1),
        (["test-tool", "ok", "--args", '{"x": 1}'], 1),
        (["test-tool", "broken"], 2),
        (["test-tool", "nothing"], 2),
        (["test-tool", "ok", "-t", "nobody"], 2),
        (["test-tool", "ok", "--root", "/dev/null"], 2),
        (["test-tool", "ok", "--nonsense"], 2),
        (["nonsense"], 2),
        ([], 2),
    ],
)
def test_each_outcome_has_its_exit_code(
    shop: Path, tm_command: TmCommand, words: list[str], code: int
) -> None:
    done = tm_command(*words, cwd=shop)
    assert done.code == code, done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("words", [["test-tool", "fail"], ["test-tool", "broken"], ["nonsense"]])
def test_an_error_with_json_is_one_document(
    shop: Path, tm_command: TmCommand, words: list[str]
) -> None:
    document = tm_command(*words, "--json", cwd=shop).json
    assert document["ok"] is False
    assert set(document["error"]) == {"code", "message", "hint", "details"}


def in_shell(folder: Path, home: Path, line: str) -> subprocess.CompletedProcess[bytes]:
    environment = command_environment(home, {})
    argv = ["/bin/sh", "-c", line]
    return subprocess.run(argv, cwd=folder, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("variables", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_a_reader_that_leaves_early_is_no_error(
    shop: Path, tmp_path: Path, variables: dict[str, str]
) -> None:
    with subprocess.Popen(
        [str(COMMAND), "test-tool", "ok", "-q"],
        cwd=shop,
        env=command_environment(tmp_path, variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(1) == b"{"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_stream_that_is_closed_from_the_start_is_no_error(shop: Path, tmp_path: Path) -> None:
    for redirection in (">&-", "2>&-"):
        done = in_shell(shop, tmp_path, f"{COMMAND} test-tool ok {redirection}")
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr
        assert b"Exception ignored" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_is_lost_is_told(shop: Path, tmp_path: Path) -> None:
    done = in_shell(shop, tmp_path, f"{COMMAND} test-tool ok -q > /dev/full")
    assert done.returncode == 1
    assert done.stderr == b"tm: not all output could be written: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_is_130_and_quiet(shop: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [str(COMMAND), "test-tool", "spin"],
        cwd=shop,
        env=command_environment(tmp_path, {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        assert b"spinning" in process.stderr.readline()
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        process.wait()
    assert process.returncode == 130
    assert b"Traceback" not in rest
    assert time.monotonic() - began < 10


def test_function_that_never_gives_the_interpreter_back_ends_the_command(
    workspace: Workspace, tm_command: TmCommand
) -> None:
    # The expression takes longer than the age of the universe, and does so in C.
    root = workspace(
        {
            "tenants/acme/hang.py": """
                import re


                def hang(results, args, ctx):
                    ctx["logger"].info("starts")
                    return bool(re.match(r"(a+)+$", "a" * 60 + "b"))


                tools = {"hang": {"description": "H.", "handler": hang, "max_seconds": 0.2}}
                """
        }
    )
    done = tm_command("test-tool", "hang", cwd=root)
    assert done.code == 1
    assert 'tenants/acme/hang.py", line 6 in hang' in done.stderr
    entries = tm_command("log", "--json", cwd=root).json["entries"]
    assert [entry["state"] for entry in entries] == ["killed"]
