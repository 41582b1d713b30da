from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tm.errors import ConfigError
from tm.grammar.cron_times import matches_between, minute_of, next_match, time_zone

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("expression", "after", "expected"),
    [
        ("* * * * *", "2026-05-04T10:00:30+00:00", "2026-05-04T10:01:00+00:00"),
        ("* * * * *", "2026-05-04T10:00:00+00:00", "2026-05-04T10:01:00+00:00"),
        ("15 2 * * *", "2026-05-04T10:00:00+00:00", "2026-05-05T02:15:00+00:00"),
        ("@daily", "2026-05-04T10:00:00+00:00", "2026-05-05T00:00:00+00:00"),
        ("0 7 * * mon", "2026-05-05T10:00:00+00:00", "2026-05-11T07:00:00+00:00"),
        ("0 7 * * 7", "2026-05-04T10:00:00+00:00", "2026-05-10T07:00:00+00:00"),
        ("0 0 13 * 5", "2026-05-05T10:00:00+00:00", "2026-05-08T00:00:00+00:00"),
        ("0 0 */2 * 5", "2026-05-05T10:00:00+00:00", "2026-05-15T00:00:00+00:00"),
        ("5/20 9 * jan-mar *", "2026-05-05T10:00:00+00:00", "2027-01-01T09:05:00+00:00"),
        ("0 4 29 2 *", "2026-05-05T10:00:00+00:00", "2028-02-29T04:00:00+00:00"),
    ],
)
def test_the_next_minute_in_utc(expression: str, after: str, expected: str) -> None:
    assert next_match(expression, at(after), UTC) == at(expected)


@pytest.mark.parametrize(
    ("expression", "after", "expected"),
    [
        # Clocks go forward at 2:00 on 29 March: 2:30 does not exist and runs right behind.
        ("30 2 * * *", "2026-03-28T12:00:00+01:00", "2026-03-29T03:00:00+02:00"),
        # They go back at 3:00 on 25 October: 2:30 comes twice and runs once.
        ("30 2 * * *", "2026-10-24T12:00:00+02:00", "2026-10-25T02:30:00+02:00"),
        ("30 2 * * *", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"),
        ("30 * * * *", "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"),
        ("0 12 * * *", "2026-07-01T09:00:00+00:00", "2026-07-01T12:00:00+02:00"),
    ],
)
def test_days_of_23_and_25_hours(expression: str, after: str, expected: str) -> None:
    found = next_match(expression, at(after), BERLIN)
    # An hour that comes twice is equal to nothing in another zone, so the texts are compared.
    assert found is not None
    assert found.isoformat() == expected


@pytest.mark.parametrize("expression", ["0 0 30 2 *", "0 0 31 4,6 *"])
def test_what_never_comes_has_no_next_minute(expression: str) -> None:
    assert next_match(expression, at("2026-05-05T10:00:00+00:00"), UTC) is None
    long_ago, now = at("2000-01-01T00:00+00:00"), at("2026-01-01T00:00+00:00")
    assert not matches_between(expression, long_ago, now, UTC)


def test_the_bounds_are_later_than_the_first_and_not_later_than_the_last() -> None:
    noon, later = at("2026-05-04T12:00+00:00"), at("2026-05-04T12:05+00:00")
    assert not matches_between("0 12 * * *", noon, later, UTC)
    assert matches_between("5 12 * * *", noon, later, UTC)
    assert not matches_between("6 12 * * *", noon, later, UTC)


def test_an_expression_that_is_none_is_told() -> None:
    with pytest.raises(ConfigError, match="minute"):
        next_match("61 * * * *", at("2026-05-04T12:00+00:00"), UTC)


def test_a_minute_is_one_in_utc() -> None:
    assert minute_of(at("2026-05-04T14:05:59.9+02:00")) == at("2026-05-04T12:05+00:00")


@pytest.mark.parametrize("name", ["Europe/Brlin", "", "../etc/passwd", None, 7])
def test_a_zone_that_is_none_is_told(name: object) -> None:
    with pytest.raises(ConfigError, match="no time zone") as caught:
        time_zone(name)
    assert caught.value.code == "TM405"


def test_the_nearest_zone_is_named() -> None:
    with pytest.raises(ConfigError, match="Europe/Berlin"):
        time_zone("Europe/Brlin")
    assert time_zone("UTC") is UTC
