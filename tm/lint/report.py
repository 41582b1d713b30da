"""The outcome of one run of the linter: what the formats show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tm.lint.finding import Finding
from tm.records import record


@record
class LintReport:
    """What is to be shown, in the order of paths and lines.

    Attributes:
        findings: each with its end.
        files: number of files that were looked at.
        strict: whether warnings fail too.
        lines_of: returns the lines of a file by its path, secrets masked; none where it can't be
            read.
        notes: what else the user should know, one line each.
        diff: what mending would change, or has changed; empty where nothing.
    """

    findings: tuple[Finding, ...]
    files: int
    strict: bool
    lines_of: Callable[[str], Sequence[str]]
    notes: tuple[str, ...] = ()
    diff: str = ""

    @property
    def errors(self) -> int:
        """Return the number of errors."""
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """Return the number of warnings."""
        return len(self.findings) - self.errors

    @property
    def is_ok(self) -> bool:
        """Say whether a commit may go on."""
        return not (self.findings if self.strict else self.errors)

    def statistics(self) -> list[tuple[Finding, int]]:
        """Return one finding of each code with their number, the most frequent first."""
        counts = Counter(finding.code for finding in self.findings)
        one = {finding.code: finding for finding in reversed(self.findings)}
        order = sorted(counts, key=lambda code: (-counts[code], code))
        return [(one[code], counts[code]) for code in order]
