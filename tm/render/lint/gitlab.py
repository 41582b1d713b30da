"""GitLab's code quality report.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from tm.lint.finding import Finding
from tm.lint.report import LintReport
from tm.render.result import json_text

SEVERITIES: Final = {"error": "major", "warning": "minor"}


def render(report: LintReport, prefix: str) -> str:
    """Return the report as a JSON list."""
    seen: Counter[str] = Counter()
    return json_text([_entry(finding, prefix, seen) for finding in report.findings]) + "\n"


def _entry(finding: Finding, prefix: str, seen: Counter[str]) -> dict[str, Any]:
    path, line = prefix + finding.at.path, finding.at.line or 1
    severity = "critical" if finding.code.startswith("TM3") else SEVERITIES[finding.severity]
    return {
        "description": f"{finding.code} {finding.message}",
        "check_name": finding.code,
        "fingerprint": _fingerprint(finding, path, seen),
        "severity": severity,
        "location": {"path": path, "lines": {"begin": line}},
    }


def _fingerprint(finding: Finding, path: str, seen: Counter[str]) -> str:
    """Return what a finding is known by from one pipeline to the next: no line numbers.

    Equal findings of one file are told apart by counting them.
    """
    from hashlib import sha256  # noqa: PLC0415  only this format needs it

    words = "\0".join((path, finding.code, finding.tool or "", _without_numbers(finding.message)))
    seen[words] += 1
    return sha256(f"{words}\0{seen[words]}".encode("utf-8", "surrogatepass")).hexdigest()


def _without_numbers(message: str) -> str:
    """Return a message without the line numbers of places that it names."""
    import re  # noqa: PLC0415  as above

    return re.sub(r"(\.(?:ya?ml|py|toml)):\d+(?::\d+)?", r"\1", message)
