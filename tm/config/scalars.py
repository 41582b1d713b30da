"""What a plain YAML scalar means: the YAML 1.2 core rules, as a person expects them.

`no`, `on`, `y`, dates, `12:30`, `1_000` and numbers with a leading zero are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Final, TypeAlias

MAX_DIGITS: Final = 640
"""Longest integer: the shortest limit that Python itself can be set to, so it always prints."""


class Mark(Enum):
    """What a node is, where nothing has to be read; no text, so that no tag can claim it."""

    TEXT = "text"
    MERGE = "merge"
    COLLECTION = "collection"


# Attributes of an enum are looked up slowly, and these are looked up for every node.
TEXT: Final = Mark.TEXT
MERGE: Final = Mark.MERGE
COLLECTION: Final = Mark.COLLECTION

Kind: TypeAlias = Mark | Callable[[str], object]

_WORDS: Final[dict[str, object]] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip

STARTS: Final = frozenset("~nNtTfF<0123456789+-.")
"""First characters of all scalars that may be something else than text."""

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def scalar_kind(value: str) -> Kind:
    """Return TEXT, MERGE (the key `<<`), or the function that reads the plain scalar.

    That function raises ValueError for a number that JSON can't hold.
    """
    if value and value[0] not in STARTS:
        return TEXT
    if value in _WORDS:
        return _WORDS.__getitem__
    if _INT.fullmatch(value):
        return _read_int
    if _FLOAT.fullmatch(value):
        return _read_float
    return _rare_kind(value)


def _rare_kind(value: str) -> Kind:
    """Go on with the forms that hardly any config has."""
    if value == "<<":
        return MERGE
    if _BASED.fullmatch(value):
        return _read_based
    return _refuse_number if _NOT_FINITE.fullmatch(value) else TEXT


def _read_int(value: str) -> int:
    """Read a decimal integer of any size that can be printed again."""
    if len(value) > MAX_DIGITS:
        raise ValueError(f"a number of {len(value):,} digits; at most {MAX_DIGITS} are read")
    return int(value)


def _read_based(value: str) -> int:
    """Read an octal (0o) or hexadecimal (0x) integer, as the core schema has them."""
    if len(value) > MAX_DIGITS // 2:
        raise ValueError("a number with too many digits")
    return int(value[2:], 8 if value[1] == "o" else 16)


def _read_float(value: str) -> float:
    """Read a number with a fraction or an exponent."""
    number = float(value)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{value[:40]} is larger than any number that JSON tools read")
    return number


def _refuse_number(value: str) -> object:
    """Refuse what JSON has no number for."""
    raise ValueError(f"{value} is no JSON value; quote it if text is meant")
