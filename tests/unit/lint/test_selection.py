from __future__ import annotations

import pytest

from tm.errors import UsageError
from tm.lint.selection import Selection, narrowed, read_codes


@pytest.mark.parametrize(
    ("select", "ignore", "taken"),
    [
        (None, (), True),
        (("TM1",), (), True),
        (("TM2",), (), False),
        (None, ("TM110",), False),
        (None, ("TM1",), False),
        (("TM1",), ("TM110",), False),
        (("TM110",), ("TM1",), True),
        (("TM110",), ("TM110",), False),
        ((), (), False),
        (("TM",), ("TM",), False),
    ],
)
def test_the_longer_prefix_decides(
    select: tuple[str, ...] | None, ignore: tuple[str, ...], taken: bool
) -> None:
    assert Selection(select, ignore).takes("TM110") is taken


def test_a_call_that_selects_sets_the_settings_aside() -> None:
    settings = Selection(("TM2",), ("TM110",))
    assert narrowed(Selection(("TM110",)), settings).takes("TM110")
    assert not narrowed(Selection(), settings).takes("TM110")
    assert narrowed(Selection(), settings).takes("TM201")
    assert not narrowed(Selection(None, ("TM201",)), settings).takes("TM201")


def test_codes_come_with_commas_or_several_times_in_any_case() -> None:
    assert read_codes(["tm110, TM2", "TM3,"], "--select") == ("TM110", "TM2", "TM3")


@pytest.mark.parametrize("text", ["TM999", "TM5", "TM504", "E5", "110", "*", "\x1b"])
def test_what_no_code_begins_with_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as error:
        read_codes([f"TM1,{text}"], "--select")
    assert "--select" in error.value.message


def test_the_nearest_codes_are_named() -> None:
    with pytest.raises(UsageError, match=r"near it: .*TM11"):
        read_codes(["TM11O"], "--ignore")
