from __future__ import annotations

import io
import time
from typing import Any

import pytest

from tests.unit.render.samples import (
    argument_error,
    failed_report,
    http_call,
    log_line,
    report,
    texts,
)
from tm.errors import ConfigError, Detail, Location, ToolError
from tm.render.failure import error_lines, failure_lines
from tm.render.lines import Unbroken, duration
from tm.render.live import LiveLog
from tm.render.log_line import local_time, log_lines
from tm.render.rerun import rerun_command
from tm.render.screen import PlainScreen
from tm.render.steps import step_lines
from tm.runner.events import HttpCall, Step


@pytest.fixture(autouse=True)
def berlin_is_far_away(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_a_log_line_has_time_level_tool_message_and_context() -> None:
    shown = texts(log_lines(log_line(context={"net": 100, "name": "Süd"})))
    assert shown == ['14:30:05.123 info    calculateTax  tax starts  {"net":100,"name":"Süd"}']


def test_the_tool_is_indented_by_depth_and_further_rows_by_more() -> None:
    shown = texts(log_lines(log_line("one\ntwo\n", depth=2, level="warning", context={"a": 1})))
    assert shown == [
        "14:30:05.123 warning     calculateTax  one",
        '        two  {"a":1}',
    ]


def test_what_a_terminal_would_obey_is_shown_in_message_and_context() -> None:
    shown = texts(log_lines(log_line("\x1b[2Jgone", context={"k\x1b": "\x9b"})))
    assert shown == [r'14:30:05.123 info    calculateTax  \x1b[2Jgone  {"k\u001b":"\u009b"}']


def test_times_are_local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "XYZ-5:30")
    time.tzset()
    assert local_time("2026-05-04T23:45:05.123Z") == "05:15:05.123"


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0.04, "0.0 ms"), (9.94, "9.9 ms"), (9.96, "10 ms"), (999.4, "999 ms"), (1250, "1.25 s")],
)
def test_durations_read_well(ms: float, text: str) -> None:
    assert duration(ms) == text


def test_the_step_table_has_words_times_and_exchanges() -> None:
    assert texts(step_lines(report())) == [
        "  validate      ok         0.3 ms",
        "  request       ok          13 ms",
        "    200, 107 bytes, 12 ms  GET http://erp.example/items?x=1",
        "  skipped: mapping",
        "ok  getItem [default]  acme, 15 ms, log 7",
    ]


def test_stubs_retries_and_missing_answers_are_told() -> None:
    calls = (
        http_call(stubbed=True, status=None),
        http_call(status=None, attempts=3),
    )
    shown = "\n".join(
        texts(step_lines(report(http=calls, dry_run=True, mode="replay", log_id=None)))
    )
    assert "not sent" in shown
    assert "no answer, 107 bytes, 12 ms, 3 attempts" in shown
    assert shown.endswith("acme, 15 ms, replay, dry run: no write was sent")


def test_exchanges_of_a_handler_are_shown_where_no_request_step_is() -> None:
    shown = texts(step_lines(report(steps=(Step("handler", "ok", 1.0),))))
    assert shown[1].startswith("    200, 107 bytes")


def test_a_failure_names_step_place_code_details_hint_and_the_way_back() -> None:
    assert texts(failure_lines(failed_report(), "tm test-tool getItem -t acme")) == [
        "validate: tenants/acme/tools.yaml:3:5: TM501 2 arguments of 'getItem' are wrong",
        "  lines.0.qty: must be at least 1",
        "  is no object",
        "  hint: see tm show getItem",
        "  more: tm explain TM501",
        "  again: tm test-tool getItem -t acme",
    ]


def test_a_run_that_went_well_has_no_failure() -> None:
    assert failure_lines(report(), "tm") == []


def test_every_row_of_a_long_message_is_indented() -> None:
    error = ToolError("ZeroDivisionError\n    share = won / total", code="TM509", hint="one\ntwo")
    assert texts(error_lines(error)) == [
        "TM509 ZeroDivisionError",
        "      share = won / total",
        "  hint: one",
        "        two",
        "  more: tm explain TM509",
    ]


def test_details_that_the_message_repeats_are_shown_once() -> None:
    details = (Detail("a", "a is missing"), Detail("b", "b: is 5"))
    error = ToolError("bad arguments: a is missing; b: is 5", code="TM501", details=details)
    assert texts(error_lines(error))[:3] == [
        "TM501 bad arguments",
        "  a is missing",
        "  b: b: is 5",
    ]


def test_an_error_shows_its_details() -> None:
    assert texts(error_lines(argument_error()))[1] == "  lines.0.qty: must be at least 1"


def test_the_command_is_quoted_for_a_posix_shell() -> None:
    words = ["tm", "test-tool", "x", "--args", """{"name": "O'Brien $HOME"}"""]
    assert rerun_command(words) == ("""tm test-tool x --args '{"name": "O'"'"'Brien $HOME"}'""")


def shown_live(event: Any, **options: Any) -> str:
    stream = io.StringIO()
    LiveLog(PlainScreen(stream), **{"least": "info", "curl": False, **options})(event)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("least", "level", "is_shown"),
    [
        ("info", "debug", False),
        ("info", "info", True),
        ("debug", "debug", True),
        ("warning", "success", False),
        ("warning", "error", True),
        (None, "error", False),
    ],
)
def test_lines_below_the_level_are_left_out(least: Any, level: Any, is_shown: bool) -> None:
    assert bool(shown_live(log_line(level=level), least=least)) is is_shown


def test_requests_are_shown_as_curl_only_when_asked_for() -> None:
    assert shown_live(http_call()) == ""
    assert shown_live(http_call(), curl=True, least=None) == "curl 'x'\n"
    assert shown_live(HttpCall("GET", "u", None, 0, 0, True, 0), curl=True) == ""


def test_other_events_are_not_shown() -> None:
    assert shown_live(Step("request", "ok", 1.0)) == ""


@pytest.mark.parametrize(
    ("path", "message", "shown"),
    [
        ("a.b", "a.b is 1, expected 2", "  a.b is 1, expected 2"),
        ("id", "must be a text", "  id: must be a text"),
        ("", "must be an object", "  must be an object"),
    ],
)
def test_a_detail_names_its_path_once(path: str, message: str, shown: str) -> None:
    error = ToolError("not valid", code="TM501", details=(Detail(path, message),))
    assert texts(error_lines(error))[1] == shown


def test_the_first_of_several_hits_is_shown_once() -> None:
    at = Location("tenants/a/h.py", 1, 8)
    hits = (Detail(str(at), "TM306: no os"), Detail("tenants/a/h.py:2:1", "TM302: no open"))
    error = ConfigError("no os", code="TM306", at=at, details=hits)
    assert texts(error_lines(error))[:2] == [
        "tenants/a/h.py:1:8: TM306 no os",
        "  tenants/a/h.py:2:1: TM302: no open",
    ]


@pytest.mark.parametrize("row", [0, 1])
def test_commands_and_addresses_can_be_copied_whole(row: int) -> None:
    lines = [failure_lines(failed_report(), "tm test-tool x")[-1], step_lines(report())[2]]
    assert isinstance(lines[row], Unbroken)
