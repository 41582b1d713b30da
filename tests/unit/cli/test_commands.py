from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import InProcess
from tm.cli.overview import MEANT, MODULES, PLANNED


def test_list_names_tools_and_warns_of_broken_files(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/broken.yaml").write_text("tools: [\n")
    done = tm("list")
    assert done.code == 0
    assert [row.split()[0] for row in done.stdout.splitlines()] == ["bare", "echo", "fail"]
    assert "warning: tenants/acme/broken.yaml" in done.stderr


def test_list_shows_every_tenant_where_none_is_chosen(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/zoo").mkdir()
    (shop / "tenants/zoo/t.yaml").write_text(
        "tools:\n  feed: {description: 'Feed [/b].', handler: h.py:f}\n"
    )
    (shop / "tenants/zoo/h.py").write_text("def f(results, args, ctx):\n    return {}\n")
    assert {row["tenant"] for row in tm("list", "--json").json["tools"]} == {"acme", "zoo"}
    assert "feed  Feed [/b].\n" in tm("list", "-t", "zoo").stdout
    assert tm("list", "-t", "zo", "--json").json["error"]["code"] == "TM524"


def test_show_has_fields_with_places(tm: InProcess) -> None:
    fields = tm("show", "echo", "--json").json["fields"]
    assert fields["description"]["value"] == "Echo."
    assert fields["description"]["path"] == "tenants/acme/tools.py"
    assert "  description  tenants/acme/tools.py:" in tm("show", "echo").stdout


@pytest.mark.parametrize("kind", ["openai", "anthropic", "gemini", "mcp"])
def test_show_for_a_model_is_json_with_its_size_beside_it(tm: InProcess, kind: str) -> None:
    done = tm("show", "echo", "--for", kind)
    assert "Echo." in json.dumps(done.json)
    assert "tokens" in done.stderr
    assert tm("show", "echo", "--for", "llama").code == 2


def test_an_unknown_tool_comes_with_the_nearest(tm: InProcess) -> None:
    done = tm("show", "ecoh", "--json")
    assert done.code == 2
    assert "'echo'" in done.json["error"]["message"]


def test_explain_knows_a_code_in_any_spelling(tm: InProcess) -> None:
    assert tm("explain", "tm504").stdout == tm("explain", "504").stdout
    assert tm("explain", "TM504", "--json").json["code"] == "TM504"
    assert "TM504" in tm("explain", "--all").stdout
    assert tm("explain", "--all", "--json").json["codes"][0]["code"] == "TM001"


@pytest.mark.parametrize("words", [["TM999"], ["xyz"], []])
def test_explain_of_nothing_is_exit_2(tm: InProcess, words: list[str]) -> None:
    done = tm("explain", *words)
    assert done.code == 2
    assert done.stdout == ""


def test_cache_clear_says_what_it_did(tm: InProcess) -> None:
    tm("list")
    assert "cleared" in tm("cache", "clear").stdout
    assert tm("cache", "clear", "--json").json == {"ok": True, "removed": 0}


def test_the_log_lists_and_shows_runs(tm: InProcess) -> None:
    tm("test-tool", "echo")
    tm("test-tool", "fail", "--dry-run", "--chat", "c-1")
    rows = tm("log", "--json").json["entries"]
    assert [row["tool_name"] for row in rows] == ["fail", "echo"]
    for words in (["--failed"], ["--dry-run"], ["--chat", "c-1"], ["--limit", "1"]):
        assert [row["id"] for row in tm("log", *words, "--json").json["entries"]] == [2]
    assert tm("log", "--tool", "echo", "--since", "1h", "--until", "2100-01-01").code == 0
    assert tm("log", "show", "1", "--json").json["log"][1]["message"] == "echo starts"
    assert "failed" in tm("log", "-t", "acme", "show", "2").stdout


def test_a_run_that_is_not_there_is_exit_2(tm: InProcess) -> None:
    done = tm("log", "show", "77", "--json")
    assert done.code == 2
    assert done.json["error"]["message"] == "there is no run 77 of tenant 'acme' in the log"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lst"], "did you mean 'list'?"),
        (["cache", "claer"], "did you mean 'clear'?"),
        (["cache"], "tm cache takes a command: clear"),
        (["list", "teashop"], "tm list -t teashop"),
        (["version"], "did you mean '--version'?"),
        (["test-tool", "-all"], "did you mean '--all'"),
        (["--rot"], "no option --rot"),
        (["-t", "acme", "list"], "options stand behind the command: tm list -t"),
        (["log", "show", "x"], "not a valid int"),
        (["log", "--entry-type", "clli"], "is not one of 'chat', 'scheduled_task'"),
        (["show"], "Missing argument"),
    ],
)
def test_misspelt_words_are_exit_2_with_the_nearest(
    tm: InProcess, words: list[str], said: str
) -> None:
    done = tm(*words)
    assert (done.code, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize("name", MODULES)
def test_every_command_explains_itself_with_examples(tm: InProcess, name: str) -> None:
    done = tm(name, "--help")
    assert done.code == 0
    deeper = tm(name, "clear", "--help").stdout if name == "cache" else done.stdout
    assert "Example" in deeper
    assert f"tm {name}" in deeper


def test_the_overview_is_the_same_through_typer(tm: InProcess) -> None:
    assert tm("--help", "list").stdout.startswith("Usage: tm COMMAND")
    assert tm("--version", "list").stdout.startswith("tm ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "echo"], "no command 'run'; did you mean 'test-tool'?"),
        (["serve"], "tm serve is not there yet"),
        (["log", "exprot"], "no command 'exprot'; did you mean 'export'?"),
        (["shwo"], "no command 'shwo'; did you mean 'show'?"),
        (["test-tool"], "no tool is named"),
        (["explain"], "no code is named"),
    ],
)
def test_what_is_no_command_line_is_told_in_words(
    tm: InProcess, words: list[str], message: str
) -> None:
    done = tm(*words)
    assert done.code == 2
    assert done.stderr.startswith(f"TM500 {message}\n")


def test_an_argument_in_place_of_a_name_is_shown_behind_its_option(tm: InProcess) -> None:
    done = tm("test-tool", "echo", "n=1")
    assert done.code == 2
    assert "tm test-tool NAME --arg n=1" in done.stderr


def test_explain_takes_a_code_by_its_name(tm: InProcess) -> None:
    assert tm("explain", "http-status").stdout == tm("explain", "TM504").stdout


def test_a_planned_command_is_none_that_is_there() -> None:
    assert not set(PLANNED) & set(MODULES)
    assert set(MEANT.values()) <= {*MODULES, "--version"}


def test_a_broken_session_names_its_own_option(tm: InProcess) -> None:
    assert "--session @FILE" in tm("test-tool", "echo", "--session", "x").stderr


def test_list_of_nothing_says_so(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/tools.py").unlink()
    done = tm("list")
    assert (done.code, done.stdout) == (0, "")
    assert done.stderr.startswith("warning: there are no tools yet")
