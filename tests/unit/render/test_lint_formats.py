"""Each format of a lint report, with findings whose texts are odd."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from tests.unit.lint.samples import PATH, finding
from tests.unit.render.sarif_shape import SARIF
from tm.lint.finding import Finding
from tm.lint.report import LintReport
from tm.render.lines import plain
from tm.render.lint import FORMATS, checkout_prefix, render_report
from tm.render.lint.source_line import marked
from tm.render.lint.text import report_lines, statistics_lines

ODD_PATH = 'tenants/depot/a b,:%\n"<ü>\udcff.yaml'
LINES = ["tools:", "\tname: 世界 \x1b[31mx", "  api: tms"]


def report_of(*findings: Finding, strict: bool = False, files: int = 3) -> LintReport:
    return LintReport(findings, files, strict, lambda _: LINES)


ODD = report_of(
    finding("TM106", 3, end=(3, 6), help="line one\nline two"),
    finding("TM110", 2, message="50% of\r\n::error:: x,y \x00 ]]> <b> \ufffe", end=(3, 2)),
    finding("TM302", 1, path=ODD_PATH, col=1, tool="x", tenant="depot", fixable=True),
)


def text_of(report: LintReport) -> str:
    return "\n".join(map(plain, report_lines(report)))


def test_text_is_like_a_compilers() -> None:
    shown = text_of(report_of(finding("TM106", 3, end=(3, 6), help="declare it")))
    assert shown.split("\n") == [
        f"{PATH}:3:3 TM106 something is wrong",
        "  3 |   api: tms",
        "    |   ^^^",
        "    = help: declare it",
        "1 error in 3 files",
    ]


def test_warnings_and_what_fix_mends_are_marked() -> None:
    shown = text_of(report_of(finding(), finding("TM101", fixable=True), files=1))
    assert "TM110 something is wrong (warning)" in shown
    assert "TM101 something is wrong [--fix mends it]" in shown
    assert shown.endswith("\n1 error and 1 warning in 1 file; tm lint --fix mends 1")
    assert text_of(report_of()) == "no findings in 3 files"


def test_every_finding_is_one_line_of_visible_characters() -> None:
    shown = text_of(ODD)
    heads = [row for row in shown.split("\n") if re.match(r"tenants/\S", row)]
    assert len(heads) == 3
    assert not re.search(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]", shown)


def test_a_line_that_is_not_there_or_empty_is_not_shown() -> None:
    shown = text_of(report_of(finding("TM106", 99), finding("TM005", 1, path="x")))
    assert "99 |" not in shown
    assert text_of(LintReport((finding(line=1),), 1, False, lambda _: [" "])).count("\n") == 1


@pytest.mark.parametrize(
    ("text", "col", "end_col", "shown", "carets"),
    [
        ("a: b", 1, 2, "a: b", "^"),
        ("a: b", 4, 5, "a: b", "   ^"),
        ("a: b", 9, 9, "a: b", "    ^"),
        ("\ta\tb", 2, 3, "    a   b", "    ^"),
        ("\ta\tb", 3, 4, "    a   b", "     ^^^"),
        ("世界: x", 2, 3, "世界: x", "  ^^"),
        ("e\u0301x", 3, 4, "e\u0301x", " ^"),
        ("\x1bx", 2, 3, "\\x1bx", "    ^"),
        ("", 1, 1, "", "^"),
    ],
)
def test_carets_stand_below_what_is_meant(
    text: str, col: int, end_col: int, shown: str, carets: str
) -> None:
    assert marked(text, col, end_col) == (shown, carets)


def test_of_a_long_line_only_the_place_is_shown() -> None:
    text = "k: " + "x" * 5000 + "!" + "y" * 100_000
    shown, carets = marked(text, 5004, 5005)
    assert len(shown) < 200
    assert shown[carets.index("^")] == "!"
    assert shown[0] == shown[-1] == "…"


def test_statistics_have_the_most_frequent_first() -> None:
    given = report_of(finding("TM110"), finding("TM106"), finding("TM106", 3))
    rows = [plain(row).split() for row in statistics_lines(given)]
    assert rows[:2] == [["2", "TM106", "error", "a-name"], ["1", "TM110", "warning", "a-name"]]
    assert plain(next(iter(statistics_lines(report_of())))) == "no findings in 3 files"


def test_json_has_the_shape_of_the_contract() -> None:
    found = json.loads(render_report("json", ODD, "sub/"))
    assert found["ok"] is False
    assert found["summary"] == {"errors": 2, "warnings": 1, "files": 3}
    assert set(found["findings"][0]) == {
        "path", "line", "col", "end_line", "end_col", "code", "name", "severity", "message", "help",
        "tool", "tenant", "fixable",
    }  # fmt: skip
    assert found["findings"][0]["path"] == PATH
    assert json.loads(render_report("json", report_of(finding()), ""))["ok"] is True
    assert json.loads(render_report("json", report_of(finding(), strict=True), ""))["ok"] is False


def test_github_annotations_are_one_line_each_and_escaped() -> None:
    rows = render_report("github", ODD, "sub/").splitlines()
    assert len(rows) == 3
    assert rows[0] == (
        f"::error file=sub/{PATH},line=3,col=3,endLine=3,endColumn=6,title=TM106 a-name"
        "::something is wrong%0Aline one%0Aline two"
    )
    assert rows[1].startswith("::warning ")
    assert "50%25 of\\x0d%0A::error:: x,y \\x00" in rows[1]
    assert "col=" not in rows[1].partition("::something")[0].replace("endCol", "")
    assert "file=sub/tenants/depot/a b%2C%3A%25\\n" in rows[2]


def test_gitlab_fingerprints_survive_moved_lines_and_are_never_equal() -> None:
    def fingerprints(*findings: Finding) -> list[str]:
        entries = json.loads(render_report("gitlab", report_of(*findings), ""))
        return [entry["fingerprint"] for entry in entries]

    at = "see tenants/a/b.yaml:{}:3"
    before = fingerprints(finding(line=2, message=at.format(2)), finding(line=3))
    after = fingerprints(finding(line=7, message=at.format(9)), finding(line=9))
    assert before == after
    assert len(set(fingerprints(finding(line=2), finding(line=3), finding("TM102")))) == 3


def test_gitlab_entries_have_their_fields() -> None:
    entries = json.loads(render_report("gitlab", ODD, ""))
    assert [entry["severity"] for entry in entries] == ["major", "minor", "critical"]
    assert entries[0]["location"] == {"path": PATH, "lines": {"begin": 3}}
    assert {"description", "check_name", "fingerprint"} < set(entries[0])


def test_sarif_is_valid_and_points_at_its_rules() -> None:
    import jsonschema

    log = json.loads(render_report("sarif", ODD, "sub/"))
    jsonschema.validate(log, SARIF, cls=jsonschema.Draft7Validator)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    place = run["results"][2]["locations"][0]["physicalLocation"]
    uri = "sub/tenants/depot/a%20b%2C%3A%25%0A%22%3C%C3%BC%3E%FF.yaml"
    assert place["artifactLocation"]["uri"] == uri
    assert run["columnKind"] == "unicodeCodePoints"
    assert rules[2]["properties"] == {"tags": ["security"], "security-severity": "8.0"}


def test_sarif_of_nothing_has_its_run() -> None:
    (run,) = json.loads(render_report("sarif", report_of(), ""))["runs"]
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []


def test_junit_is_xml_and_counts_what_fails() -> None:
    suite = ET.fromstring(render_report("junit", ODD, "")).find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    cases = suite.findall("testcase")
    assert [len(case.findall("failure")) for case in cases] == [1, 0, 1]
    assert "50% of" in (cases[1].findtext("system-out") or "")
    strict = ET.fromstring(render_report("junit", report_of(finding(), strict=True), ""))
    assert strict.get("failures") == "1"


def test_junit_of_nothing_has_a_case_that_passes() -> None:
    root = ET.fromstring(render_report("junit", report_of(), ""))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")


@pytest.mark.parametrize("name", FORMATS[1:])
def test_every_format_is_utf8_and_ends_in_a_newline(name: str) -> None:
    text = render_report(name, ODD, "")
    assert text.encode("utf-8", "backslashreplace").decode().endswith("\n")


@pytest.mark.parametrize(
    ("environ", "prefix"),
    [
        ({}, ""),
        ({"GITHUB_WORKSPACE": "/ci"}, "repo/sub/"),
        ({"CI_PROJECT_DIR": "/ci/repo/"}, "sub/"),
        ({"GITHUB_WORKSPACE": "/ci/repo/sub"}, ""),
        ({"GITHUB_WORKSPACE": "/ci/re"}, ""),
        ({"GITHUB_WORKSPACE": "ci"}, ""),
    ],
)
def test_platforms_count_paths_from_their_checkout(environ: dict[str, str], prefix: str) -> None:
    assert checkout_prefix("/ci/repo/sub", environ) == prefix
