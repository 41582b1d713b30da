"""Puts passages into the order of how well they fit a query: BM25 over the best candidates.

What lives here: pure functions on folded words. What must not: databases.

FTS5's own rank is good enough to choose candidates. It gives nothing to a word that more than half
of the passages have, which in a folder of five documents is every word that matters; so the order
among the candidates is made here, with the formula that never does (log(1 + ...), as in Lucene).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from tm.builtin.words import QueryWord
from tm.records import record

_K1: Final = 1.2
_B: Final = 0.75
"""The usual constants: how soon repeats stop to count, how much long passages lose."""

_WEIGHTS: Final = (0.5, 3.0, 1.0)
"""Of a word in the place (path and headings above), the heading, the text."""


@record
class Candidate:
    """The folded words of a passage: place, heading and text, each parted by spaces."""

    place: str
    heading: str
    text: str


def scores(words: Sequence[QueryWord], candidates: Sequence[Candidate], total: int) -> list[float]:
    """Return a score between 0 and 2 for each candidate; higher is a better fit.

    It is the share of the query's words that the passage has, plus its BM25 rank r as r / (1 + r).

    Args:
        words: of the query, at least one.
        candidates: passages that have one of them.
        total: of passages in the index, at least as many as there are candidates.
    """
    counts = [[_weighted(word, one) for word in words] for one in candidates]
    lengths = [len(one.text.split()) + 1 for one in candidates]
    average = sum(lengths) / max(len(lengths), 1)
    rarity = [
        math.log(1 + (total - having + 0.5) / (having + 0.5))
        for having in (sum(row[at] > 0 for row in counts) for at in range(len(words)))
    ]
    return [
        round(_share(row) + _squashed(row, rarity, length / average), 4)
        for row, length in zip(counts, lengths, strict=True)
    ]


def _weighted(word: QueryWord, one: Candidate) -> float:
    """Return how often the passage has the word; in a heading it counts more."""
    columns = (one.place, one.heading, one.text)
    return sum(
        weight * word.count_in(column.split())
        for weight, column in zip(_WEIGHTS, columns, strict=True)
    )


def _share(row: Sequence[float]) -> float:
    return sum(count > 0 for count in row) / len(row)


def _squashed(row: Sequence[float], rarity: Sequence[float], relative_length: float) -> float:
    """Return the BM25 rank of one passage as a number below 1."""
    dampening = _K1 * (1 - _B + _B * relative_length)
    rank = sum(
        rare * count * (_K1 + 1) / (count + dampening)
        for count, rare in zip(row, rarity, strict=True)
    )
    return rank / (1 + rank)
