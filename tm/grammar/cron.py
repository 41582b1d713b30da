"""Cron expressions: five fields, names, ranges, steps, lists, and `@daily` with its like."""

from __future__ import annotations

import re
from typing import Final

from tm.errors import ConfigError, did_you_mean
from tm.records import record

NICKNAMES: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_MONTHS: Final = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_PART: Final = re.compile(r"(?P<from>\*|\w+)(?:-(?P<to>\w+))?(?:/(?P<step>\d+))?", re.ASCII)


@record
class _Field:
    """One of the five: its name, its bounds, and words for its numbers, the first for `low`."""

    name: str
    low: int
    high: int
    words: tuple[str, ...] = ()


_FIELDS: Final = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of week", 0, 7, _DAYS),
)


@record
class Cron:
    """A parsed expression.

    Attributes:
        weekdays: 0 is Sunday.
        any_day, any_weekday: whether the field begins with a star. Where neither does, a day
            that either of them names is due, as cron has it.
        plain: the five fields in the words that every cron knows: stars as they stood, and
            lists of numbers.
    """

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    any_day: bool
    any_weekday: bool
    plain: str


def parse_cron(text: str) -> Cron:
    """Parse a cron expression.

    Raises:
        ConfigError: TM405, naming the field and what it takes.
    """
    given = text.strip()
    if given.startswith("@"):
        if given.lower() not in NICKNAMES:
            known = ", ".join(NICKNAMES)
            raise _fault(text, f"there are {known}{did_you_mean(given, list(NICKNAMES))}")
        given = NICKNAMES[given.lower()]
    fields = given.split()
    if len(fields) != len(_FIELDS):
        names = ", ".join(field.name for field in _FIELDS)
        raise _fault(text, f"it has {len(fields)} fields, not 5 ({names})")
    values = [_values(part, field, text) for part, field in zip(fields, _FIELDS, strict=True)]
    minutes, hours, days, months, weekdays = values
    sundays = frozenset(day % 7 for day in weekdays)
    any_day, any_weekday = fields[2].startswith("*"), fields[4].startswith("*")
    plain = " ".join(map(_plain, fields, [minutes, hours, days, months, sundays]))
    return Cron(minutes, hours, days, months, sundays, any_day, any_weekday, plain)


def _plain(given: str, values: frozenset[int]) -> str:
    is_star = re.fullmatch(r"\*(/\d+)?", given) is not None
    return given if is_star else ",".join(map(str, sorted(values)))


def _fault(text: str, why: str) -> ConfigError:
    return ConfigError(
        f"the cron expression {text!r:.60} does not parse: {why}",
        code="TM405",
        hint="minute, hour, day of month, month, day of week: '0 6 * * 1-5' is 6:00 on weekdays",
    )


def _values(given: str, field: _Field, text: str) -> frozenset[int]:
    """Return the numbers that one field names."""
    found: set[int] = set()
    for part in given.split(","):
        match = _PART.fullmatch(part)
        if match is None or (match["from"] == "*" and match["to"]):
            raise _fault(text, f"{field.name} {part!r:.30} is no number, range or step")
        step = int(match["step"] or 1)
        if step < 1 or len(match["step"] or "") > 4:
            raise _fault(text, f"{field.name} {part!r:.30} has a step of {match['step']}")
        first, last = _range(match, field, text)
        found.update(range(first, last + 1, step))
    return frozenset(found)


def _range(match: re.Match[str], field: _Field, text: str) -> tuple[int, int]:
    if match["from"] == "*":
        return field.low, field.high
    first = _number(match["from"], field, text)
    if match["to"] is None:
        # `5/15` is every fifteenth from 5 on, as in most crons.
        return first, field.high if match["step"] else first
    last = _number(match["to"], field, text)
    if last < first:
        raise _fault(text, f"{field.name} {match.group()!r:.30} runs backwards")
    return first, last


def _number(word: str, field: _Field, text: str) -> int:
    if word.lower() in field.words:
        return field.low + field.words.index(word.lower())
    if word.isdigit() and len(word) < 4 and field.low <= int(word) <= field.high:
        return int(word)
    words = f" or {field.words[0]} to {field.words[-1]}" if field.words else ""
    near = did_you_mean(word, field.words) if field.words else ""
    raise _fault(text, f"{field.name} is {field.low} to {field.high}{words}, not {word!r}{near}")
