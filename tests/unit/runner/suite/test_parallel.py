"""Checks in worker processes: outcomes in order, whatever happens in one of them."""

from __future__ import annotations

import os

import pytest

from tm.runner.scope import RunOptions
from tm.runner.suite import parallel
from tm.runner.suite.one_check import CheckRunner
from tm.runner.suite.parallel import Crew, Plan, WorkerFailedError
from tm.runner.suite.plan import plan_checks
from tm.runner.workspace import Workspace
from tm.store.rows import Filters

FILES = {
    "tenants/acme/tools.py": """
        import re


        def f(results, args, ctx):
            ctx["logger"].info("f")
            if args.get("n") == 9:
                raise ValueError("nine")
            return {"n": args.get("n")}


        def busy(results, args, ctx):
            ctx["logger"].info("busy")
            while True:
                pass


        def stuck(results, args, ctx):
            ctx["logger"].info("stuck")
            return {"hit": bool(re.fullmatch("(a+)+b", "a" * 60))}


        def flood(results, args, ctx):
            for number in range(30_000):
                ctx["logger"].info("flood", {"number": number})
            return {}


        N = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        tools = {
            "getA": {"description": "A.", "parameters": N, "handler": f, "args_fixture": {"n": 1},
                     "fixtures": [{"name": "two", "args": {"n": 2}, "expect": {"n": 2}},
                                  {"name": "three", "args": {"n": 3}, "expect": {"n": 4}},
                                  {"name": "bad", "args": {"n": 9}}]},
            "getB": {"description": "B.", "parameters": N, "handler": f},
            "getC": {"description": "C.", "handler": f},
            "setD": {"description": "D.", "handler": f, "args_fixture": {}},
            "toBusy": {"description": "E.", "handler": busy, "args_fixture": {},
                       "max_seconds": 0.2},
            "toFlood": {"description": "F.", "handler": flood, "args_fixture": {}},
            "toStick": {"description": "S.", "handler": stuck, "args_fixture": {},
                        "max_seconds": 0.2},
        }
    """,
    "tenants/acme/broken.yaml": "tools:\n  getBroken: {description: [\n",
    "tenants/acme/lost.yaml": "tools: {getLost: {description: L., handler: 'gone.py:f'}}",
}


@pytest.fixture
def acme(workspace, tmp_path):
    with Workspace(workspace(FILES), environ={}, cache_dir=tmp_path / "cache") as made:
        yield made


def outcomes(made, *names, case=None, **plan):
    checks = plan_checks(made, names, choose_tenant=lambda _: "acme", tenants=["acme"], case=case)
    return list(Crew(CheckRunner(made, None, RunOptions()), checks, Plan(**plan)).run())


def codes(found):
    return {
        (outcome.check.tool, outcome.check.case): outcome.error.code if outcome.error else None
        for outcome in found
        if outcome.check.skipped is None
    }


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_outcomes_come_in_the_order_of_the_checks(acme, jobs):
    found = outcomes(acme, "get*", jobs=jobs)
    assert [(o.check.tool, o.check.case, o.ok) for o in found] == [
        ("getA", "default", True),
        ("getA", "two", True),
        ("getA", "three", False),
        ("getA", "bad", False),
        ("getB", None, None),
        ("getC", None, None),
        ("getLost", None, None),
        ("getBroken", None, False),
    ]
    report = found[0].report
    assert (report.args, report.result, report.log[0].message) == ({"n": 1}, {"n": 1}, "f")
    assert report.log_id is not None
    assert acme.log.show(report.log_id).tool_name == "getA"


def test_error_of_another_process_is_whole(acme):
    bad = outcomes(acme, "getA", case="bad", with_traceback=True)[0]
    assert bad.error.code == "TM509"
    assert bad.error.at.path == "tenants/acme/tools.py"
    assert "ValueError: nine" in str(bad.error.__cause__)
    unlike = outcomes(acme, "getA", case="three")[0]
    assert unlike.error.wanted == {"n": 4}


def test_tool_whose_function_is_missing_counts_as_failed(acme):
    found = outcomes(acme, "getLost", "setD")
    assert [outcome.ok for outcome in found] == [False, True]
    assert found[0].to_json()["error"]["code"] == "TM117"


