"""The present result as what is expected from now on."""

from __future__ import annotations

import pytest

from tm.errors import UsageError
from tm.runner.accept import accept_result
from tm.runner.expectations import agreed, updated
from tm.runner.scope import RunOptions
from tm.runner.workspace import Workspace

FILES = {
    "tenants/acme/t.yaml": """
        tools:
          one:
            description: One.
            handler: t.py:one
            fixtures:
              - {name: other, args: {}, expect: {n: 2, day: "<date>"}}  # stays
              - {name: right, args: {}, expect: {n: 1, day: "<date>"}}
              - {name: bare, args: {}}
              - {name: fails, args: {}, error: TM504}
              - {name: late, args: {}, expect: {n: 2, day: "<any>"}, status: 201}
            args_fixture: {}
    """,
    "tenants/acme/t.py": """
        def one(results, args, ctx):
            ctx["logger"].info("one starts")
            ctx["logger"].success("one ends")
            return {"n": 1, "day": "2026-05-04"}
    """,
    "tenants/_shared/s.yaml": """
        tools: {shared: {description: S., handler: "s.py:one",
                         fixtures: [{name: c, args: {}, expect: {n: 2}}]}}
    """,
    "tenants/_shared/s.py": """
        def one(results, args, ctx):
            ctx["logger"].info("one starts")
            ctx["logger"].success("one ends")
            return {"n": 1}
    """,
}


@pytest.fixture
def acme(workspace, tmp_path):
    with Workspace(workspace(FILES), environ={}, cache_dir=tmp_path / "cache") as made:
        yield made


def accepted(made, case, *, tool="one", may_add=False):
    report = made.run_tool("acme", tool, None, RunOptions(case=case))
    return accept_result(made, report, may_add=may_add)


def test_what_differs_is_written_and_the_case_holds(acme):
    judged, path = accepted(acme, "other")
    assert (judged.ok, judged.error, path) == (True, None, "tenants/acme/t.yaml")
    text = (acme.root / path).read_text()
    assert 'expect: {n: 1, day: "<date>"}}  # stays' in text
    assert acme.run_tool("acme", "one", None, RunOptions(case="other")).ok


@pytest.mark.parametrize("case", ["right", "bare", "fails", None])
def test_nothing_is_written_where_nothing_is_to_be(acme, case):
    before = (acme.root / "tenants/acme/t.yaml").read_bytes()
    judged, path = accepted(acme, case)
    assert path is None
    assert (acme.root / "tenants/acme/t.yaml").read_bytes() == before
    assert judged.ok is (case != "fails")


def test_case_without_expectation_gets_one_where_that_is_wanted(acme):
    judged, path = accepted(acme, "bare", may_add=True)
    assert judged.ok
    assert path
    assert acme.tool("acme", "one").fixtures[2].expect == {"n": 1, "day": "2026-05-04"}


def test_what_else_does_not_hold_still_fails(acme):
    judged, path = accepted(acme, "late")
    assert path
    assert judged.error.code == "TM514"
    assert [detail.path for detail in judged.error.details] == ["status"]


def test_shared_tool_is_not_changed_for_one_tenant(acme):
    with pytest.raises(UsageError, match="shared"):
        accepted(acme, "c", tool="shared")


@pytest.mark.parametrize(
    ("expected", "result", "new"),
    [
        ({"a": "<any>", "b": 1}, {"a": 5, "b": 2}, {"a": "<any>", "b": 2}),
        ({"a": "<string>"}, {"a": 5}, {"a": 5}),
        ({"gone": 1, "a": 1}, {"a": 1, "new": 2}, {"a": 1, "new": 2}),
        (["<number>", 2], [1, 3, 4], ["<number>", 3, 4]),
        (["<number>", "<number>"], [1], ["<number>"]),
        ([{"x": "<date>"}], [{"x": "2026-01-01"}], [{"x": "<date>"}]),
        (1, True, True),
        ("text", {"a": 1}, {"a": 1}),
    ],
)
def test_new_expectation_keeps_what_holds(expected, result, new):
    assert repr(updated(expected, result)) == repr(new)


@pytest.mark.parametrize(
    ("expected", "result", "shown"),
    [
        ({"b": 1, "a": "<any>"}, {"a": 5, "b": 2}, {"a": 5, "b": 1}),
        ({"a": 1, "gone": 2}, {"a": 1, "new": 2}, {"a": 1, "gone": 2}),
        (["<number>", 2, 3], [1, 5], [1, 2, 3]),
        ("<string>", 5, "<string>"),
        ({"a": 1}, {"a": 1}, {"a": 1}),
    ],
)
def test_what_was_expected_differs_only_where_something_is_wrong(expected, result, shown):
    assert repr(agreed(expected, result)) == repr(shown)
