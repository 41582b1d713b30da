"""Which characters a piece of a pattern matches, by a set of sample characters."""

from __future__ import annotations

from typing import Any, Final

CHARS: Final = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN", "RANGE", "CATEGORY", "GROUPREF"})
"""Names of the pieces that match a single character; a back reference counts as one."""

SAMPLES: Final = (
    *(chr(code) for code in range(128)),
    *"\xa0ßäéΩжא٣\u2003漢\uffef😀",
)
"""Every ASCII character, and some of each kind beyond."""

_ALL: Final = (1 << len(SAMPLES)) - 1
_OTHER: Final = 1 << len(SAMPLES)
# Stands for a character that is named in the pattern and is no sample.
EDGE: Final = _OTHER << 1
"""`^` and `$`, as characters of their own: nothing comes before or after them."""


def _mask(matches: Any) -> int:
    return sum(1 << index for index, char in enumerate(SAMPLES) if matches(char))


_CATEGORIES: Final = {
    "CATEGORY_DIGIT": _mask(str.isdecimal),
    "CATEGORY_SPACE": _mask(str.isspace),
    "CATEGORY_WORD": _mask(lambda char: char.isalnum() or char == "_"),
}


def sample_mask(kind: str, value: Any) -> int:
    """Return the samples that a piece of a parsed pattern matches, as bits."""
    if kind == "LITERAL":
        return _mask(lambda char: ord(char) == value) or _OTHER
    if kind == "RANGE":
        low, high = value
        return _mask(lambda char: low <= ord(char) <= high) or _OTHER
    if kind == "CATEGORY":
        return _category(str(value))
    if kind == "NOT_LITERAL":
        return _ALL & ~_mask(lambda char: ord(char) == value) | _OTHER
    if kind == "IN":
        return _set(value)
    return _ALL | _OTHER


def _category(name: str) -> int:
    if "_NOT_" in name:
        return (_ALL & ~_CATEGORIES[name.replace("_NOT_", "_")]) | _OTHER
    return _CATEGORIES[name]


def _set(items: list[Any]) -> int:
    negated = str(items[0][0]) == "NEGATE"
    mask = 0
    for kind, value in items[1:] if negated else items:
        mask |= sample_mask(str(kind), value)
    return (_ALL & ~mask) | _OTHER if negated else mask
