"""The shape of `tm lint --json` (SPEC, section 10)."""

from __future__ import annotations

from typing import Any

from tm.lint.report import LintReport
from tm.render.result import json_text


def as_json(report: LintReport) -> dict[str, Any]:
    """Return the report as one JSON object."""
    return {
        "ok": report.is_ok,
        "findings": [finding.to_json() for finding in report.findings],
        "summary": {
            "errors": report.errors,
            "warnings": report.warnings,
            "files": report.files,
        },
    }


def statistics_json(report: LintReport) -> list[dict[str, Any]]:
    """Return the number of findings of each code, the most frequent first."""
    return [
        {"code": one.code, "name": one.name, "severity": one.severity, "count": count}
        for one, count in report.statistics()
    ]


def render(report: LintReport, _prefix: str) -> str:
    """Return the report as text; paths are relative to the root, wherever that is."""
    return json_text(as_json(report)) + "\n"
