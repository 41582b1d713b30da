"""SARIF 2.1.0, for code scanning.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tm._version import __version__
from tm.codes import Page, page, render_page
from tm.lint.finding import Finding
from tm.lint.report import LintReport
from tm.render.lint.words import full_message
from tm.render.result import json_text

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
SECURITY_SEVERITY: Final = "8.0"
"""Of the 3xx rules, as code scanning ranks them: high."""


def render(report: LintReport, prefix: str) -> str:
    """Return the report as one SARIF log with one run."""
    pages = [found for code in _codes(report) if (found := page(code))]
    numbers = {found.code: number for number, found in enumerate(pages)}
    run = {
        "tool": {
            "driver": {
                "name": "tm lint",
                "version": __version__,
                "rules": [_rule(found) for found in pages],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, prefix, numbers) for finding in report.findings],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _codes(report: LintReport) -> Sequence[str]:
    return sorted({finding.code for finding in report.findings})


def _rule(found: Page) -> dict[str, Any]:
    is_security = found.code.startswith("TM3")
    properties: dict[str, Any] = {"tags": ["security"]} if is_security else {}
    if is_security:
        properties["security-severity"] = SECURITY_SEVERITY
    return {
        "id": found.code,
        "name": "".join(word.capitalize() for word in found.name.split("-")),
        "shortDescription": {"text": found.title},
        "fullDescription": {"text": found.what},
        "help": {"text": f"{found.why} {found.fix}", "markdown": render_page(found)},
        "defaultConfiguration": {"level": found.severity},
        **({"properties": properties} if properties else {}),
    }


def _result(finding: Finding, prefix: str, numbers: dict[str, int]) -> dict[str, Any]:
    line, col = finding.at.line or 1, finding.at.col or 1
    end_line, end_col = finding.end or (line, col)
    region = {"startLine": line, "startColumn": col, "endLine": end_line, "endColumn": end_col}
    place = {
        "artifactLocation": {"uri": _uri(prefix + finding.at.path)},
        "region": region,
    }
    return {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": finding.severity,
        "message": {"text": full_message(finding)},
        "locations": [{"physicalLocation": place}],
    }


def _uri(path: str) -> str:
    """Return a path as a relative reference of RFC 3986: UTF-8, the rest percent-encoded."""
    data = path.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)
