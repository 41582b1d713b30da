"""A JUnit report: one test case for each finding, and one that passes where there is none."""

from __future__ import annotations

from collections.abc import Iterator

from tm.lint.finding import Finding
from tm.lint.report import LintReport
from tm.render.lint.words import full_message
from tm.render.xml import attribute, escaped


def render(report: LintReport, prefix: str) -> str:
    """Return the report as XML 1.0."""
    cases = list(_cases(report, prefix))
    failed = len(report.findings) if report.strict else report.errors
    numbers = f'tests="{len(cases)}" failures="{failed}" errors="0"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="tm lint" {numbers}>\n'
        f'  <testsuite name="tm lint" {numbers} skipped="0" time="0">\n'
        + "".join(cases)
        + "  </testsuite>\n</testsuites>\n"
    )


def _cases(report: LintReport, prefix: str) -> Iterator[str]:
    for finding in report.findings:
        yield _case(finding, prefix, fails=report.strict or finding.severity == "error")
    if not report.findings:
        yield f'    <testcase classname="tm lint" name="{report.files} files" time="0"/>\n'


def _case(finding: Finding, prefix: str, *, fails: bool) -> str:
    path = prefix + finding.at.path
    line, col = finding.at.line or 1, finding.at.col or 1
    name = f"{finding.code} {finding.name} at {line}:{col}"
    text = escaped(f"{path}:{line}:{col} {finding.code} {full_message(finding)}")
    inner = f"<system-out>{text}</system-out>"
    if fails:
        message = attribute(finding.message)
        inner = f'<failure type="{finding.severity}" message="{message}">{text}</failure>'
    place = f'classname="{attribute(path)}" name="{name}" file="{attribute(path)}" line="{line}"'
    return f'    <testcase {place} time="0">\n      {inner}\n    </testcase>\n'
