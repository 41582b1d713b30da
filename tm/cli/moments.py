"""Points in time as people type them: a date, a time, or a span back from now."""

import re
from datetime import UTC, datetime, timedelta

from tm.errors import UsageError

_SPAN = re.compile(r"(\d{1,9})([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(r"\d\d:\d\d(:\d\d)?")


def read_moment(text: str, option: str, now: datetime, *, is_end: bool = False) -> datetime:
    """Return the moment that the text means, in UTC.

    Args:
        text: `2026-05-04`, `2026-05-04T14:30`, `14:30` (today), `30d`, `2h`, `15m`, `45s`, `1w`.
            Without an offset it is the local time of this machine.
        option: for the message.
        now: aware.
        is_end: a bare date means the end of that day.

    Raises:
        UsageError: TM500 for any other text.
    """
    try:
        return _read(text.strip(), now, is_end=is_end)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"{option} {text!r} is no date, time or span",
            code="TM500",
            hint="write 2026-05-04, 2026-05-04T14:30, 14:30, 30d, 2h or 15m",
        ) from error


def read_span(text: str, option: str) -> timedelta:
    """Return a span: `30d`, `2h`, `15m`, `45s`, `1w`.

    Raises:
        UsageError: TM500 for any other text.
    """
    span = _SPAN.fullmatch(text.strip())
    try:
        if span:
            return timedelta(**{_UNITS[span[2]]: int(span[1])})
    except OverflowError:
        pass
    raise UsageError(
        f"{option} {text!r} is no span of time", code="TM500", hint="write 30d, 2h or 15m"
    )


def _read(text: str, now: datetime, *, is_end: bool) -> datetime:
    span = _SPAN.fullmatch(text)
    if span:
        return (now - timedelta(**{_UNITS[span[2]]: int(span[1])})).astimezone(UTC)
    if _CLOCK.fullmatch(text):
        text = f"{now.astimezone():%Y-%m-%d}T{text}"
    moment = datetime.fromisoformat(text).astimezone(UTC)
    return moment + timedelta(days=1) if is_end and _DAY.fullmatch(text) else moment
