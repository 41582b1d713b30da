"""Words as the knowledge search compares them."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.builtin.words import (
    MAX_QUERY_WORDS,
    fold,
    folded_words,
    match_expression,
    query_words,
)


def finds(query, text):
    words = folded_words(text)
    return all(word.count_in(words) for word in query_words(query))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Rückgabe", "Die RÜCKGABE ist frei"),
        ("rueckgabe", "Rückgabe"),
        ("Rückgabe", "Rueckgabe"),
        ("ruckgabe", "Rückgabe"),
        ("Ru\u0308ckgabe", "Rückgabe"),
        ("Strasse", "Straße 7"),
        ("Straße", "STRASSE"),
        ("Rechnungen", "Ihre Rechnungsnummer"),
        ("Häuser", "Das Haus"),
        ("Lieferung", "wir liefern"),
        ("invoices", "an invoice"),
        ("returning", "the return policy"),
        ("policies", "our policy"),
        ("shipping", "shipment by post"),
        ("café", "Cafe"),
        ("Tee", "Teesorten"),
        ("INV-2026-001", "Rechnung INV-2026-001 vom Mai"),
        ("30 Tage", "innerhalb von 30 Tagen"),
    ],
)
def test_a_word_is_found_in_its_other_forms(query, text):
    assert finds(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [("30", "300"), ("Rose", "Hose"), ("Gabe", "Rückgabe"), ("Ei", "Eisen"), ("2026", "20261")],
)
def test_another_word_is_not_found(query, text):
    assert not finds(query, text)


def test_stop_words_count_only_where_there_are_no_others():
    assert [word.exact[0] for word in query_words("Wie lange ist die Frist?")] == ["lange", "frist"]
    assert [word.exact[0] for word in query_words("wie ist das")] == ["wie", "ist", "das"]
    assert [word.exact[0] for word in query_words("What is the price")] == ["price"]


def test_a_query_is_bounded_and_each_word_counts_once():
    assert len(query_words(" ".join(f"wort{n}" for n in range(100)))) == MAX_QUERY_WORDS
    assert len(query_words("Tulpe tulpe TULPE")) == 1
    assert all(len(word.exact[0]) <= 64 for word in query_words("x" * 5000))


def test_a_query_of_marks_alone_has_no_words():
    assert query_words('"*" - + ( ) : ^ \u0301 _') == []
    assert query_words("") == []


def test_folding_is_the_same_in_every_form():
    assert fold("GRÜSSE") == fold("Grüße") == fold("gru\u0308sse") == "grusse"


HOSTILE = [
    'a" OR b',
    "NEAR(a b)",
    "a*",
    "-a",
    "a AND",
    "NOT a",
    "heading: a",
    "^a",
    "a\0b",
    "'; --",
]


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)))
def test_no_query_is_part_of_the_databases_language(query):
    words = query_words(query)
    if not words:
        return
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x)")
        expression = match_expression(words)
        assert connection.execute("SELECT x FROM t WHERE t MATCH ?", (expression,)).fetchall() == []
