"""JSON values: copying with limits, equality, and arithmetic as JSON Schema means them."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable
from typing import Any, Final

from tm.errors import Detail, join_path
from tm.model import Json

MAX_DEPTH: Final = 100
"""Levels of lists and objects in arguments. Deeper data makes validators run out of stack."""

_MAX_INT_BITS: Final = 14_000
# Python refuses to write integers of more than 4,300 digits (14,284 bits) as text.

_PLAIN: Final = frozenset({str, bool, type(None)})
_SHOWN: Final = 60


class NotJsonError(ValueError):
    """A value that JSON does not have, or that is too deep; holds where and what."""

    def __init__(self, path: tuple[object, ...], message: str) -> None:
        super().__init__(message)
        self.detail = Detail(join_path(path), message)


def copy_json(value: Json, path: tuple[object, ...] = ()) -> Json:
    """Return a copy of plain dicts and lists all the way down.

    Raises:
        NotJsonError: for another type, NaN, infinity, a key that is no text, integers of more
            than 4,000 digits, and nesting past `MAX_DEPTH`.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict or kind is list:
        return _copy_container(value, path)
    if kind is int or kind is float:
        return _checked_number(value, path)
    return _copy_subclass(value, path)


def _copy_container(value: Json, path: tuple[object, ...]) -> Json:
    if len(path) > MAX_DEPTH:
        raise NotJsonError(path[:3], f"is nested too deep: at most {MAX_DEPTH} levels")
    if isinstance(value, list):
        return [copy_json(below, (*path, index)) for index, below in enumerate(value)]
    copied = {}
    for key, below in value.items():
        if type(key) is not str:
            raise NotJsonError(path, f"has the key {key!r}, which is no text")
        # Most values are these; looking here saves a call and a path for each.
        copied[key] = below if type(below) in _PLAIN else copy_json(below, (*path, key))
    return copied


def _checked_number(value: float, path: tuple[object, ...]) -> Json:
    if isinstance(value, int):
        if value.bit_length() > _MAX_INT_BITS:
            raise NotJsonError(path, "is a number of more than 4,000 digits")
    elif not math.isfinite(value):
        raise NotJsonError(path, f"is {value}, which is no JSON number")
    return value


def _copy_subclass(value: Json, path: tuple[object, ...]) -> Json:
    # Loaders and tenant code pass subclasses (OrderedDict, IntEnum): each is taken as its base.
    bases: tuple[Any, ...] = (str, int, float, list, dict)
    for base in bases:
        if isinstance(value, base):
            return copy_json(base(value), path)
    raise NotJsonError(path, f"is no JSON value but a Python {type(value).__name__}")


def freeze(value: Json) -> Hashable:
    """Return a hashable stand-in: two are equal just where JSON Schema calls the values equal.

    1 and 1.0 are equal, true and 1 are not, the order of keys does not matter.
    """
    if isinstance(value, bool):
        return (bool, value)
    if isinstance(value, list):
        return (list, tuple(map(freeze, value)))
    if isinstance(value, dict):
        return (dict, frozenset((key, freeze(below)) for key, below in value.items()))
    frozen: Hashable = value
    return frozen


def first_repeat(values: list[Json]) -> tuple[int, int] | None:
    """Return the positions of the first two equal values, or None where all differ."""
    seen: dict[Hashable, int] = {}
    for index, value in enumerate(values):
        before = seen.setdefault(freeze(value), index)
        if before != index:
            return before, index
    return None


def is_multiple(value: float, of: float) -> bool:
    """Tell whether a number is a multiple of another, by their decimal digits.

    Binary division would say that 0.07 is no multiple of 0.01.
    """
    digits, exponent = _decimal(value)
    of_digits, of_exponent = _decimal(of)
    shift = exponent - of_exponent
    if shift >= 0:
        return bool(digits * 10**shift % of_digits == 0)
    return bool(digits % (of_digits * 10**-shift) == 0)


def _decimal(value: float) -> tuple[int, int]:
    if isinstance(value, int):
        return value, 0
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    return int(whole + fraction), int(exponent or 0) - len(fraction)


def shorten(value: Json) -> str:
    """Write a value as JSON of about 60 characters at most, for messages."""
    if isinstance(value, str):
        value = value[: _SHOWN + 1]
    written = ""
    for piece in json.JSONEncoder(ensure_ascii=False).iterencode(value):
        written += piece
        if len(written) > _SHOWN:
            return written[: _SHOWN - 1] + "…"
    return written
