from __future__ import annotations

import pytest

from tests.unit.render.samples import (
    argument_error,
    detail,
    failed_report,
    failed_row,
    report,
    row,
    tenant,
    texts,
    tool,
)
from tm.render.listing import tool_lines, tool_rows
from tm.render.log_run import run_lines
from tm.render.log_table import row_lines
from tm.render.origin import field_lines, fields_json
from tm.render.suite import outcome_line, summary_line
from tm.runner.suite.outcomes import Check, Outcome, Tally


def test_tools_are_listed_with_whole_descriptions_where_no_terminal_is() -> None:
    found = tenant("acme", "getItem", "a")
    long = tool("b", description="word " * 60)
    found.tools["b"] = long  # type: ignore[index]
    shown = texts(tool_lines([found], None))
    assert shown[0] == "a        Fetch an item."
    assert shown[1].endswith("word word")
    assert len(shown[1]) > 300


def test_several_tenants_are_told_apart() -> None:
    assert texts(tool_lines([tenant("acme"), tenant("b")], None)) == [
        "acme  getItem  Fetch an item.",
        "b     getItem  Fetch an item.",
    ]


@pytest.mark.parametrize("width", [20, 40, 200])
def test_descriptions_are_shortened_on_terminals(width: int) -> None:
    found = tenant("acme")
    found.tools["getItem"] = tool(description="word " * 60)  # type: ignore[index]
    shown = texts(tool_lines([found], width))[0]
    assert shown.endswith("…")
    assert len(shown) <= max(width, 9 + 20)


def test_shared_tools_are_listed_unless_they_are_hidden() -> None:
    found = tenant("acme", "getItem", shared={"getItem": tool(), "ping": tool("ping")})
    assert [r["name"] for r in tool_rows(found)] == ["getItem", "ping"]
    assert tool_rows(found)[0] == {
        "name": "getItem",
        "tenant": "acme",
        "description": "Fetch\n an item.",
        "path": "tenants/acme/tools.yaml",
    }


def test_no_tools_are_no_lines() -> None:
    assert tool_lines([], None) == []


def test_each_field_is_shown_with_its_place() -> None:
    assert texts(field_lines(tool())) == [
        "getItem  acme  tenants/acme/tools.yaml:2:3",
        "  description  tenants/acme/tools.yaml:3:5",
        "    Fetch",
        "     an item.",
        "  parameters  tenants/_shared/base.yaml:4:5",
        "    {",
        '      "type": "object"',
        "    }",
    ]


def test_fields_as_json_have_value_path_and_line() -> None:
    assert fields_json(tool())["fields"]["parameters"] == {
        "value": {"type": "object"},
        "path": "tenants/_shared/base.yaml",
        "line": 4,
    }


def test_past_runs_are_a_table() -> None:
    nested = row(9, parent_id=7, duration_ms=None, http_status=None, state="running", dry_run=True)
    shown = texts(row_lines([row(), failed_row(), nested], None))
    assert [part.split() for part in shown] == [
        ["id", "started", "tenant", "tool", "state", "ms", "http", "arguments"],
        ["7", "2026-05-04", "14:30:05", "acme", "getItem", "ok", "15", "ms", "200", '{"id":1}'],
        ["8", "2026-05-04", "14:30:05", "acme", "getItem", "failed", "TM504", "15", "ms", "200",
         '{"id":1}'],
        ["9", "2026-05-04", "14:30:05", "acme", "getItem", "running,", "dry", "run", '{"id":1}'],
    ]  # fmt: skip


def test_arguments_are_cut_on_a_terminal_only() -> None:
    long = row(args={"text": "x" * 300})
    assert texts(row_lines([long], 100))[1].endswith("…")
    assert texts(row_lines([long], None))[1].endswith('x"}')


def test_an_empty_log_says_so() -> None:
    assert texts(row_lines([], 80)) == ["no runs that fit"]


def test_one_run_is_shown_with_its_nested_runs() -> None:
    child = failed_row(8, parent_id=7, detail=detail(log=[], steps=[]))
    top = row(request_url=None, chat_id="c-1", dry_run=True, detail=detail(children=(child,)))
    shown = texts(run_lines(top))
    assert shown[0] == "7  getItem  ok  acme, 2026-05-04 14:30:05, 15 ms, cli, dry run"
    assert "  chat: c-1" in shown
    assert "  result:" in shown
    assert "  validate      ok         0.3 ms" in shown
    assert any("tax starts" in part for part in shown)
    at = next(n for n, part in enumerate(shown) if part.startswith("  8  getItem  failed"))
    assert shown[at + 1] == "    request: http://erp.example/items  200, 107 bytes"
    assert shown[-1] == "    TM504 the API answered 404"


def test_a_run_that_still_runs_has_no_time() -> None:
    assert texts(run_lines(row(duration_ms=None, state="running")))[0].endswith("14:30:05, cli")


def test_each_check_has_a_line() -> None:
    shown = texts(
        [
            outcome_line(Outcome(Check("acme", "getItem"), report())),
            outcome_line(Outcome(Check("acme", "getItem"), failed_report())),
            outcome_line(Outcome(Check("acme", "broken", error=argument_error()))),
            outcome_line(Outcome(Check("acme", "bare", skipped="no args_fixture"))),
        ]
    )
    assert shown == [
        "ok  getItem [default]  acme, 15 ms, log 7",
        "failed  getItem [default]  acme, 15 ms, log 7  TM501",
        "failed  broken  TM501",
        "skipped  bare  no args_fixture",
    ]


def tally(duration_ms: float, *outcomes: Outcome) -> Tally:
    counted = Tally()
    for outcome in outcomes:
        counted.add(outcome)
    counted.duration_ms = duration_ms
    return counted


def test_the_sum_counts_what_there_was() -> None:
    good = Outcome(Check("acme", "a"), report())
    bad = Outcome(Check("acme", "b"), failed_report())
    skipped = Outcome(Check("acme", "c", skipped="why"))
    shown = texts([summary_line(tally(1250.0, good, good, bad, skipped))])
    assert shown == ["2 ok, 1 failed, 1 skipped in 1.25 s"]
    assert texts([summary_line(tally(3.0, bad))]) == ["0 ok, 1 failed in 3.0 ms"]
