"""A report comes out of the pipe as it went in."""

from __future__ import annotations

import pytest

from tests.unit.render.samples import http_call, log_line, report
from tm.errors import (
    ChatError,
    ConfigError,
    Detail,
    Location,
    SecurityError,
    ToolError,
    UsageError,
)
from tm.records import replace
from tm.runner.expectations import ExpectationError
from tm.runner.suite.wire import pack_report, unpack_report


def through(made, **how):
    return unpack_report(pack_report(made, **how))


def test_report_without_an_error():
    made = report(
        http=(http_call(curl="curl 'https://x'"),),
        log=(log_line("Grüße \ud800", context={"a": [1, None]}),),
        result={"ü": [1, 2.5, None, True]},
    )
    assert through(made) == made


@pytest.mark.parametrize("kind", [ChatError, ConfigError, SecurityError, ToolError, UsageError])
def test_errors_keep_kind_place_and_details(kind):
    error = kind(
        "why", code="TM509", hint="do", at=Location("a.py", 3, 4), details=[Detail("x", "bad")]
    )
    found = through(replace(report(), ok=False, error=error)).error
    assert type(found) is kind
    assert (str(found), found.code, found.hint) == ("a.py:3:4: why", "TM509", "do")
    assert found.at == error.at
    assert found.details == error.details
    assert found.__cause__ is None


def test_expectation_keeps_what_was_wanted():
    error = ExpectationError("not so", wanted=None, details=[Detail("n", "is 1")])
    found = through(replace(report(), ok=False, error=error)).error
    assert isinstance(found, ExpectationError)
    assert found.wanted is None
    assert found.code == "TM514"


def test_traceback_comes_as_text_where_it_is_wanted():
    try:
        try:
            raise ValueError("inner")
        except ValueError as cause:
            raise ToolError("outer") from cause
    except ToolError as error:
        made = replace(report(), ok=False, error=error)
    assert "ValueError: inner" in str(through(made, with_traceback=True).error.__cause__)
