"""Plain scalars mean what the YAML 1.2 core rules say, as a person expects them."""

from __future__ import annotations

import pytest

from tm.config.scalars import MERGE, TEXT, scalar_kind


@pytest.mark.parametrize(
    "text",
    [
        "no", "No", "NO", "yes", "Yes", "on", "off", "y", "n", "2026-01-31", "2026-01-31T10:00:00Z",
        "12:30", "12:30:45", "1_000", "01234", "00", "-01", "01.5", "1.2.3", "0x", "0xZZ", "0o8",
        "0b1", "+", "-", ".", "e3", "1e", "nil", "truE", "tRUE", "nULL", "inf", "nan", ".infinity",
        "1,5", "1 2", "\u0663", "<", "<<<", "5€", "\u06601", "\u0967",
    ],
)  # fmt: skip
def test_stays_text(text):
    assert scalar_kind(text) is TEXT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("null", None), ("Null", None), ("NULL", None),
        ("true", True), ("True", True), ("TRUE", True), ("false", False), ("FALSE", False),
        ("0", 0), ("-0", 0), ("7", 7), ("+7", 7), ("-12", -12), ("0o14", 12), ("0xC", 12),
        ("1.5", 1.5), ("1.", 1.0), (".5", 0.5), ("-.5", -0.5), ("0.5", 0.5), ("1e3", 1000.0),
        ("1E+3", 1000.0), ("1.10", 1.1), ("-1.5e-3", -0.0015),
        ("123456789012345678901234567890", 123456789012345678901234567890),
    ],
)  # fmt: skip
def test_reads_json_types(text, value):
    read = scalar_kind(text)
    result = read(text)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    "text", [".inf", "-.inf", "+.Inf", ".INF", ".nan", ".NaN", ".NAN", "1e999", "-1e999", "9" * 641,
             "0x" + "f" * 321]
)  # fmt: skip
def test_refuses_numbers_that_json_has_not(text):
    with pytest.raises(ValueError, match=r"."):
        scalar_kind(text)(text)


def test_longest_integer_is_read_and_prints_again():
    text = "9" * 640
    assert str(scalar_kind(text)(text)) == text


def test_merge_key_is_its_own_kind():
    assert scalar_kind("<<") is MERGE
