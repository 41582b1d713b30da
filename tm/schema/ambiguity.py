"""Finding patterns that can take exponential time, without running them.

A backtracking matcher is exponential where one text can lead from a place in the pattern back to
the same place in two ways: then n repeats of it can be read in 2^n ways. The pattern is turned
into its position automaton (Glushkov), whose transitions count how many ways lead from one
position to the next, and two walks through it are compared step by step (Weber and Seidl's
criterion EDA). Bounded repeats of more than 8 count as endless, since 2^20 is endless enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from tm.records import field, record
from tm.schema.pattern_chars import CHARS, EDGE, sample_mask

_TREE: Final[Any] = re._parser  # type: ignore[attr-defined]  # has no stub
_MOST_COPIES: Final = 8
_FEW_COPIES: Final = 2
_MOST_POSITIONS: Final = 400
_MOST_STEPS: Final = 100_000
_TWICE: Final = re.compile(r"\((?:\?:)?((?:\\.|[^()|\[\]\\])+)\|\1\)[*+]")

Ways = dict[int, int]
"""Position to the number of ways that lead there; 2 stands for more."""


@record(frozen=False)
class _Part:
    """A piece of a pattern: where it can begin and end, and in how many ways it can be empty."""

    empty: int = 1
    first: Ways = field(default_factory=dict)
    last: Ways = field(default_factory=dict)


class _TooLargeError(Exception):
    """More positions than are worth comparing."""


class _Automaton:
    """The position automaton of one pattern."""

    def __init__(self, most_copies: int) -> None:
        self._most_copies = most_copies
        self.masks: list[int] = []
        self.follow: list[Ways] = []
        self.apart: list[Any] = []

    def position(self, mask: int) -> _Part:
        """Add a position that matches the samples of a mask."""
        if len(self.masks) >= _MOST_POSITIONS:
            raise _TooLargeError
        self.masks.append(mask)
        self.follow.append({})
        number = len(self.masks) - 1
        return _Part(0, {number: 1}, {number: 1})

    def sequence(self, items: Iterable[Any]) -> _Part:
        """Add pieces one after the other."""
        whole = _Part()
        for item in items:
            whole = self._join(whole, self._piece(item))
        return whole

    def _join(self, left: _Part, right: _Part) -> _Part:
        self._connect(left.last, right.first)
        return _Part(
            min(2, left.empty * right.empty),
            _add(left.first, right.first, left.empty),
            _add(right.last, left.last, right.empty),
        )

    def _connect(self, ends: Ways, starts: Ways) -> None:
        for end, ways in ends.items():
            self.follow[end] = _add(self.follow[end], starts, ways)

    def _piece(self, item: Any) -> _Part:
        kind, value = str(item[0]), item[1]
        if kind in CHARS:
            return self.position(sample_mask(kind, value))
        if kind == "AT" and "BOUNDARY" not in str(value):
            return self.position(EDGE)
        if kind in {"MAX_REPEAT", "MIN_REPEAT"}:
            return self._repeat(*value)
        if kind == "BRANCH":
            return self._branch(value[1])
        if kind == "SUBPATTERN":
            return self.sequence(value[-1])
        return self._other(kind, value)

    def _other(self, kind: str, value: Any) -> _Part:
        if kind == "GROUPREF_EXISTS":
            return self._branch([value[1], value[2] or []])
        if kind in {"ASSERT", "ASSERT_NOT"}:
            self.apart.append(value[1])
        elif kind in {"ATOMIC_GROUP", "POSSESSIVE_REPEAT"}:
            # Never entered again once left: looked at by itself.
            self.apart.append(value if kind == "ATOMIC_GROUP" else value[2])
        return _Part()

    def _branch(self, branches: Iterable[Any]) -> _Part:
        whole = _Part(0)
        for branch in branches:
            part = self.sequence(branch)
            whole.empty = min(2, whole.empty + part.empty)
            whole.first = _add(whole.first, part.first, 1)
            whole.last = _add(whole.last, part.last, 1)
        return whole

    def _repeat(self, least: int, most: int, body: Any) -> _Part:
        shortest, longest = body.getwidth()
        if most > self._most_copies and (least != most or shortest != longest):
            return self._loop(body, least)
        most = min(most, self._most_copies)
        needed = self._copies(body, min(least, most))
        return self._join(needed, self._optional(body, most - min(least, most)))

    def _loop(self, body: Any, least: int) -> _Part:
        part = self.sequence(body)
        self._connect(part.last, part.first)
        # An empty round is not tried twice, so it adds no way.
        return _Part(part.empty if least else 1, part.first, part.last)

    def _copies(self, body: Any, count: int) -> _Part:
        whole = _Part()
        for _ in range(count):
            whole = self._join(whole, self.sequence(body))
        return whole

    def _optional(self, body: Any, count: int) -> _Part:
        """Add `(b(b(b)?)?)?`: a copy is tried only after the one before it."""
        whole = _Part()
        for _ in range(count):
            whole = self._join(self.sequence(body), whole)
            whole.empty = 1
        return whole


def _add(into: Ways, more: Ways, times: int) -> Ways:
    if not times:
        return into
    summed = dict(into)
    for position, ways in more.items():
        summed[position] = min(2, summed.get(position, 0) + ways * times)
    return summed


def is_exponential(pattern: str) -> bool:
    """Tell whether a pattern can take time that doubles with each character.

    Args:
        pattern: one that Python compiles.
    """
    # Python reads (a|a) as the set [aa], which hides the two ways from the tree below.
    if _TWICE.search(pattern):
        return True
    waiting: list[Any] = [_TREE.parse(pattern)]
    while waiting:
        automaton = _build(waiting.pop())
        if automaton is None:
            continue
        if _is_ambiguous(automaton):
            return True
        waiting.extend(automaton.apart)
    return False


def _build(tree: Any) -> _Automaton | None:
    """Build the automaton; None for a pattern that is too large even with few copies."""
    for most_copies in (_MOST_COPIES, _FEW_COPIES):
        automaton = _Automaton(most_copies)
        with suppress(_TooLargeError):
            automaton.sequence(tree)
            return automaton
    return None


def _is_ambiguous(automaton: _Automaton) -> bool:
    component = _components(len(automaton.masks), automaton.follow)
    for start, ways in enumerate(automaton.follow):
        if any(n > 1 and component[end] == component[start] for end, n in ways.items()):
            return True
    return _has_double_walk(automaton, component)


def _has_double_walk(automaton: _Automaton, component: list[int]) -> bool:
    """Tell whether two different walks over one text lead from a position back to itself."""
    pairs = [(position, position) for position in range(len(automaton.masks))]
    numbers = {pair: number for number, pair in enumerate(pairs)}
    follow: list[Ways] = []
    steps = 0
    while len(follow) < len(pairs):
        found = set(_next_pairs(automaton, component, pairs[len(follow)]))
        steps += len(found)
        if steps > _MOST_STEPS:
            return False
        for pair in found:
            if pair not in numbers:
                numbers[pair] = len(pairs)
                pairs.append(pair)
        follow.append({numbers[pair]: 1 for pair in found})
    of = _components(len(pairs), follow)
    single = {of[number] for number, (p, q) in enumerate(pairs) if p == q}
    return any(of[number] in single for number, (p, q) in enumerate(pairs) if p != q)


def _next_pairs(
    automaton: _Automaton, component: list[int], pair: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield where two walks can go with one and the same character, inside a loop."""
    home = component[pair[0]]
    lefts, rights = ([p for p in automaton.follow[n] if component[p] == home] for n in pair)
    for p in lefts:
        for q in rights:
            if automaton.masks[p] & automaton.masks[q]:
                yield min(p, q), max(p, q)


def _components(count: int, follow: list[Ways]) -> list[int]:
    """Return the strongly connected component of each node (Tarjan, without recursion)."""
    order: list[int] = [-1] * count
    low = [0] * count
    component = [-1] * count
    open_nodes: list[int] = []
    clock = 0
    for root in range(count):
        work = [(root, iter(follow[root]))] if order[root] < 0 else []
        while work:
            node, ends = work[-1]
            if order[node] < 0:
                order[node] = low[node] = clock
                clock += 1
                open_nodes.append(node)
            below = next((end for end in ends if component[end] < 0), None)
            if below is not None:
                if order[below] < 0:
                    work.append((below, iter(follow[below])))
                else:
                    low[node] = min(low[node], order[below])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            while low[node] == order[node] and component[node] < 0:
                component[open_nodes.pop()] = node
    return component
