"""What a fixture expects of its run, and the verdict (SPEC, section 10, "Expectations")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from tm.errors import Detail, Location, ToolError
from tm.model import ABSENT, Fixture, Json
from tm.records import replace
from tm.runner.events import Report

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def _is_date(value: Json) -> bool:
    """Say whether a value is an ISO date or a date with a time."""
    if not isinstance(value, str) or not _DAY.match(value):
        return False
    try:
        date.fromisoformat(value) if len(value) == 10 else datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


_KINDS: Final[Mapping[str, Callable[[Json], bool]]] = {
    "<any>": lambda _: True,
    "<string>": lambda value: isinstance(value, str),
    "<number>": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "<date>": _is_date,
}


class ExpectationError(ToolError):
    """A run is not as its case expects.

    Attributes:
        wanted: what was expected, with the result's own values wherever those are as they should
            be, so that both differ only where something is wrong.
    """

    def __init__(
        self,
        message: str,
        *,
        wanted: Json,
        code: str = "TM514",
        hint: str | None = None,
        at: Location | None = None,
        details: Sequence[Detail] = (),
    ) -> None:
        super().__init__(message, code=code, hint=hint, at=at, details=details)
        self.wanted = wanted


def judge(report: Report, fixture: Fixture) -> Report:
    """Return the report as the fixture sees it: what does not hold is TM514.

    A run that fails with the code that the fixture names is well.
    """
    found = report.error.code if report.error else None
    if fixture.error is None and found is not None:
        return _with_way_out(report, fixture, found)
    details = list(_failures(report, fixture, found))
    if not details:
        return replace(report, ok=True, error=None)
    message = f"case '{fixture.name}' of '{report.tool}' is not as expected: " + "; ".join(
        detail.message for detail in details
    )
    return replace(report, ok=False, error=_error(message, details, fixture, report.result))


def _error(message: str, details: Sequence[Detail], fixture: Fixture, result: Json) -> ToolError:
    """Return the error of a case; with what was expected where the result is the difference."""
    if fixture.expect is ABSENT or not any(compare(fixture.expect, result)):
        return ToolError(message, code="TM514", details=details)
    wanted = agreed(fixture.expect, result)
    hint = "if the new result is right, the same command with --update writes it into the case"
    return ExpectationError(message, wanted=wanted, details=details, hint=hint)


def _with_way_out(report: Report, fixture: Fixture, found: str) -> Report:
    """Return a failed run as it is; where the case names this status, with how to expect it."""
    error = report.error
    if error is None or fixture.status is None or fixture.status != _last_status(report):
        return report
    hint = f"a case that is to fail says so: error: {found}, beside its status"
    error.hint = f"{error.hint}\n{hint}" if error.hint else hint
    return report


def _last_status(report: Report) -> int | None:
    return report.http[-1].status if report.http else None


def _failures(report: Report, fixture: Fixture, found: str | None) -> Iterator[Detail]:
    if fixture.error != found:
        got = f"it ended with {found}" if found else "it ended well"
        yield Detail("error", f"expected the error {fixture.error}, but {got}")
        return
    if fixture.expect is not ABSENT and found is None:
        yield from compare(fixture.expect, report.result)
    status = _last_status(report)
    if fixture.status is not None and status != fixture.status:
        yield Detail("status", f"expected the HTTP status {fixture.status}, got {status}")
    if fixture.max_ms is not None and report.duration_ms > fixture.max_ms:
        took = f"{report.duration_ms:.0f} ms"
        yield Detail("max_ms", f"expected at most {fixture.max_ms:g} ms, it took {took}")


def compare(expected: Json, result: Json, path: str = "") -> Iterator[Detail]:
    """Yield each place where a result is not as expected, with its dot path.

    Texts like `<number>` match by kind; everything else must be equal, `1` and `true` apart.
    """
    if isinstance(expected, str) and expected in _KINDS:
        if not _KINDS[expected](result):
            yield _mismatch(path, expected, result)
    elif isinstance(expected, Mapping) and isinstance(result, Mapping):
        yield from _compare_mappings(expected, result, path)
    elif isinstance(expected, list) and isinstance(result, list):
        yield from _compare_lists(expected, result, path)
    elif expected != result or isinstance(expected, bool) != isinstance(result, bool):
        yield _mismatch(path, expected, result)


def _compare_mappings(
    expected: Mapping[str, Any], result: Mapping[str, Any], path: str
) -> Iterator[Detail]:
    for key, value in expected.items():
        where = f"{path}.{key}" if path else key
        if key not in result:
            yield Detail(where, f"{where} is missing")
        else:
            yield from compare(value, result[key], where)
    for key in result:
        if key not in expected:
            where = f"{path}.{key}" if path else key
            yield Detail(where, f"{where} is not expected: `expect` does not name it")


def _compare_lists(expected: list[Any], result: list[Any], path: str) -> Iterator[Detail]:
    if len(expected) != len(result):
        yield Detail(
            path, f"{path or 'the result'} has {len(result)} elements, expected {len(expected)}"
        )
        return
    for position, (want, got) in enumerate(zip(expected, result, strict=True)):
        yield from compare(want, got, f"{path}.{position}" if path else str(position))


def agreed(expected: Json, result: Json) -> Json:
    """Return what was expected, with the result's values wherever those are as expected.

    Keys stand in the order of the result, so that the two can be compared line by line.
    """
    if not any(compare(expected, result)):
        return result
    if isinstance(expected, Mapping) and isinstance(result, Mapping):
        keys = [
            *(key for key in result if key in expected),
            *(k for k in expected if k not in result),
        ]
        return {
            key: agreed(expected[key], result[key]) if key in result else expected[key]
            for key in keys
        }
    if isinstance(expected, list) and isinstance(result, list):
        pairs = [agreed(want, got) for want, got in zip(expected, result, strict=False)]
        return pairs + expected[len(pairs) :]
    return expected


def updated(expected: Json, result: Json) -> Json:
    """Return the result as a new expectation: markers and values that hold stay as they are."""
    if not any(compare(expected, result)):
        return expected
    if isinstance(expected, Mapping) and isinstance(result, Mapping):
        kept = [key for key in expected if key in result]
        added = [key for key in result if key not in expected]
        return {
            **{key: updated(expected[key], result[key]) for key in kept},
            **{key: result[key] for key in added},
        }
    if isinstance(expected, list) and isinstance(result, list):
        pairs = [updated(want, got) for want, got in zip(expected, result, strict=False)]
        return pairs + result[len(pairs) :]
    return result


def _mismatch(path: str, expected: Json, result: Json) -> Detail:
    return Detail(path, f"{path or 'the result'} is {_short(result)}, expected {_short(expected)}")


def _short(value: Json, limit: int = 120) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[:limit] + "..."
