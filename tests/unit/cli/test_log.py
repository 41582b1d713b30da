"""`tm log` as a tool: follow, count, repeat, keep as a case, hand on, delete."""

import io
import json
import os
from pathlib import Path

import pytest

from tests.unit.cli.conftest import InProcess
from tm.cli import follow_log
from tm.cli.call import Call
from tm.cli.streams import has_reader

SECOND = """
tools:
  echo:
    description: Echo of another customer.
    handler: "f.py:echo"
"""
FUNCTION = 'def echo(results, args, ctx):\n    ctx["logger"].info("hi")\n    return {}\n'


@pytest.fixture
def two_tenants(shop: Path) -> None:
    (shop / "tenants/zeta").mkdir()
    (shop / "tenants/zeta/x.yaml").write_text(SECOND)
    (shop / "tenants/zeta/f.py").write_text(FUNCTION)


def ids(tm: InProcess, *words: str) -> list[int]:
    return [row["id"] for row in tm("log", *words, "--json").json["entries"]]


def test_search_and_the_other_filters(tm: InProcess) -> None:
    tm("test-tool", "echo", "--arg", "n=7")
    tm("test-tool", "echo", "--arg", "n=8")
    assert ids(tm, "--search", "7") == [1]
    assert ids(tm, "--search", "n 8", "--tool", "echo") == [2]
    assert ids(tm, "--search", "*") == []
    assert ids(tm, "--entry-type", "mcp") == []
    assert ids(tm, "--slower-than", "100000") == []


def test_rerun_is_a_run_of_its_own(tm: InProcess) -> None:
    tm("test-tool", "echo", "--arg", "n=7", "--chat", "c-1", "--dry-run")
    again = tm("log", "rerun", "1", "--json").json
    assert (again["log_id"], again["dry_run"], again["args"]) == (2, True, {"n": 7})
    assert again["result"]["chat"] == "c-1"
    assert "chat" in tm("log", "rerun", "1").stdout
    assert tm("log", "rerun", "99", "--json").code == 2


def test_rerun_of_a_failed_run_fails_as_it_did(tm: InProcess) -> None:
    tm("test-tool", "fail")
    assert tm("log", "rerun", "1").code == 1


def test_masked_arguments_are_told_and_never_sent(tm: InProcess, shop: Path) -> None:
    (shop / ".env").write_text("SHOP_TOKEN=s3cret-value\n")
    (shop / "tenants/acme/apis.yaml").write_text(
        'apis: {erp: {base_url: "https://e.example.com", auth: {type: bearer,'
        ' token: "${SHOP_TOKEN}"}}}\n'
    )
    (shop / "tenants/acme/note.yaml").write_text(
        "tools: {note: {description: d, api: erp, method: POST, path: /n, parameters: "
        "{type: object, properties: {t: {type: array, description: t}}}}}\n"
    )
    done = tm("test-tool", "note", "--arg", 't:=["see s3cret-value"]', "--dry-run", "--json")
    assert done.json["args"] == {"t": ["see ***"]}
    for words in (["rerun", "1"], ["to-fixture", "1"]):
        refused = tm("log", *words, "--json")
        assert refused.code == 2
        assert (
            "a secret in its arguments, which the log does not keep: t.0"
            in (refused.json["error"]["message"])
        )
    assert ids(tm) == [1]


def test_run_becomes_a_case_that_expects_its_result(tm: InProcess, shop: Path) -> None:
    tm("test-tool", "echo", "--arg", "n=7")
    done = tm("log", "to-fixture", "1")
    assert done.stdout == "added case run-1 to tenants/acme/tools.py\n"
    text = (shop / "tenants/acme/tools.py").read_text()
    assert '{"name": "two", "args": {"n": 2}}' in text
    assert "expect" in text
    assert tm("test-tool", "echo", "--case", "two").code == 0
    case = tm("test-tool", "echo", "--case", "run-1", "--json").json
    assert (case["ok"], case["args"]) == (True, {"n": 7})
    named = tm("log", "to-fixture", "1", "--name", "seven", "--json").json
    assert named == {"ok": True, "case": "seven", "path": "tenants/acme/tools.py"}
    for name, said in (("seven", "has a case 'seven' already"), ("a b", "does not fit")):
        refused = tm("log", "to-fixture", "1", "--name", name)
        assert (refused.code, said in refused.stderr) == (2, True)


def test_failure_becomes_a_case_that_expects_it(tm: InProcess) -> None:
    tm("test-tool", "fail")
    assert tm("log", "to-fixture", "1", "--name", "bad").code == 0
    assert tm("test-tool", "fail", "--case", "bad").code == 0