def test_nothing_begins_after_the_first_failure(acme):
    found = outcomes(acme, "getA", "setD", case=None, fail_fast=True)
    assert [outcome.ok for outcome in found] == [True, True]
    found = outcomes(acme, "[gs]etA", "setD", fail_fast=True)
    assert [outcome.ok for outcome in found] == [True, True, False]


@pytest.mark.parametrize("jobs", [1, 3])
def test_function_that_never_ends_holds_no_other_tool(acme, jobs):
    found = codes(outcomes(acme, "toBusy", "setD", "getA", jobs=jobs))
    assert found == {("toBusy", None): "TM505", ("setD", None): None, ("getA", None): None}


def test_function_that_holds_the_interpreter_is_ended_with_its_process(acme, monkeypatch):
    monkeypatch.setattr(parallel, "LATE_S", 0.1)
    found = codes(outcomes(acme, "toStick", "setD", "getA"))
    assert found == {("toStick", None): "TM505", ("setD", None): None, ("getA", None): None}


def test_log_that_floods_is_cut(acme):
    flood = outcomes(acme, "toFlood")[0]
    assert flood.ok
    assert len(flood.report.log) == 10_000
    assert "dropped" in flood.report.log[-1].message


def test_ctrl_c_is_the_reason_of_runs_that_were_under_way(acme, monkeypatch):
    def interrupted_once_begun(crew):
        if acme.log.entries(Filters()):
            raise KeyboardInterrupt

    monkeypatch.setattr(Crew, "_end_late", interrupted_once_begun)
    monkeypatch.setattr(parallel, "_LOOK_EVERY_S", 0.01)
    with pytest.raises(KeyboardInterrupt):
        outcomes(acme, "toStick")
    row = acme.log.show(1).to_json()
    assert (row["state"], row["error"]["code"]) == ("killed", "TM521")
    assert row["error"]["message"] == "the run was stopped by Ctrl-C"


def test_bug_in_a_worker_is_not_taken_for_a_failure(acme, monkeypatch):
    def broken(self, check, until):
        raise RuntimeError("ours")

    monkeypatch.setattr(CheckRunner, "__call__", broken)
    with pytest.raises(WorkerFailedError, match="ours"):
        outcomes(acme, "setD")


def dying(how):
    """Return a check runner's call that ends its process in tool setD."""
    real = CheckRunner.__call__

    def call(self, check, until):
        if check.tool == "setD":
            until(1e12)
            how()
        return real(self, check, until)

    return call


def test_process_that_dies_fails_its_run_and_no_other(acme, monkeypatch):
    monkeypatch.setattr(CheckRunner, "__call__", dying(lambda: os.kill(os.getpid(), 9)))
    found = outcomes(acme, "getA", "setD", "toFlood")
    assert codes(found) == {("getA", None): None, ("setD", None): "TM521", ("toFlood", None): None}
    assert "SIGKILL" in found[1].error.message


def test_runs_beside_a_dead_one_are_run_again_where_that_does_no_harm(acme, monkeypatch):
    monkeypatch.setattr(parallel, "cores", lambda: 1)
    monkeypatch.setattr(CheckRunner, "__call__", dying(lambda: os._exit(7)))
    found = codes(outcomes(acme, "toBusy", "setD", "getA", jobs=3, may_repeat=True))
    assert found["getA", None] is None
    assert found["setD", None] == "TM521"
    assert found["toBusy", None] == "TM505"


def test_runs_that_may_write_are_not_run_again(acme, monkeypatch):
    monkeypatch.setattr(parallel, "cores", lambda: 1)
    monkeypatch.setattr(CheckRunner, "__call__", dying(lambda: os._exit(7)))
    found = outcomes(acme, "toBusy", "setD", jobs=2)
    assert {outcome.error.code for outcome in found} <= {"TM521", "TM505"}
    assert found[1].error.code == "TM521"


def test_reports_in_batches_come_in_order_too(acme):
    found = outcomes(acme, "get*", jobs=2, may_repeat=True)
    assert [outcome.ok for outcome in found][:4] == [True, True, False, False]
