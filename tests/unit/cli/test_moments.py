from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tm.cli.moments import read_moment
from tm.errors import UsageError

NOW = datetime(2026, 5, 4, 14, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def two_hours_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "XYZ-2")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30d", datetime(2026, 4, 4, 14, 30, tzinfo=UTC)),
        ("2h", datetime(2026, 5, 4, 12, 30, tzinfo=UTC)),
        ("15m", datetime(2026, 5, 4, 14, 15, tzinfo=UTC)),
        ("45s", datetime(2026, 5, 4, 14, 29, 15, tzinfo=UTC)),
        ("1w", datetime(2026, 4, 27, 14, 30, tzinfo=UTC)),
        ("2026-05-01", datetime(2026, 4, 30, 22, 0, tzinfo=UTC)),
        ("2026-05-01T10:00", datetime(2026, 5, 1, 8, 0, tzinfo=UTC)),
        ("2026-05-01T10:00:00Z", datetime(2026, 5, 1, 10, 0, tzinfo=UTC)),
        ("10:15", datetime(2026, 5, 4, 8, 15, tzinfo=UTC)),
    ],
)
def test_dates_times_and_spans_are_read(text: str, expected: datetime) -> None:
    assert read_moment(text, "--since", NOW) == expected


def test_a_bare_date_as_the_end_takes_the_whole_day() -> None:
    end = read_moment("2026-05-01", "--until", NOW, is_end=True)
    assert end == datetime(2026, 5, 1, 22, 0, tzinfo=UTC)
    exact = read_moment("2026-05-01T00:00", "--until", NOW, is_end=True)
    assert exact == datetime(2026, 4, 30, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "tomorrow", "5", "5y", "2026-13-01", "25:00", "999999999w"])
def test_anything_else_is_exit_2(text: str) -> None:
    with pytest.raises(UsageError, match="is no date, time or span"):
        read_moment(text, "--since", NOW)
