from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.unit.cli.conftest import InProcess


def test_the_result_alone_is_on_stdout(tm: InProcess) -> None:
    done = tm("test-tool", "echo")
    assert done.code == 0
    assert done.json == {"args": {"n": 1}, "chat": None, "session": {}}
    assert "echo starts" in done.stderr
    assert "looking closely" not in done.stderr
    assert "ok  echo [default]  acme" in done.stderr


def test_verbose_shows_debug_lines_and_quiet_nothing(tm: InProcess) -> None:
    assert "looking closely" in tm("test-tool", "echo", "-v").stderr
    assert tm("test-tool", "echo", "-q").stderr == ""


def test_json_is_the_whole_run_and_stderr_is_silent(tm: InProcess) -> None:
    done = tm("test-tool", "echo", "--json")
    assert done.json["log"][1]["message"] == "echo starts"
    assert done.stderr == ""
    assert "echo starts" in tm("test-tool", "echo", "--json", "-v").stderr


def test_single_arguments_win_over_the_object(tm: InProcess) -> None:
    done = tm("test-tool", "echo", "--args", '{"n": 7}', "--arg", "n=8", "--json")
    assert done.json["args"] == {"n": 8}


def test_arguments_come_from_files_and_stdin(
    tm: InProcess, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop / "a.json").write_bytes(b"\xef\xbb\xbf" + b'{"n": 3}\r\n')
    assert tm("test-tool", "echo", "--args", "@a.json").json["args"] == {"n": 3}
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"n": 4}')))
    assert tm("test-tool", "echo", "--args", "-").json["args"] == {"n": 4}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--args", "{n:1}"], "--args is no JSON"),
        (["--args", "@missing.json"], "missing.json"),
        (["--args", "@."], "can't be read"),
        (["--args", "@nul\0"], "can't be read"),
        (["--args", "@latin.json"], "not UTF-8"),
        (["--arg", "7"], "has no '='"),
        (["--session", "[]"], "must be a JSON object"),
        (["--case", "tow"], "did you mean 'two'?"),
        (["--record", "--live"], "--record and --live exclude each other"),
        (["--dryrun"], "did you mean '--dry-run'?"),
        (["-t", "acm"], "did you mean 'acme'?"),
        (["--root", "nowhere"], "nowhere"),
    ],
)
def test_a_wrong_call_is_exit_2_and_one_json_document(
    tm: InProcess, shop: Path, words: list[str], said: str
) -> None:
    (shop / "latin.json").write_bytes(b'{"n": "\xe4"}')
    done = tm("test-tool", "echo", *words, "--json")
    assert done.code == 2
    assert done.json["ok"] is False
    assert said in done.json["error"]["message"]
    assert said in done.stderr


def test_a_file_that_is_too_large_is_not_read(tm: InProcess, shop: Path) -> None:
    with (shop / "huge.json").open("wb") as huge:
        huge.truncate(50_000_001)
    done = tm("test-tool", "echo", "--args", "@huge.json")
    assert done.code == 2
    assert "larger than 50 MB" in done.stderr


def test_a_failure_is_told_with_the_way_back(tm: InProcess) -> None:
    done = tm("test-tool", "fail", "--chat", "c 1", "--dry-run", "--live")
    assert done.code == 1
    assert done.stdout == ""
    assert "handler: tenants/acme/tools.py:" in done.stderr
    assert "[/srv/run.sh] failed" in done.stderr
    assert "again: tm test-tool fail -t acme --chat 'c 1' --dry-run --live\n" in done.stderr


def test_quiet_still_tells_a_failure(tm: InProcess) -> None:
    done = tm("test-tool", "fail", "-q")
    assert "TM509" in done.stderr
    assert "about to fail" not in done.stderr


def test_chat_and_session_reach_the_tool(tm: InProcess) -> None:
    done = tm("test-tool", "echo", "--chat", "c-1", "--user", "u", "--session", '{"k": 1}')
    assert done.json["chat"] == "c-1"
    assert done.json["session"] == {"k": 1}


def test_several_tools_have_a_line_each_and_a_sum(tm: InProcess) -> None:
    done = tm("test-tool", "--all")
    assert done.code == 1
    rows = done.stdout.splitlines()
    assert [row.split()[:2] for row in rows[:-1]] == [
        ["skipped", "bare"], ["ok", "echo"], ["ok", "echo"], ["failed", "fail"],
    ]  # fmt: skip
    assert rows[-1].startswith("2 ok, 1 failed, 1 skipped in ")
    assert "[/srv/run.sh] failed" in done.stderr
    assert "echo starts" not in done.stderr


def test_quiet_shows_only_what_failed(tm: InProcess) -> None:
    rows = tm("test-tool", "*", "-q").stdout.splitlines()
    assert [row.split()[0] for row in rows] == ["failed", "2"]


def test_several_tools_are_one_json_document(tm: InProcess) -> None:
    done = tm("test-tool", "echo", "bare", "--json")
    assert done.code == 0
    assert done.json["summary"]["passed"] == 1
    assert done.json["results"][1]["skipped"]


