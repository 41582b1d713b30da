"""What one call works with: which tenant it means, and what it shows where."""

from __future__ import annotations

import json
import sys

import pytest

from tm.cli.call import Call, RunCall
from tm.errors import UsageError

DESK = {"assistants": {"desk": {"system_prompt": "Help.", "tools": []}}}


@pytest.fixture
def two(shop, monkeypatch):
    """Return the root of two tenants, in which the current folder is."""
    (shop / "tenants/zoo").mkdir()
    (shop / "tenants/zoo/desk.yaml").write_text(json.dumps(DESK))
    monkeypatch.chdir(shop)
    monkeypatch.delenv("TM_TENANT", raising=False)
    return shop


def test_the_assistant_says_which_tenant_is_meant(two):
    assert RunCall().tenant_for_assistant("desk") == "zoo"
    assert RunCall(tenant="acme").tenant_for_assistant("desk") == "acme"


def test_an_assistant_of_two_tenants_asks_which(two):
    (two / "tenants/acme/desk.yaml").write_text(json.dumps(DESK))
    with pytest.raises(UsageError, match="is in several tenants: acme, zoo") as caught:
        RunCall().tenant_for_assistant("desk")
    assert "--tenant" in (caught.value.hint or "")


def test_an_assistant_of_no_tenant_is_refused(two):
    with pytest.raises(UsageError, match="'nobody' is in no tenant"):
        RunCall().tenant_for_assistant("nobody")


def test_an_unknown_tenant_is_told_whatever_the_assistant(two, monkeypatch):
    with pytest.raises(UsageError, match="did you mean 'zoo'"):
        RunCall(tenant="zo").tenant_for_assistant("desk")
    monkeypatch.setenv("TM_TENANT", "zo")
    for ask in (Call().tenants, Call().one_tenant, Call().only_tenant):
        with pytest.raises(UsageError, match="did you mean 'zoo'"):
            ask()


def test_all_tenants_are_meant_where_none_is_chosen(two):
    assert Call().tenants() == ["acme", "zoo"]
    assert Call().only_tenant() is None
    assert Call(tenant="zoo").tenants() == ["zoo"]
    assert Call(tenant="zoo").only_tenant() == "zoo"


def test_a_folder_without_a_root_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TM_ROOT", raising=False)
    with pytest.raises(UsageError):
        Call().tenants()


def test_the_environment_says_production(monkeypatch):
    monkeypatch.setenv("TM_ENV", "production")
    assert Call().is_production
    monkeypatch.setenv("TM_ENV", "test")
    assert not Call().is_production


def test_what_is_piped_has_no_width(capsys):
    assert Call().width is None


def test_a_terminal_has_the_width_it_says(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "44")
    assert Call().width == 44


def test_a_problem_of_a_tenant_is_a_warning(two, capsys):
    (two / "tenants/acme/bad.yaml").write_text("tools: {x: [}\n")
    call = Call(color="never")
    call.warn_of_problems(call.catalog.tenant("acme"))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("warning: tenants/acme/bad.yaml:1:")
    assert "[TM001]" in shown.err


def log_twice(call):
    """Begin a row in two workspaces of one call, as two worker processes do."""
    for _ in range(2):
        call.workspace.log.start(tenant="acme", tool_name="echo", entry_type="cli", args={})
        call.workspace.close()
        del call.workspace


def test_warnings_that_all_workers_have_are_told_once(two, capsys):
    (two / ".tm").write_text("in the way")
    call = RunCall(color="never")
    call.share_warnings()
    log_twice(call)
    assert capsys.readouterr().err.count("warning: the execution log") == 1


def test_one_process_tells_every_warning(two, capsys):
    (two / ".tm").write_text("in the way")
    log_twice(RunCall(color="never"))
    assert capsys.readouterr().err.count("warning: the execution log") == 2
