"""Documents cut into passages below their headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.builtin.passages import (
    MAX_CHARS,
    markdown_passages,
    page_passages,
    plain_passages,
)


def outline(passages):
    return [(one.heading, one.text) for one in passages]


def test_each_passage_has_the_nearest_heading_above_it():
    text = "intro\n\n# Tee\n\nSorten.\n\n## Grün ##\nSencha.\n\n# Versand\nPost."
    found = markdown_passages(text)
    assert outline(found) == [
        ("", "intro"), ("Tee", "Sorten."), ("Grün", "Sencha."), ("Versand", "Post."),
    ]  # fmt: skip
    assert [one.trail for one in found] == [(), (), ("Tee",), ()]


def test_underlined_lines_are_headings_and_rules_are_not():
    text = "Titel\n=====\nText.\n\nTeil\n----\nMehr.\n\n---\n\nzwei\nZeilen\n---\n"
    assert outline(markdown_passages(text)) == [
        ("Titel", "Text."), ("Teil", "Mehr.\n\n---\n\nzwei\nZeilen\n---"),
    ]  # fmt: skip
    assert outline(plain_passages("Titel\n===\n# kein Titel")) == [("Titel", "# kein Titel")]


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_mark_in_a_code_block_is_no_heading(fence):
    text = f"# Code\n{fence}sh\n# comment\n{fence}\n# After\nx"
    assert [one.heading for one in markdown_passages(text)] == ["Code", "After"]


def test_headings_are_bare_words_and_one_alone_is_a_passage():
    assert outline(markdown_passages("# **Tee** [Liste](x.md) `a`")) == [
        ("Tee Liste a", "Tee Liste a")
    ]
    assert markdown_passages("") == []
    assert outline(markdown_passages("#\ntext")) == [("", "text")]


def test_a_long_section_is_cut_between_paragraphs_then_sentences_then_anywhere():
    paragraphs = "\n\n".join(["Satz eins ist da. " * 20] * 5)
    parts = markdown_passages(f"# A\n\n{paragraphs}")
    assert len(parts) > 1
    assert {one.heading for one in parts} == {"A"}
    assert max(len(one.text) for one in parts) <= MAX_CHARS
    assert all(one.text.endswith(".") for one in markdown_passages("Ein Satz ist da. " * 200)[:-1])
    assert len(markdown_passages("x" * 2500)) == 3


def test_pages_are_named_by_their_number_and_damaged_ones_left_out():
    assert outline(page_passages(["eins", None, "", "vier"])) == [
        ("Page 1", "eins"), ("Page 4", "vier"),
    ]  # fmt: skip


@given(st.text(alphabet="ab #=-`\n.", max_size=300))
def test_any_text_keeps_its_letters_in_passages_that_are_not_too_long(text):
    found = markdown_passages(text)
    assert all(one.text.strip() and len(one.text) <= MAX_CHARS for one in found)
    kept = "".join(one.heading + one.text for one in found)
    assert kept.count("b") >= text.count("b") - sum(line.startswith("```") for line in text.split())
