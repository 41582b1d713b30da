"""The verdict on a named case."""

import pytest

from tm.errors import ToolError
from tm.model import Fixture
from tm.runner.events import HttpCall, Report
from tm.runner.expectations import compare, judge


def report(*, result=None, error=None, status=200, duration_ms=5.0):
    call = HttpCall("GET", "https://shop.example.com/x", status, 2, 1.0, stubbed=False, attempts=1)
    return Report(
        "getX", "acme", "c", error is None, False, "live", {}, result, error, (), (call,), (),
        duration_ms, 1,
    )  # fmt: skip


def differences(expected, result):
    return [detail.message for detail in compare(expected, result)]


@pytest.mark.parametrize(
    ("marker", "good", "bad"),
    [
        ("<any>", [None, 1, "x", {}], []),
        ("<string>", ["", "x"], [1, None, ["x"]]),
        ("<number>", [1, 1.5, -3], ["1", True, None]),
        (
            "<date>",
            ["2026-03-01", "2026-03-01T08:30:00+00:00"],
            ["2026-13-01", "tomorrow", 20260301],
        ),
    ],
)
def test_markers_match_by_kind(marker, good, bad):
    assert all(not differences(marker, value) for value in good)
    assert all(differences(marker, value) for value in bad)


def test_equal_data_has_no_differences():
    value = {"a": [1, {"b": None}], "c": "x"}
    assert not differences(value, value)


@pytest.mark.parametrize(
    ("expected", "result", "word"),
    [
        ({"a": 1}, {"a": 1, "extra": 2}, "extra is not expected"),
        ({"a": 1, "gone": 2}, {"a": 1}, "gone is missing"),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "a.b.1 is 3, expected 2"),
        ([1], [], "the result has 0 elements, expected 1"),
        ([{"x": 1}], [{"x": 2}], "0.x is 2"),
        (1, True, "the result is True, expected 1"),
        (0, False, "expected 0"),
        ("99.5", 99.5, "expected '99.5'"),
        ({"a": []}, {"a": {}}, "a is {}"),
        ("x" * 300, "y", "..."),
    ],
)
def test_differences_say_where_and_what(expected, result, word):
    assert word in "; ".join(differences(expected, result))


def test_case_without_expectations_passes_when_the_run_did():
    assert judge(report(result=1), Fixture("c", {})).ok


def test_failed_run_stays_failed_with_its_own_error():
    failed = report(error=ToolError("broken", code="TM504"))
    assert judge(failed, Fixture("c", {}, expect=1)) is failed


def test_mismatch_is_tm514_with_a_detail_for_each_place():
    verdict = judge(report(result={"a": 1, "b": 2}), Fixture("c", {}, expect={"a": 2, "b": 3}))
    assert not verdict.ok
    assert verdict.error.code == "TM514"
    assert [detail.path for detail in verdict.error.details] == ["a", "b"]
    assert verdict.result == {"a": 1, "b": 2}


def test_expected_error_makes_the_case_pass():
    failed = report(error=ToolError("no such order", code="TM504"))
    verdict = judge(failed, Fixture("c", {}, error="TM504"))
    assert verdict.ok
    assert verdict.error is None


@pytest.mark.parametrize("error", [None, ToolError("wrong", code="TM501")])
def test_another_error_or_none_is_a_mismatch(error):
    verdict = judge(report(error=error), Fixture("c", {}, error="TM504"))
    assert verdict.error.code == "TM514"
    assert "TM504" in verdict.error.message


def test_status_and_duration_are_checked():
    fixture = Fixture("c", {}, status=201, max_ms=1)
    details = judge(report(), fixture).error.details
    assert [detail.path for detail in details] == ["status", "max_ms"]
    assert judge(report(status=201, duration_ms=0.5), fixture).ok


def test_null_can_be_expected():
    assert judge(report(result=None), Fixture("c", {}, expect=None)).ok
    assert not judge(report(result=0), Fixture("c", {}, expect=None)).ok


def test_a_failure_with_the_status_of_its_case_says_how_to_expect_it():
    failed = report(error=ToolError("404", code="TM504", hint="look at the id"), status=404)
    verdict = judge(failed, Fixture("c", {}, status=404))
    assert verdict.error.code == "TM504"
    assert verdict.error.hint.splitlines() == [
        "look at the id",
        "a case that is to fail says so: error: TM504, beside its status",
    ]


def test_a_failure_with_another_status_stays_as_it_is():
    failed = report(error=ToolError("500", code="TM504"), status=500)
    assert judge(failed, Fixture("c", {}, status=404)).error.hint is None
