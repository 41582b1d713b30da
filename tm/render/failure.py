"""A failure in words: what, where, each detail, the next step, and how to run it again."""

from __future__ import annotations

from typing import Final

from tm.errors import Detail, TmError
from tm.render.lines import Line, Span, Unbroken, line
from tm.runner.events import Report

_ANY_USAGE: Final = "TM500"
"""Its page tells no more than its messages do."""


def error_lines(error: TmError, step: str | None = None) -> list[Line]:
    """Return an error as rows: place, code and message, details, hint, where to read more.

    Args:
        error: what went wrong.
        step: of the pipeline that failed; None: it was no step.
    """
    head, *rest = _without_details(error).split("\n")
    rows = [
        line(
            Span(f"{step}: " if step else "", "bold"),
            Span(f"{error.at}: " if error.at else "", "bold"),
            Span(error.code, "bold red"),
            f" {head}",
        )
    ]
    rows += [line("  ", part) for part in rest]
    rows += [_detail(detail) for detail in error.details if not _is_head(detail, error)]
    if error.hint:
        first, *others = error.hint.split("\n")
        rows.append(line("  ", Span("hint: ", "cyan"), first))
        rows += [line("        ", part) for part in others]
    if error.code == _ANY_USAGE:
        return rows
    return [*rows, line("  ", Span("more: ", "cyan"), f"tm explain {error.code}")]


def failure_lines(report: Report, rerun: str) -> list[Line]:
    """Return why a run failed and the command that runs it again; nothing for one that did not."""
    if report.error is None:
        return []
    failed = next((step.name for step in report.steps if step.status == "failed"), None)
    return [
        *error_lines(report.error, failed),
        *_difference(report),
        Unbroken(line("  ", Span("again: ", "cyan"), rerun)),
    ]


def _difference(report: Report) -> list[Line]:
    """Return what was expected beside what came; nothing where that is not the failure."""
    if report.error is None or report.error.code != "TM514":
        return []
    from tm.render.difference import difference_lines  # noqa: PLC0415  only a mismatch needs it
    from tm.runner.expectations import ExpectationError  # noqa: PLC0415  as above

    if not isinstance(report.error, ExpectationError):
        return []
    return difference_lines(report.error.wanted, report.result)


def _without_details(error: TmError) -> str:
    """Return the message; only its beginning where it repeats the details, which follow."""
    messages = [detail.message for detail in error.details]
    repeats = messages and all(message in error.message for message in messages)
    if not repeats or error.message in messages:
        return error.message
    return error.message.split(": ", 1)[0]


def _is_head(detail: Detail, error: TmError) -> bool:
    """Tell whether a detail says only what the first row says, as the first of several hits."""
    if detail.message == error.message:
        return True
    return detail.path == str(error.at) and detail.message == f"{error.code}: {error.message}"


def _detail(detail: Detail) -> Line:
    """Return a detail with its path in front, unless the message begins with it."""
    path, message = detail.path, detail.message
    if path and message.startswith(f"{path} "):
        return line("  ", Span(path, "bold"), message.removeprefix(path))
    return line("  ", Span(f"{path}: " if path else "", "bold"), message)
