"""The report, the document, the difference and the bar of many runs."""

from __future__ import annotations

import io
import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.unit.render.samples import failed_report, log_line, report, texts
from tm.errors import Location, ToolError, UsageError
from tm.records import replace
from tm.render import junit
from tm.render.difference import difference_lines
from tm.render.failure import failure_lines
from tm.render.junit import JUnitFile
from tm.render.progress import ProgressBar
from tm.render.results_document import ResultsDocument
from tm.render.suite import outcome_annotation, slowest_lines
from tm.runner.expectations import ExpectationError
from tm.runner.suite.outcomes import Check, Outcome, Tally

AT = Location("tenants/acme/t.yaml", 3, 5)
GOOD = Outcome(Check("acme", "getItem", "default", at=AT), report())
BAD = Outcome(
    Check("acme", "b<&>", 'c"', at=Location("t.yaml")),
    replace(failed_report(), log=(log_line("\x1b[31m ]]> \ufffe"),)),
)
SKIPPED = Outcome(Check("acme", "c", skipped="no args_fixture"))
LOST = Outcome(Check("acme", "d", error=ToolError("gone", code="TM117", hint="look")))


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def written(path: Path) -> ET.Element:
    return ET.parse(path).getroot()


def test_report_has_every_outcome_once(tmp_path: Path) -> None:
    path, tally = tmp_path / "new" / "out.xml", Tally()
    file = JUnitFile(path, tally)
    file.begin()
    for outcome in (GOOD, BAD, SKIPPED, LOST):
        tally.add(outcome)
        file.add(outcome)
    file.finish()
    root = written(path)
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert list(cases) == ["getItem [default]", 'b<&> [c"]', "c", "d"]
    assert (cases["getItem [default]"].get("file"), cases["getItem [default]"].get("line")) == (
        "tenants/acme/t.yaml",
        "3",
    )
    failure = cases['b<&> [c"]'].find("failure")
    assert failure is not None
    assert failure.get("type") == "TM501"
    assert "]]>" in (cases['b<&> [c"]'].findtext("system-err") or "")
    lost = cases["d"].find("failure")
    assert lost is not None
    assert "hint: look" in (lost.text or "")
    suite = root.find("testsuite")
    assert suite is not None
    numbers = [suite.get(key) for key in ("tests", "failures", "errors", "skipped")]
    assert numbers == ["4", "2", "0", "1"]
    assert list(path.parent.iterdir()) == [path]


def test_file_is_whole_at_any_moment_and_says_that_the_run_is_not_over(tmp_path: Path) -> None:
    path, tally, clock = tmp_path / "out.xml", Tally(), Clock()
    file = JUnitFile(path, tally, clock)
    file.begin()
    assert written(path).get("errors") == "1"
    for _ in range(3):
        tally.add(GOOD)
        file.add(GOOD)
    assert written(path).get("tests") == "2"  # as it was after the first
    clock.now += 5
    tally.add(GOOD)
    file.add(GOOD)
    assert (written(path).get("tests"), written(path).get("errors")) == ("5", "1")
    file.finish("stopped by hand")
    error = written(path).find(".//error")
    assert error is not None
    assert error.get("message") == "stopped by hand"


def test_report_that_can_not_be_written_is_told_before_anything_runs(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "a" / "b.xml"):
        (tmp_path / "a").write_text("a file")
        with pytest.raises(UsageError, match="--junit"):
            JUnitFile(path, Tally()).begin()
        (tmp_path / "a").unlink()


def test_report_into_a_pipe_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    file = JUnitFile(path, Tally())
    file.begin()
    file.add(GOOD)
    file.finish()
    assert os.read(reader, 1 << 16).count(b"<testsuites") == 1
    os.close(reader)


def test_disk_that_fills_up_later_is_told_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = JUnitFile(tmp_path / "gone" / "out.xml", Tally())
    file.begin()
    (tmp_path / "gone" / "out.xml").unlink()
    (tmp_path / "gone").rmdir()
    file.add(GOOD)
    with pytest.raises(UsageError, match="can't be written"):
        file.finish()


@pytest.mark.parametrize("colour", [False, True])
def test_document_is_that_of_one_dump(*, colour: bool) -> None:
    entries = [{"a": 1, "t": "x\ny"}, {"b": []}]
    document, stream = ResultsDocument(colour=colour), io.StringIO()
    for entry in entries:
        document.add(entry)
    document.write(stream, ok=False, summary={"passed": 1})
    whole = {"ok": False, "results": entries, "summary": {"passed": 1}}
    assert stream.getvalue() == junit_free(whole, colour=colour) + "\n"


def junit_free(value: object, *, colour: bool) -> str:
    from tm.render.result import json_text

    return json_text(value, colour=colour)


def test_document_without_results() -> None:
    stream = io.StringIO()
    ResultsDocument(colour=False).write(stream, ok=True, summary={})
    assert json.loads(stream.getvalue()) == {"ok": True, "results": [], "summary": {}}


def test_difference_shows_both_sides() -> None:
    wanted = {"a": 1, "b": [1, 2], "gone": True}
    got = {"a": 1, "b": [1, 3], "new": None}
    shown = texts(difference_lines(wanted, got))
    assert shown[0].split() == ["-", "expected", "+", "result"]
    assert {"  -    2", "  +    3", '  -  "gone": true', '  +  "new": null'} <= set(shown)
    assert not any(row.lstrip().startswith(("---", "+++", "@@")) for row in shown)


def test_long_difference_is_cut() -> None:
    shown = texts(difference_lines(list(range(200)), list(range(1000, 1200))))
    assert len(shown) == 61
    assert "more lines" in shown[-1]
    far = texts(difference_lines([0, *range(50), 1], [2, *range(50), 3]))
    assert "    ..." in far


def test_failure_of_an_expectation_shows_the_difference() -> None:
    error = ExpectationError("not so", wanted={"n": 2})
    made = replace(report(), ok=False, error=error, result={"n": 1})
    assert '  -  "n": 2' in texts(failure_lines(made, "tm test-tool x"))
    plain = replace(made, error=ToolError("late", code="TM514"))
    assert not any("expected" in row for row in texts(failure_lines(plain, "tm test-tool x")))


def test_annotation_names_file_line_and_case() -> None:
    assert outcome_annotation(BAD, "sub/").startswith("::error file=sub/t.yaml,title=acme%3A b<&>")
    assert ",line=3,title=acme%3A getItem [default]::failed" in outcome_annotation(GOOD, "")
    assert outcome_annotation(LOST, "") == "::error title=acme%3A d::TM117 gone"


def test_slowest_need_something_to_compare() -> None:
    tally = Tally()
    tally.add(GOOD)
    assert slowest_lines(tally) == []
    tally.add(replace(GOOD, report=replace(report(), duration_ms=2000)))
    assert texts(slowest_lines(tally))[1].split() == ["2.00", "s", "getItem", "[default]", "acme"]


def test_bar_is_drawn_now_and_then_and_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    stream, clock, tally = io.StringIO(), Clock(), Tally()
    bar = ProgressBar(stream, 4, clock)
    bar.hide()
    assert stream.getvalue() == ""
    tally.add(GOOD)
    bar.update(tally)
    bar.update(tally)
    assert stream.getvalue().count("1/4") == 1
    clock.now += 1
    tally.add(LOST)
    bar.update(tally)
    assert "2/4" in stream.getvalue()
    assert "1 failed" in stream.getvalue()
    bar.hide()
    assert stream.getvalue().endswith("\r\x1b[2K")


def test_refresh_takes_its_share_of_the_time() -> None:
    assert junit._REFRESH_S >= 1
