"""Cron expressions: what they name, and what is refused in words."""

from __future__ import annotations

import pytest

from tm.errors import ConfigError
from tm.grammar.cron import NICKNAMES, parse_cron


def test_each_field_names_its_numbers():
    cron = parse_cron("5,10-12 */6 1 feb-APR mon,5")
    assert cron.minutes == {5, 10, 11, 12}
    assert cron.hours == {0, 6, 12, 18}
    assert cron.days == {1}
    assert cron.months == {2, 3, 4}
    assert cron.weekdays == {1, 5}
    assert (cron.any_day, cron.any_weekday) == (False, False)


def test_seven_and_zero_are_sunday():
    assert parse_cron("0 0 * * 7").weekdays == parse_cron("0 0 * * SUN").weekdays == {0}
    assert parse_cron("0 0 * * 5-7").weekdays == {0, 5, 6}


def test_a_step_from_a_number_goes_on_to_the_end():
    assert parse_cron("5/20 * * * *").minutes == {5, 25, 45}


@pytest.mark.parametrize("name", [*NICKNAMES, "@DAILY"])
def test_nicknames_stand_for_five_fields(name):
    assert parse_cron(name) == parse_cron(NICKNAMES[name.lower()])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("61 6 * * 1-5", "minute is 0 to 59, not '61'"),
        ("0 6 * *", "it has 4 fields, not 5"),
        ("", "it has 0 fields"),
        ("0 0 * 0 *", "month is 1 to 12 or jan to dec, not '0'"),
        ("0 0 * juni *", "did you mean 'jun'?"),
        ("0 0 * * 5-1", "runs backwards"),
        ("*/0 * * * *", "has a step of 0"),
        ("*/99999 * * * *", "has a step of 99999"),
        ("0000 * * * *", "not '0000'"),
        ("*-3 * * * *", "is no number, range or step"),
        ("0 0 L * *", "not 'L'"),
        ("1,,2 * * * *", "'' is no number"),
        ("@dayly", "did you mean '@daily' or"),
        ("٣ * * * *", "is no number"),
    ],
)
def test_what_is_no_expression_is_refused_in_words(text, words):
    with pytest.raises(ConfigError) as caught:
        parse_cron(text)
    assert caught.value.code == "TM405"
    assert words in caught.value.message
    assert "1-5" in (caught.value.hint or "")
