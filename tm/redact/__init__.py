"""The one place that masks secrets, in every form in which a value can turn up in a text.

What lives here: `Redactor`. What must not: knowing where secrets come from, or where texts go.

A text is searched as it is, and then again after each round of undoing escapes (percent codes,
backslashes, HTML references), with the hits traced back to the text that was given. So a value is
found however much of it is encoded, and in whatever mixture (`geo/key%2B99%3D%3D`). Base64 hides
a value's letters from that, so its three possible spellings are searched for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from tm.redact.escapes import ROUNDS, Mark, Span, traced, unescaped
from tm.redact.spellings import MIN_LENGTH, Needle, as_number, needles_of

MASK: Final = "***"
"""What stands in a secret's place, whatever its length."""

# The password in `scheme://user:password@host`. A `${NAME}` in its place is no secret.
_USERINFO: Final = re.compile(
    r"""://[^\s/:@?#"'<>\\]*:(?!\$\{\w+\}@)([^\s/?#"'<>\\]+)@""",
)


class Redactor:
    """Masks a set of secret values in texts and JSON data. Safe to share between threads.

    Passwords in the userinfo of URLs are masked without being known.
    """

    __slots__ = ("_lock", "_needles", "_numbers", "_values")

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._lock = Lock()
        self._values = frozenset(value for value in values if _is_searched(value))
        self._needles, self._numbers = _prepared(self._values)

    def __repr__(self) -> str:
        """Return how many values are masked, never the values."""
        return f"Redactor({len(self._values)} values)"

    def add(self, value: str) -> None:
        """Mask this value from now on.

        Blank values and those shorter than `MIN_LENGTH` characters are ignored. Of a value of
        several lines (a PEM key), each long line is masked on its own too.
        """
        if value in self._values or not _is_searched(value):
            return
        with self._lock:
            self._values |= {value}
            self._needles, self._numbers = _prepared(self._values)

    def text(self, text: str) -> str:
        """Return the text with `***` in place of every secret.

        Mask before cutting a text to a length: half a secret is not recognized.
        """
        while spans := self._spans(text):
            text = _masked(text, spans)
        return text

    def json(self, value: Any) -> Any:
        """Return a copy of JSON data with every string masked, keys included.

        Keys that become equal get a number, so that no entry is lost. Other values keep their
        type, with one exception: a whole number that is a secret's digits becomes `***`.
        """
        root: list[Any] = [value]
        open_containers: list[list[Any] | dict[Any, Any]] = [root]
        while open_containers:
            container = open_containers.pop()
            items = container.items() if isinstance(container, dict) else enumerate(container)
            for key, item in items:
                masked = self._masked_item(item)
                container[key] = masked
                if isinstance(masked, dict | list):
                    open_containers.append(masked)
        return root[0]

    def _masked_item(self, item: Any) -> Any:
        """Return a string masked, a container as a shallow copy with masked keys."""
        if isinstance(item, str):
            return self.text(item)
        if isinstance(item, dict):
            return self._masked_keys(item)
        if isinstance(item, list | tuple):
            return list(item)
        is_number = isinstance(item, int | float) and not isinstance(item, bool)
        return MASK if is_number and item in self._numbers else item

    def _masked_keys(self, mapping: dict[Any, Any]) -> dict[Any, Any]:
        copy: dict[Any, Any] = {}
        for key, item in mapping.items():
            name = self.text(key) if isinstance(key, str) else key
            if name in copy:
                name = next(n for i in range(2, len(copy) + 3) if (n := f"{name} {i}") not in copy)
            copy[name] = item
        return copy

    def _spans(self, text: str) -> list[Span]:
        """Return where the secrets are, unsorted, also those under several layers of escapes."""
        needles = self._needles
        # Undoing escapes only makes a text shorter.
        can_hold_one = needles and len(text) >= len(needles[0].core)
        if not can_hold_one and "@" not in text and "%40" not in text:
            return []
        spans: list[Span] = []
        layers: list[list[Mark]] = []
        view = text
        for _ in range(ROUNDS):
            spans.extend(traced(span, layers) for span in _found(view, needles))
            view, marks = unescaped(view)
            if not marks:
                break
            layers.append(marks)
        return spans


def _is_searched(value: str) -> bool:
    """Tell whether a value is long enough to be searched for, and not blank."""
    return len(value) >= MIN_LENGTH and bool(value.strip())


# A secret takes a tenth of a millisecond to prepare, and every run of a tenant has the same ones.
@lru_cache(maxsize=64)
def _prepared(values: frozenset[str]) -> tuple[tuple[Needle, ...], frozenset[int]]:
    """Return what to search for to find these values: needles, shortest first, and numbers."""
    needles = {needle for value in values for needle in needles_of(value)}
    numbers = frozenset(number for value in values for number in as_number(value))
    return tuple(sorted(needles, key=lambda needle: len(needle.core))), numbers


def _found(view: str, needles: tuple[Needle, ...]) -> Iterator[Span]:
    """Yield the hits of needles, which come sorted by length, and of passwords in URLs."""
    length = len(view)
    for needle in needles:
        core = needle[0]
        if len(core) > length:
            break
        if core in view:
            yield from _occurrences(view, needle)
    if "://" in view and "@" in view:
        yield from (hit.span(1) for hit in _USERINFO.finditer(view) if hit[1] != MASK)


def _occurrences(view: str, needle: Needle) -> Iterator[Span]:
    """Yield each place, overlapping ones too: of `aaaaa` nothing may be left of secret `aaaa`."""
    core, before, after, padded = needle
    at = view.find(core)
    while at >= 0:
        start, end = at - bool(before), at + len(core) + bool(after)
        fits = start >= 0 and end <= len(view)
        if fits and (not before or view[start] in before) and (not after or view[end - 1] in after):
            while padded and view.startswith("=", end):
                end += 1
            yield start, end
        at = view.find(core, at + 1)


def _masked(text: str, spans: list[Span]) -> str:
    """Replace the spans; those that touch or overlap become one, so nothing shows between."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start > done or not parts:
            parts.append(text[done:start])
        done = max(done, end)
    return MASK.join([*parts, text[done:]])
