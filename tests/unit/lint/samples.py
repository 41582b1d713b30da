"""Findings and requests for the tests of what happens around the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tm.errors import Location
from tm.lint.check import LintRequest, check
from tm.lint.finding import Finding
from tm.lint.report import LintReport
from tm.lint.settings import read_settings

PATH = "tenants/depot/tools.yaml"

UNKNOWN_API = """
    tools:
      getRoute:
        description: Route of a truck.
        api: tms
        method: GET
        path: /routes
        args_fixture: {}
    """
"""One finding, TM106 in line 4."""


def finding(code: str = "TM110", line: int = 2, **fields: Any) -> Finding:
    severity = "warning" if code in {"TM110", "TM114", "TM401"} else "error"
    given = {
        "code": code,
        "name": "a-name",
        "severity": severity,
        "message": "something is wrong",
        "at": Location(fields.pop("path", PATH), line, fields.pop("col", 3)),
        **fields,
    }
    return Finding(**given)


def lint_root(root: Path, **fields: Any) -> LintReport:
    return check(LintRequest(root=root, settings=read_settings(root), **fields))


def places(report: LintReport) -> list[tuple[str, int, str]]:
    return [(found.at.path, found.at.line or 1, found.code) for found in report.findings]
