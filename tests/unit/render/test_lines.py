from __future__ import annotations

import pytest

from tm.render.lines import Span, columns, indented, line, pairs, plain, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("bell\x07", r"bell\x07"),
        ("over\rwritten", r"over\x0dwritten"),
        ("\x9b2J", r"\x9b2J"),
        ("evil\u202egnp.exe", r"evil\u202egnp.exe"),
        ("half \udc80", r"half \udc80"),
        ("tab\tand\nnewline", "tab\tand\nnewline"),
        ("Süderstraße 世界 ✓ [b]", "Süderstraße 世界 ✓ [b]"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_line_keeps_styles_and_drops_empty_parts() -> None:
    assert line("a", Span("", "red"), Span("b\x1b", "red")) == [
        Span("a"),
        Span(r"b\x1b", "red"),
    ]


def test_plain_text_has_no_blanks_at_its_end() -> None:
    assert plain(line("ok", Span("  ", "dim"))) == "ok"


def test_each_line_of_a_text_is_indented() -> None:
    assert [plain(row) for row in indented("a\nb", "  ")] == ["  a", "  b"]


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert columns([("a", "bb", "c"), ("aaa", "b", "cc")]) == [
        ("a    ", "bb  ", "c"),
        ("aaa  ", "b   ", "cc"),
    ]


def test_columns_of_nothing_are_nothing() -> None:
    assert columns([]) == []


def test_context_is_compact_json_and_none_is_no_text() -> None:
    assert pairs({"a": [1, "ü"]}) == '{"a":[1,"ü"]}'
    assert pairs({}) == ""
