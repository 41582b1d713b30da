"""What shells are offered, in this process: names as far as the workspace can be read."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from tm.cli import completions

SHOP = {
    "apis": {"erp": {"base_url": "http://127.0.0.1:9"}},
    "assistants": {"desk": {"system_prompt": "Help.", "tools": ["echo"]}},
    "scheduled": {"nightly": {"cron": "0 3 * * *", "tool": "echo"}},
}


@pytest.fixture
def asked(shop, monkeypatch):
    """Return a function that makes what a shell asks about, in the shop's folder."""
    (shop / "tenants/acme/shop.yaml").write_text(json.dumps(SHOP))
    (shop / "tenants/zoo").mkdir()
    (shop / "tenants/zoo/x.yaml").write_text("settings: {vars: {a: b}}\n")
    monkeypatch.chdir(shop)

    def make(*words, **params):
        return SimpleNamespace(params=params, args=list(words))

    return make


def test_tenants_are_offered_by_their_beginning(asked):
    assert completions.tenant_codes(asked(), "") == ["acme", "zoo"]
    assert completions.tenant_codes(asked(), "z") == ["zoo"]


def test_tools_are_those_of_the_chosen_tenant(asked):
    assert completions.tool_names(asked(), "ec") == ["echo"]
    assert completions.tool_names(asked(tenant="zoo"), "ec") == []


def test_a_tool_that_is_named_already_is_not_offered_again(asked):
    assert completions.tool_names(asked(names=["bare"]), "") == [
        name for name in completions.tool_names(asked(), "") if name != "bare"
    ]


def test_assistants_and_tasks_are_found_in_every_tenant(asked):
    assert completions.assistant_names(asked(), "d") == ["desk"]
    assert completions.task_names(asked(), "") == ["nightly"]
    assert completions.task_names(asked(tenant="zoo"), "") == []


def test_cases_are_those_of_the_tools_that_are_named(asked):
    assert "two" in completions.case_names(asked(names=["echo"]), "")
    assert "two" in completions.case_names(asked("echo"), "tw")
    assert completions.case_names(asked("nothing"), "") == []


def test_another_root_is_looked_at(asked, shop, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert completions.tenant_codes(asked(root=str(shop)), "a") == ["acme"]


@pytest.mark.parametrize("names", [completions.tenant_codes, completions.tool_names])
def test_where_nothing_can_be_read_nothing_is_offered(names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert names(SimpleNamespace(params={}, args=[]), "") == []


def test_an_unknown_tenant_is_no_error(asked):
    assert completions.tool_names(asked(tenant="nobody"), "") == []


def test_codes_keep_the_case_in_which_they_are_typed():
    assert completions.code_names("tm00") == [f"tm00{n}" for n in range(1, 8)]
    assert completions.code_names("TM001") == ["TM001"]
    assert completions.code_names("X") == []


def test_the_last_code_of_a_list_is_completed():
    assert completions.code_list("TM301,tm001") == ["TM301,tm001"]
    assert completions.code_list("TM001") == ["TM001"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_lines_that_ask_tm(tm, shell):
    done = tm("completion", shell)
    assert (done.code, done.stderr) == (0, "")
    assert "_TM_COMPLETE" in done.stdout


def test_an_unknown_shell_is_a_mistake_in_the_call(tm):
    done = tm("completion", "ksh")
    assert (done.code, done.stdout) == (2, "")
    assert "fish" in done.stderr


def test_a_shell_that_asks_is_answered_by_the_command_line(tm, monkeypatch):
    asked = {"_TM_COMPLETE": "complete_bash", "COMP_WORDS": "tm test-tool ec", "COMP_CWORD": "2"}
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    assert tm().stdout.split() == ["echo"]
