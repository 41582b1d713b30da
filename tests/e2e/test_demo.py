"""The demo tenant: what it has recorded is what the ERP says."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT
from tests.e2e.record_demo import READS_FIRST, cases

COMPARED = ("ok", "case", "args", "result")


def outcome(report):
    """Return what must be equal: everything but times, ids and the mode."""
    return {key: report[key] for key in COMPARED} | {
        "code": report["error"] and report["error"]["code"],
        "steps": [(step["name"], step["status"]) for step in report["steps"]],
        "statuses": [call["status"] for call in report["http"]],
    }


def test_live_run_of_every_case_equals_its_replay(tm_command, fresh_erp, demo):
    chosen = [(tool, case) for tool in READS_FIRST for case in cases(tool)]
    common = ("-t", "demo", "--json")
    with fresh_erp() as erp:
        live = [
            tm_command("test-tool", tool, *case, *common, "--live", cwd=demo, env=erp.env)
            for tool, case in chosen
        ]
    for (tool, case), done in zip(chosen, live, strict=True):
        replayed = tm_command("test-tool", tool, *case, *common, cwd=demo)
        assert outcome(replayed.json) == outcome(done.json), (tool, case)
        assert (replayed.json["mode"], done.json["mode"]) == ("replay", "live")


def test_all_cases_of_the_demo_tenant_pass_offline(tm_command, demo):
    done = tm_command("test-tool", "--all", "-t", "demo", "--json", cwd=demo)
    assert done.code == 0, done.output
    assert done.json["summary"]["failed"] == 0
    assert done.json["summary"]["passed"] >= 15


@pytest.mark.parametrize("tool", ["createCustomer", "updateCustomer", "deleteCustomer"])
def test_dry_run_of_a_write_needs_neither_server_nor_key(tm_command, demo, tool):
    done = tm_command("test-tool", tool, "-t", "demo", "--dry-run", "--json", cwd=demo)
    assert done.code == 0, done.output
    assert [call["stubbed"] for call in done.json["http"]] == [True]


def test_dry_run_with_a_response_fixture_runs_the_later_steps(tm_command, demo):
    done = tm_command("test-tool", "createCustomer", "-t", "demo", "--dry-run", "--json", cwd=demo)
    assert done.json["result"]["code"] == "K-DRY-RUN"
    steps = {step["name"]: step["status"] for step in done.json["steps"]}
    assert (steps["request"], steps["mapping"]) == ("stubbed", "ok")


def test_cassettes_hold_no_key_and_no_address_of_the_recording():
    texts = [path.read_text() for path in (ROOT / "tenants/demo/cassettes").rglob("*.yaml")]
    assert texts
    for text in texts:
        assert "127.0.0.1" not in text
        assert "bearer" not in text.lower().replace("bearer ***", "")
