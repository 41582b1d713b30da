"""Annotations for GitHub Actions: workflow commands on stdout.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from tm.lint.finding import Finding
from tm.lint.report import LintReport
from tm.render.lint.words import full_message, one_line


def render(report: LintReport, prefix: str) -> str:
    """Return one annotation a line."""
    return "".join(f"{_annotation(finding, prefix)}\n" for finding in report.findings)


def _annotation(finding: Finding, prefix: str) -> str:
    line, col = finding.at.line or 1, finding.at.col or 1
    end_line, end_col = finding.end or (line, col)
    properties = {
        "file": prefix + finding.at.path,
        "line": str(line),
        "col": str(col),
        "endLine": str(end_line),
        "endColumn": str(end_col),
        "title": f"{finding.code} {finding.name}",
    }
    # GitHub shows columns only for an annotation of one line.
    if end_line != line:
        del properties["col"], properties["endColumn"]
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{finding.severity} {shown}::{_data(full_message(finding))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")
