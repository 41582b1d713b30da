"""A lint report for people, in the manner of a compiler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tm.lint.finding import Finding
from tm.lint.report import LintReport
from tm.render.annotation import one_line
from tm.render.lines import Line, Span, columns, line
from tm.render.lint.source_line import marked

_STYLES: Final = {"error": "bold red", "warning": "bold yellow"}


def report_lines(report: LintReport) -> Iterator[Line]:
    """Yield every finding with its source line and what to do, then the numbers."""
    for finding in report.findings:
        yield from finding_lines(finding, report)
    yield summary_line(report)


def finding_lines(finding: Finding, report: LintReport) -> Iterator[Line]:
    """Yield `path:line:col CODE message`, the source line with carets, and the help."""
    row, col = finding.at.line or 1, finding.at.col or 1
    style = _STYLES[finding.severity]
    note = " (warning)" if finding.severity == "warning" else ""
    fixable = " [--fix mends it]" if finding.fixable else ""
    yield line(
        Span(f"{one_line(finding.at.path)}:{row}:{col}", "bold"),
        " ",
        Span(finding.code, style),
        f" {one_line(finding.message)}",
        Span(note + fixable, "dim"),
    )
    lines = report.lines_of(finding.at.path)
    number = str(row)
    if row <= len(lines) and lines[row - 1].strip():
        end_row, end_col = finding.end or (row, col)
        text = lines[row - 1]
        shown, carets = marked(text, col, end_col if end_row == row else len(text.rstrip()) + 1)
        yield line(Span(f"  {number} | ", "dim"), shown)
        yield line(Span(f"  {' ' * len(number)} | ", "dim"), Span(carets, style))
    if finding.help:
        yield line(
            Span(f"  {' ' * len(number)} = ", "dim"), Span("help: ", "cyan"), one_line(finding.help)
        )


def statistics_lines(report: LintReport) -> Iterator[Line]:
    """Yield the number of findings of each code, the most frequent first."""
    counted = report.statistics()
    width = max((len(str(count)) for _, count in counted), default=0)
    rows = [(f"{count:>{width}}", one.code, one.severity, one.name) for one, count in counted]
    for (count, code, severity, name), (one, _) in zip(
        columns(rows) if rows else [], counted, strict=True
    ):
        yield line(count, Span(code, _STYLES[one.severity]), severity, name)
    yield summary_line(report)


def diff_lines(diff: str) -> Iterator[Line]:
    """Yield the lines of a difference, coloured."""
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for row in diff.split("\n")[:-1]:
        yield line(Span(row, styles.get(row[:1], "")))


def summary_line(report: LintReport) -> Line:
    """Return the numbers in one sentence."""
    files = f"{report.files:,} file{'' if report.files == 1 else 's'}"
    if not report.findings:
        return line(Span(f"no findings in {files}", "green"))
    parts = [_counted(report.errors, "error"), _counted(report.warnings, "warning")]
    found = " and ".join(part for part in parts if part)
    fixable = sum(finding.fixable for finding in report.findings)
    hint = f"; tm lint --fix mends {fixable}" if fixable else ""
    return line(Span(f"{found} in {files}", "bold"), hint)


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}" if count else ""
