"""Annotations for GitHub Actions: workflow commands on stdout.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from tm.lint.finding import Finding
from tm.lint.report import LintReport
from tm.render.annotation import annotation
from tm.render.lint.words import full_message


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
    return annotation(finding.severity, properties, full_message(finding))