def test_a_tool_among_several_that_can_not_load_has_failed(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/broken.yaml").write_text("tools:\n  broken: {description: x}\n")
    done = tm("test-tool", "echo", "broken")
    assert done.code == 1
    assert "failed  broken  TM105" in done.stdout
    assert "broken.yaml" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["echo", "fial"], "did you mean 'fail'?"),
        (["post*"], "post*"),
        (["--all", "echo"], "--all"),
        ([], "no tool is named"),
    ],
)
def test_names_that_mean_nothing_stop_everything(
    tm: InProcess, words: list[str], said: str
) -> None:
    done = tm("test-tool", *words)
    assert done.code == 2
    assert said in done.stderr
    assert "echo starts" not in done.stderr


def test_a_case_is_named_in_the_way_back(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/more.py").write_text(
        'def f(results, args, ctx):\n    raise ValueError("no")\n\n\n'
        'tools = {"f": {"description": "F.", "handler": f,'
        ' "fixtures": [{"name": "a b", "args": {}}]}}\n'
    )
    assert "again: tm test-tool f -t acme --case 'a b'\n" in tm("test-tool", "f*").stderr
    assert (
        "again: tm test-tool f -t acme --args '{}'" in tm("test-tool", "f", "--args", "{}").stderr
    )


def test_arguments_from_stdin_are_given_back_as_json(
    tm: InProcess, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"n": "x"}')))
    done = tm("test-tool", "echo", "--args", "-", "--arg", "n=y", "--root", str(shop))
    assert f"--root {shop}" in done.stderr
    assert """--args '{"n": "y"}'""" in done.stderr


def test_a_secret_that_was_typed_is_not_given_back(
    tm: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "tok/9+8 7=6")
    done = tm("test-tool", "fail", "--arg", "x=tok/9+8 7=6")
    assert "again: tm test-tool fail" in done.stderr
    assert "tok/9+8" not in done.output


def test_parts_filters_and_jobs_of_several_tools(tm: InProcess) -> None:
    found = [
        {
            entry["tool"]
            for entry in tm("test-tool", "--all", "--shard", part, "--json").json["results"]
        }
        for part in ("1/2", "2/2")
    ]
    assert found[0] | found[1] == {"bare", "echo", "fail"}
    assert not found[0] & found[1]
    assert tm("test-tool", "--last-failed", "--json").json["summary"]["failed"] == 1
    assert "nothing to run" in tm("test-tool", "echo", "--last-failed").stderr
    none = tm("test-tool", "nothing*", "--shard", "1/1")
    assert none.code == 2
    assert tm("test-tool", "echo", "--shard", "9/9", "--json").json["results"] == []


def test_options_that_can_not_be_meant_are_refused(tm: InProcess) -> None:
    for words in (
        ["--all", "--jobs", "0"],
        ["--all", "--shard", "0/2"],
        ["echo", "--update", "--arg", "n=1"],
        ["echo", "--watch", "--json"],
        ["--all", "--since", "HEAD"],
    ):
        done = tm("test-tool", *words)
        assert done.code == 2, words
        assert "TM500" in done.stderr


def test_stop_at_the_first_failure_is_told(tm: InProcess) -> None:
    done = tm("test-tool", "[f]*", "echo", "--fail-fast", "--jobs", "1")
    assert done.code == 1
    assert done.stdout.splitlines()[-1].startswith("0 ok, 1 failed, 1 not run")


def test_report_of_one_and_of_several_tools(tm: InProcess, shop: Path) -> None:
    assert tm("test-tool", "echo", "--junit", "one.xml").code == 0
    assert 'tests="1" failures="0"' in (shop / "one.xml").read_text("utf-8")
    assert tm("test-tool", "--all", "-q", "--junit", "all.xml").code == 1
    assert 'tests="4" failures="1" errors="0" skipped="1"' in (shop / "all.xml").read_text("utf-8")
    assert tm("test-tool", "nowhere", "--junit", "one.xml").code == 2
    assert "stopped" in (shop / "one.xml").read_text("utf-8")


def test_result_is_accepted_and_the_file_is_named(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/case.yaml").write_text(
        "tools:\n  cased: {description: C., handler: 'tools.py:echo', parameters: {type: object, "
        "properties: {n: {type: integer, description: N.}}}, fixtures: [{name: c, args: {n: 4}, "
        "expect: {args: {n: 3}, chat: '<any>', session: {}}}]}\n",
        "utf-8",
    )
    assert tm("test-tool", "cased", "--case", "c").code == 1
    done = tm("test-tool", "cased*", "--update")
    assert done.code == 0
    assert "updated  cased [c]  tenants/acme/case.yaml" in done.stderr
    assert tm("test-tool", "cased", "--case", "c", "--update").code == 0
    assert "name a case with --case" in tm("test-tool", "echo", "--update").stderr


def test_failures_are_annotations_in_github_actions(
    tm: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    stderr = tm("test-tool", "--all").stderr
    assert "::error file=tenants/acme/tools.py," in stderr
    assert stderr.count("::error") == 1


def test_traceback_of_a_run_in_a_worker(tm: InProcess) -> None:
    assert "ValueError" in tm("test-tool", "fai*", "--traceback").stderr
