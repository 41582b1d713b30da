"""A report on its way from the process that ran it: JSON, so that nothing in it is code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from tm.errors import (
    ChatError,
    ConfigError,
    Detail,
    Location,
    SecurityError,
    TmError,
    ToolError,
    UsageError,
)
from tm.records import replace
from tm.runner.events import HttpCall, LogLine, Report, Step
from tm.runner.expectations import ExpectationError

_KINDS: Final[Mapping[str, type[TmError]]] = {
    kind.__name__: kind for kind in (ChatError, ConfigError, SecurityError, ToolError, UsageError)
}


class ThereError(Exception):
    """The traceback of an error in the process where it was raised, as text."""

    def __str__(self) -> str:
        """Return the traceback."""
        return f"\n{self.args[0]}"


def pack_report(report: Report, *, with_traceback: bool = False) -> bytes:
    """Return a report as bytes."""
    error = report.error
    parts = [
        replace(report, error=None).to_json(),
        [call.curl for call in report.http],
        None if error is None else pack_error(error, with_traceback=with_traceback),
    ]
    return json.dumps(parts, separators=(",", ":")).encode()


def unpack_report(data: bytes) -> Report:
    """Return the report that `pack_report` was given."""
    plain, curls, error = json.loads(data)
    calls = zip(plain["http"], curls, strict=True)
    return Report(
        **{
            **plain,
            "error": None if error is None else unpack_error(error),
            "steps": tuple(Step(**step) for step in plain["steps"]),
            "http": tuple(HttpCall(**call, curl=curl) for call, curl in calls),
            "log": tuple(LogLine(**line) for line in plain["log"]),
        }
    )


def pack_error(error: TmError, *, with_traceback: bool = False) -> dict[str, Any]:
    """Return an error as plain data.

    Args:
        with_traceback: its traceback too, as text that nobody has masked yet.
    """
    at = error.at
    kind = next(name for name, known in _KINDS.items() if isinstance(error, known))
    return {
        "kind": kind,
        "message": error.message,
        "code": error.code,
        "hint": error.hint,
        "at": None if at is None else [at.path, at.line, at.col],
        "details": [[detail.path, detail.message] for detail in error.details],
        "wanted": [error.wanted] if isinstance(error, ExpectationError) else [],
        "traceback": _traceback(error) if with_traceback else None,
    }


def unpack_error(plain: Mapping[str, Any]) -> TmError:
    """Return the error that `pack_error` was given."""
    given: dict[str, Any] = {
        "code": plain["code"],
        "hint": plain["hint"],
        "at": None if plain["at"] is None else Location(*plain["at"]),
        "details": [Detail(*detail) for detail in plain["details"]],
    }
    if plain["wanted"]:
        return ExpectationError(plain["message"], wanted=plain["wanted"][0], **given)
    error: TmError = _KINDS[plain["kind"]](plain["message"], **given)
    if plain["traceback"] is not None:
        error.__cause__ = ThereError(plain["traceback"])
    return error


def _traceback(error: TmError) -> str:
    from traceback import format_exception  # noqa: PLC0415  only for --traceback

    return "".join(format_exception(error))
