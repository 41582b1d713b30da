"""A check, what became of it, and all of them counted.

What lives here: data. What must not: choosing checks (`plan`, `choice`) and running them.
"""

from __future__ import annotations

from heapq import heappush, heapreplace
from typing import Any, Final

from tm.errors import Location, TmError
from tm.records import record
from tm.runner.cases import DEFAULT_CASE
from tm.runner.events import Report

SLOWEST: Final = 5
"""How many of the slowest runs are kept."""


@record
class Check:
    """One run that a suite makes, or the reason why it makes none.

    Attributes:
        case: name of the case; None: the given arguments, else the tool's own.
        skipped: why the tool is not run; None where it is.
        error: why the tool can't be run; None where it can.
        at: of the tool's name in its file, or of what is wrong there; None where unknown.
        only_reads: the tool has no functions and its request changes nothing, so that a second
            run does no harm.
    """

    tenant: str
    tool: str
    case: str | None = None
    skipped: str | None = None
    error: TmError | None = None
    at: Location | None = None
    only_reads: bool = False

    @property
    def is_run(self) -> bool:
        """Say whether there is something to run."""
        return self.skipped is None and self.error is None

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what names the check among all of a workspace: tenant, tool and case."""
        return self.tenant, self.tool, self.case or DEFAULT_CASE


@record
class Outcome:
    """What became of a check: a report, or neither (skipped, or not loaded)."""

    check: Check
    report: Report | None = None

    @property
    def ok(self) -> bool | None:
        """Return None where the tool was skipped."""
        if self.check.skipped is not None:
            return None
        return self.report is not None and self.report.ok

    @property
    def error(self) -> TmError | None:
        """Return why it failed; None where it did not."""
        return self.report.error if self.report is not None else self.check.error

    def to_json(self) -> dict[str, Any]:
        """Return the check's entry in `results` (SPEC, section 10)."""
        if self.report is not None:
            return self.report.to_json()
        start = {"tool": self.check.tool, "tenant": self.check.tenant}
        if self.check.error is not None:
            return not_run(self.check, self.check.error).to_json()
        return {**start, "ok": None, "skipped": self.check.skipped}


def not_run(check: Check, error: TmError) -> Report:
    """Return the report of a tool that could not even begin, or whose process is gone."""
    return Report(
        tool=check.tool,
        tenant=check.tenant,
        case=check.case,
        ok=False,
        dry_run=False,
        mode="live",
        args=None,
        result=None,
        error=error,
        steps=(),
        http=(),
        log=(),
        duration_ms=0,
        log_id=None,
    )


class Tally:
    """The outcomes of a suite, counted as they come; none of them is kept.

    Attributes:
        passed, failed, skipped: numbers of checks.
        left_out: checks that were not run any more, after a failure or an interruption.
        duration_ms: of the whole suite; set at its end.
    """

    def __init__(self) -> None:
        self.passed = self.failed = self.skipped = self.left_out = 0
        self.duration_ms = 0.0
        self._slowest: list[tuple[float, int, str, str, str | None]] = []

    @property
    def ok(self) -> bool:
        """Say whether nothing failed."""
        return self.failed == 0

    @property
    def total(self) -> int:
        """Return how many outcomes there were."""
        return self.passed + self.failed + self.skipped

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        if outcome.ok is None:
            self.skipped += 1
        elif outcome.ok:
            self.passed += 1
        else:
            self.failed += 1
        if (report := outcome.report) is not None:
            row = (report.duration_ms, -self.total, report.tenant, report.tool, report.case)
            if len(self._slowest) < SLOWEST:
                heappush(self._slowest, row)
            elif row > self._slowest[0]:
                heapreplace(self._slowest, row)

    def slowest(self) -> list[tuple[str, str, str | None, float]]:
        """Return tenant, tool, case and milliseconds of the slowest runs, slowest first."""
        rows = sorted(self._slowest, reverse=True)
        return [(tenant, tool, case, ms) for ms, _, tenant, tool, case in rows]

    def to_json(self) -> dict[str, Any]:
        """Return the `summary` of the document that `tm test-tool` prints for several tools."""
        return {
            "passed": self.passed,
            "failed": self.failed,
            "skipped": self.skipped,
            "duration_ms": self.duration_ms,
        }
