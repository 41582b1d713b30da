"""The order of passages."""

from __future__ import annotations

import pytest

from tm.builtin.ranking import Candidate, scores
from tm.builtin.words import query_words


def best(query, *candidates, total=100):
    found = scores(query_words(query), candidates, total)
    assert all(0 < score < 2 for score in found)
    return found.index(max(found))


@pytest.mark.parametrize(
    ("query", "worse", "better"),
    [
        ("tee versand", Candidate("a", "", "tee tee tee"), Candidate("a", "", "tee versand")),
        ("tee", Candidate("a", "", "tee und mehr"), Candidate("a", "tee", "und mehr")),
        ("tee", Candidate("a", "", "tee mit honig"), Candidate("a", "", "tee und tee")),
        ("tee", Candidate("a", "", "tee " + "wort " * 50), Candidate("a", "", "tee wort")),
        ("rechnung", Candidate("a", "", "rechnungen da"), Candidate("a", "", "rechnung da")),
        ("versand", Candidate("a", "", "versand x"), Candidate("versand", "", "versand x")),
    ],
)
def test_what_fits_better_has_the_higher_score(query, worse, better):
    assert best(query, worse, better) == 1
    assert best(query, worse, better, total=2) == 1, "in a folder of two as in a large one"


def test_a_rare_word_counts_more_than_a_common_one():
    common = [Candidate("a", "", "tee x")] * 5
    assert best("tee assam", *common, Candidate("a", "", "assam x")) == 5


def test_no_candidates_have_no_scores():
    assert scores(query_words("tee"), [], 0) == []
