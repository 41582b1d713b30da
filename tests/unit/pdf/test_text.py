"""Text of a page, made what a person would have typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.pdf.text import clean_text, join_pages


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("capi\ufffetals, as shown", "capitals, as shown"),
        ("RECOM\x02\r\nMENDED", "RECOMMENDED"),
        ("language-agnostic", "language-agnostic"),
        ("self-\r\ncontained", "self-\ncontained"),
        ("\ufb01nden, Schi\ufb00e, \ufb03", "finden, Schiffe, ffi"),
        ("Rü\xadcken", "Rücken"),
        ("Stra\u0308ucher", "Sträucher"),
        ("a\x00b\x07c\ufeffd\uffffe", "abcde"),
        ("a\ud800b\udfffc", "abc"),
        ("one \t\r\ntwo\rthree\x0cfour\u2028five", "one\ntwo\nthree\nfour\nfive"),
        ("head\n\n\n\n\nbody", "head\n\nbody"),
        ("  \r\n text \r\n ", "text"),
        ("\ufefb\ufe8e", "\u0644\u0627\u0627"),
        ("10 m², ½ l, \uff2e\uff4f", "10 m², ½ l, \uff2e\uff4f"),
        ("tab\tstays", "tab\tstays"),
    ],
)
def test_what_only_the_printed_page_needed_is_gone(raw, text):
    assert clean_text(raw) == text


def test_pages_are_parted_by_an_empty_line_and_empty_ones_leave_no_gap():
    assert join_pages(["one", "", "two"]) == "one\n\ntwo"


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_comes_out_as_utf_8_without_control_characters(raw):
    text = clean_text(raw)
    assert text.encode("utf-8").decode("utf-8") == text
    assert not {char for char in text if char < " "} - {"\n", "\t"}
    assert clean_text(text) == text
