"""Parts of all tools, and those that failed last."""

from __future__ import annotations

import json

import pytest

from tests.unit.render.samples import failed_report, report
from tm.errors import ToolError, UsageError
from tm.records import replace
from tm.runner.suite.choice import among, in_shard, read_shard
from tm.runner.suite.last_failed import LastFailed
from tm.runner.suite.outcomes import Check, Outcome, Tally

CHECKS = [Check("acme", f"tool{n}", case) for n in range(40) for case in ("default", "b")]


def test_parts_hold_every_tool_once_with_all_its_cases():
    parts = [in_shard(CHECKS, read_shard(f"{n}/3")) for n in (1, 2, 3)]
    assert sorted(c.key for part in parts for c in part) == sorted(c.key for c in CHECKS)
    tools = [{c.tool for c in part} for part in parts]
    assert not tools[0] & tools[1]
    assert not tools[1] & tools[2]
    assert all(len(part) > 8 for part in tools)


def test_new_tool_moves_no_other_one():
    shard = read_shard("2/3")
    before = in_shard(CHECKS, shard)
    after = in_shard([Check("acme", "fresh"), *CHECKS], shard)
    assert [c for c in after if c.tool != "fresh"] == before
    assert in_shard(CHECKS, None) == CHECKS


@pytest.mark.parametrize("text", ["0/3", "4/3", "1/0", "1", "a/b", "1/3/2", "-1/3", "", "\u0661/3"])
def test_what_is_no_part_is_refused(text):
    with pytest.raises(UsageError, match="no part"):
        read_shard(text)


def outcome(name, *, ok, case="default"):
    made = report() if ok else failed_report()
    return Outcome(Check("acme", name, case), replace(made, tool=name, case=case))


def test_failures_are_remembered_until_they_are_well(tmp_path):
    memory = LastFailed(tmp_path)
    assert memory.keys == set()
    for found in (outcome("a", ok=False), outcome("b", ok=True), outcome("c", ok=False, case="x")):
        memory.note(found)
    memory.save()
    again = LastFailed(tmp_path)
    assert again.keys == {("acme", "a", "default"), ("acme", "c", "x")}
    named = [Check("acme", "a"), Check("acme", "c"), Check("acme", "c", "x")]
    assert among(named, again.keys) == [named[0], named[2]]
    again.note(outcome("a", ok=True))
    again.note(Outcome(Check("acme", "c", "x", skipped="why")))
    again.save()
    assert LastFailed(tmp_path).keys == {("acme", "c", "x")}
    assert (tmp_path / ".tm/.gitignore").read_text() == "*\n"


def test_runs_with_other_arguments_and_broken_files(tmp_path):
    memory = LastFailed(tmp_path)
    memory.note(Outcome(Check("acme", "a"), replace(failed_report(), case=None)))
    assert memory.keys == set()
    memory.note(Outcome(Check("acme", "b", error=ToolError("x"))))
    assert memory.keys == {("acme", "b", "default")}


@pytest.mark.parametrize("text", ["", "{", "{}", '[["a", "b"], 7, ["a", "b", null]]', "\xff"])
def test_damaged_memory_is_none(tmp_path, text):
    (tmp_path / ".tm").mkdir()
    (tmp_path / ".tm/last-failed.json").write_text(text, encoding="latin-1")
    assert LastFailed(tmp_path).keys == set()


def test_memory_that_can_not_be_written_is_no_failure(tmp_path):
    (tmp_path / ".tm").write_text("a file")
    memory = LastFailed(tmp_path)
    memory.note(outcome("a", ok=False))
    memory.save()
    assert not LastFailed(tmp_path).keys


def test_nothing_is_written_where_nothing_changed(tmp_path):
    LastFailed(tmp_path).save()
    assert not (tmp_path / ".tm").exists()


def test_slowest_runs_are_few_and_in_order():
    tally = Tally()
    for n in [5, 3, 9, 1, 7, 8, 2]:
        tally.add(Outcome(Check("acme", f"t{n}"), replace(report(), tool=f"t{n}", duration_ms=n)))
    assert [row[1] for row in tally.slowest()] == ["t9", "t8", "t7", "t5", "t3"]
    assert json.dumps(tally.to_json()) == (
        '{"passed": 7, "failed": 0, "skipped": 0, "duration_ms": 0.0}'
    )
