"""What can be made of a run in the log."""

import pytest

from tm.errors import UsageError
from tm.records import replace
from tm.runner.logged import MOST_CHARS, args_again, fixture_of
from tm.store.rows import Row, RunError

ROW = Row(
    id=7, started_at="2026-05-04T12:00:00.000000Z", tenant="shop", tool_name="getOrder",
    entry_type="cli", state="ok", args={"id": "R-1"}, result={"total": 5}, error=None,
    duration_ms=1.0, http_status=200, request_url=None, response_bytes=None, parent_id=None,
    chat_id=None, user_id=None, assistant=None, dry_run=False,
)  # fmt: skip


def test_case_expects_the_result():
    assert fixture_of(ROW, "a") == {"name": "a", "args": {"id": "R-1"}, "expect": {"total": 5}}
    assert fixture_of(replace(ROW, result=None), "a")["expect"] is None


def test_case_of_a_failure_expects_its_code_and_status():
    failed = replace(ROW, state="failed", error=RunError("TM504", "404"), http_status=404)
    assert fixture_of(failed, "a") == {
        "name": "a", "args": {"id": "R-1"}, "error": "TM504", "status": 404,
    }  # fmt: skip
    assert "status" not in fixture_of(replace(failed, http_status=200), "a")


def test_dry_run_and_a_very_long_result_are_not_expected():
    assert "expect" not in fixture_of(replace(ROW, dry_run=True), "a")
    assert "expect" not in fixture_of(replace(ROW, result="x" * MOST_CHARS), "a")


@pytest.mark.parametrize(("state", "said"), [("running", "is still going"), ("killed", "was kill")])
def test_run_that_did_not_end_by_itself_expects_nothing(state, said):
    with pytest.raises(UsageError, match=said):
        fixture_of(replace(ROW, state=state), "a")


def test_arguments_that_were_not_kept_are_told():
    with pytest.raises(UsageError, match="were not kept whole") as told:
        args_again(replace(ROW, args="[not kept: RecursionError]"))
    assert told.value.hint == "tm test-tool getOrder --args JSON runs it with others"


def test_every_masked_place_is_named():
    args = {"a": {"b": ["x", "Bearer ***"]}, "c": "***", "d": 1}
    with pytest.raises(UsageError, match=r"does not keep: a\.b\.1, c"):
        args_again(replace(ROW, args=args))
