"""Which checks the names and globs of a call give."""

import pytest

from tm.errors import UsageError
from tm.runner.suite.plan import is_pattern, plan_checks
from tm.runner.workspace import Workspace

FILES = {
    "tenants/acme/tools.py": """
        def f(results, args, ctx):
            ctx["logger"].info("f")
            if args.get("n") == 9:
                raise ValueError("nine")
            return {"n": args.get("n")}


        N = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        tools = {
            "getA": {"description": "A.", "parameters": N, "handler": f, "args_fixture": {"n": 1},
                     "fixtures": [{"name": "two", "args": {"n": 2}, "expect": {"n": 2}},
                                  {"name": "bad", "args": {"n": 9}}]},
            "getB": {"description": "B.", "parameters": N, "handler": f},
            "getC": {"description": "C.", "handler": f},
            "setD": {"description": "D.", "handler": f, "args_fixture": {}},
        }
    """,
    "tenants/acme/broken.yaml": "tools:\n  getBroken: {description: [\n",
    "tenants/acme/lost.yaml": "tools: {getLost: {description: L., handler: 'gone.py:f'}}",
}


@pytest.fixture
def acme(workspace, tmp_path):
    with Workspace(workspace(FILES), environ={}, cache_dir=tmp_path / "cache") as made:
        yield made


def planned(made, *names, case=None):
    return plan_checks(made, names, choose_tenant=lambda _: "acme", tenants=["acme"], case=case)


def keys(checks):
    return [(check.tool, check.case) for check in checks]


def test_glob_characters_make_a_pattern():
    assert is_pattern("get*")
    assert is_pattern("get[AB]")
    assert not is_pattern("getA")


def test_named_tools_run_once_each_with_their_own_arguments(acme):
    assert keys(planned(acme, "getA", "getC", "getA")) == [("getA", None), ("getC", None)]


def test_named_tool_that_needs_arguments_and_has_none_is_skipped(acme):
    check = planned(acme, "getB", "getA")[0]
    assert "args_fixture" in check.skipped


def test_glob_gives_every_case_of_every_tool(acme):
    checks = planned(acme, "get[AC]")
    assert keys(checks) == [("getA", "default"), ("getA", "two"), ("getA", "bad"), ("getC", None)]
    assert checks[-1].skipped


def test_tool_that_was_hit_before_is_not_run_again(acme):
    checks = planned(acme, "*A", "getA")
    assert keys(checks) == [("getA", "default"), ("getA", "two"), ("getA", "bad")]
    assert keys(planned(acme, "getA", "*A")) == [("getA", None)]


def test_one_case_of_all_tools(acme):
    checks = planned(acme, "get[AC]", case="two")
    assert keys(checks) == [("getA", "two"), ("getC", None)]
    assert "no case 'two'" in checks[1].skipped


def test_case_that_no_tool_has_is_refused_before_anything_runs(acme):
    with pytest.raises(UsageError, match="did you mean 'two'"):
        planned(acme, "get*", case="tow")
    with pytest.raises(UsageError, match="no case"):
        planned(acme, "getC", "getA", case="tow")


def test_glob_takes_the_shared_tools_that_the_tenant_does_not_hide(workspace, tmp_path):
    shared = """
        tools:
          getA: {description: A., handler: "f.py:f", args_fixture: {}}
          getS: {extends: getA}
    """
    root = workspace({**FILES, "tenants/_shared/s.yaml": shared})
    with Workspace(root, environ={}, cache_dir=tmp_path / "cache") as made:
        checks = planned(made, "get[AS]")
    assert keys(checks) == [
        ("getA", "default"), ("getA", "two"), ("getA", "bad"), ("getS", "default"),
    ]  # fmt: skip


def test_file_of_which_nothing_can_be_read_fails_a_run_of_everything(workspace, tmp_path):
    root = workspace({**FILES, "tenants/acme/latin.yaml": b"tools: {getX: {description: \xfc}}"})
    with Workspace(root, environ={}, cache_dir=tmp_path / "cache") as made:
        failed = {check.tool: check.error.code for check in planned(made, "*") if check.error}
    assert "TM004" in failed.values()


def test_tool_of_a_broken_file_is_a_check_that_can_not_run(acme):
    by_name = {check.tool: check for check in planned(acme, "getBroken", "getA")}
    assert by_name["getBroken"].error.code == "TM001"
    assert any(check.tool == "getBroken" and check.error for check in planned(acme, "get*"))


def test_glob_that_fits_nothing_and_unknown_names_are_refused(acme):
    with pytest.raises(UsageError, match=r"fits 'post\*'"):
        planned(acme, "post*")
    with pytest.raises(UsageError, match="did you mean"):
        planned(acme, "getA", "getAA")