def test_export_is_json_lines_oldest_first(tm: InProcess) -> None:
    for number in (1, 2, 3):
        tm("test-tool", "echo", "--arg", f"n={number}", "--chat", "a\u2028\n\x85b")
    lines = tm("log", "export").stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["id"] for row in rows] == [1, 2, 3]
    assert rows[0]["chat_id"] == "a\u2028\n\x85b"
    assert rows[0]["log"][0]["message"] == "looking closely"
    limited = tm("log", "export", "--limit", "2", "--json").stdout.splitlines()
    assert [json.loads(line)["id"] for line in limited] == [2, 3]
    found = tm("log", "export", "--search", "n 2").stdout.splitlines()
    assert [json.loads(line)["id"] for line in found] == [2]


def test_stats_count_each_tool(tm: InProcess) -> None:
    assert "no runs that fit" in tm("log", "stats").stdout
    for tool in ("echo", "echo", "fail"):
        tm("test-tool", tool)
    echo, fail = tm("log", "stats", "--json").json["tools"]
    assert (echo["tool"], echo["runs"], echo["failures"]) == ("echo", 2, 0)
    assert (fail["runs"], fail["failures"]) == (1, 1)
    assert 0 < echo["p50_ms"] <= echo["p95_ms"]
    shown = tm("log", "stats", "--since", "1h").stdout.splitlines()
    assert shown[0].split() == ["tool", "runs", "failures", "p50", "p95"]
    assert shown[1].split()[:3] == ["echo", "2", "0"]


@pytest.mark.usefixtures("two_tenants")
def test_prune_deletes_old_runs_of_one_tenant(tm: InProcess, shop: Path) -> None:
    tm("test-tool", "echo", "-t", "acme")
    tm("test-tool", "echo", "-t", "zeta")
    assert tm("log", "prune", "--older-than", "0d").code == 2, "which tenant?"
    kept = tm("log", "prune", "--older-than", "1h", "-t", "acme", "--json").json
    assert kept == {"tenant": "acme", "deleted": 0}
    assert (
        tm("log", "prune", "--older-than", "0d", "-t", "acme").stdout == "deleted 1 run of acme\n"
    )
    assert ids(tm) == [2]


@pytest.mark.parametrize("span", ["30", "d", "yesterday", "2026-01-01", "-1d", "", "999999999w"])
def test_other_forms_of_a_span_are_refused(tm: InProcess, span: str) -> None:
    tm("test-tool", "echo")
    done = tm("log", "prune", "--older-than", span, "--json")
    assert done.code == 2
    assert ids(tm) == [1]


class Pause:
    """Does something between two looks, and ends the watch after the last."""

    def __init__(self, *between) -> None:
        self.between = list(between)

    def __call__(self, seconds: float) -> None:
        if not self.between:
            raise KeyboardInterrupt
        self.between.pop(0)()


def tail(shop: Path, pause: Pause, **options) -> None:
    call = Call(root=shop)
    with pytest.raises(KeyboardInterrupt):
        follow_log.follow(call, {"as_json": True, "limit": 10, **options}, pause)


def test_tail_shows_each_run_once_as_it_ends(
    tm: InProcess, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tm("test-tool", "echo")
    seen: list[list[int]] = []

    def look() -> None:
        shown = capsys.readouterr().out
        seen.append([json.loads(line)["id"] for line in shown.splitlines()])

    def run() -> None:
        look()
        tm("test-tool", "echo")

    tail(shop, Pause(run, run, look, look))
    assert seen == [[1], [2], [3], []]


def test_tail_before_the_first_run_waits(tm: InProcess, shop: Path, capsys) -> None:
    tail(shop, Pause(lambda: tm("test-tool", "fail")), as_json=False, failed=True)
    assert "fail" in capsys.readouterr().out


def test_tail_ends_where_nobody_reads(tm: InProcess, shop: Path, monkeypatch) -> None:
    monkeypatch.setattr(follow_log, "has_reader", lambda _: False)
    follow_log.follow(Call(root=shop), {"as_json": True, "limit": 10})


def test_reader_of_a_pipe_that_has_gone_is_noticed() -> None:
    ours, theirs = os.pipe()
    with os.fdopen(theirs, "w") as stream:
        assert has_reader(stream)
        os.close(ours)
        assert not has_reader(stream)
    assert has_reader(io.StringIO()), "that can't be known"


def test_tail_and_show_are_the_same_through_the_command_line(
    tm: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow_log, "has_reader", lambda _: False)
    tm("test-tool", "echo")
    assert json.loads(tm("log", "tail", "--json").stdout)["id"] == 1
    assert "echo" in tm("log", "-t", "acme", "tail").stdout
    assert "echo starts" in tm("log", "show", "1").stdout
    assert tm("log", "-t", "acme", "--color", "never", "--limit", "1").code == 0
