"""Single values of a tenant as JSON: numbers, dates, enums, keys, fields of dataclasses.

What lives here: one value at a time. What must not: walking lists and mappings (`results`).
Types are compared exactly and methods are called on the builtin class, so that no code of the
tenant runs: a class may lie about itself to isinstance.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time, timezone
from types import MemberDescriptorType
from typing import Any, Final, TypeAlias

from tm.model import Json

# Python refuses to write integers of more than 4,300 digits (sys.int_info).
MAX_INT_BITS: Final = 14_000
# Decimals from here on are floats, which end at 1.8e308: nobody wants 10**300 written out.
MAX_EXACT_DIGITS: Final = 300

Key: TypeAlias = str | int


class NotJsonError(Exception):
    """Why a value is no JSON.

    Attributes:
        why: the end of a sentence that begins with the value's path.
        hint: what to return instead, or None.
        keys: on the way to the value, innermost first; added while the error rises.
    """

    def __init__(self, why: str, hint: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint
        self.keys: list[Key] = []


def convert_int(value: int) -> int:
    """Return an integer that Python can write as text.

    Raises:
        NotJsonError: for one of more than 4,200 digits.
    """
    if value.bit_length() > MAX_INT_BITS:
        raise NotJsonError("is an integer of more than 4,200 digits", "return it as text")
    return value


def convert_float(value: float) -> float:
    """Return a finite float.

    Raises:
        NotJsonError: for NaN and Infinity.
    """
    if math.isfinite(value):
        return value
    word = "NaN" if math.isnan(value) else "Infinity"
    raise NotJsonError(f"holds {word}, which JSON does not have", "return None instead")


def _decimal(value: Any) -> int | float:
    """Return a Decimal as a number: exact without a fraction part, else the nearest float."""
    if not value.is_finite():
        return convert_float(math.nan if value.is_nan() else math.inf)
    if value.as_tuple().exponent >= 0 and value.adjusted() < MAX_EXACT_DIGITS:
        return int(value)
    number = float(value)
    if math.isinf(number):
        raise NotJsonError("is a Decimal beyond the range of numbers", "return str(...) of it")
    return number


def _moment(value: datetime | time) -> str:
    """Return a date with a time, or a time, as ISO text.

    Raises:
        NotJsonError: for a tzinfo class of the tenant's, which would run its code.
    """
    zoneinfo = sys.modules.get("zoneinfo")
    known = {type(None), timezone, zoneinfo.ZoneInfo if zoneinfo else timezone}
    if type(value.tzinfo) not in known:
        raise NotJsonError("has a time zone of its own class", "return .isoformat() of it")
    return value.isoformat()


def scalar_converter(kind: type) -> Callable[[Any], Json] | None:
    """Return how a value of exactly this type becomes JSON, or None.

    Modules that are not loaded can't have made the value, and are not loaded for it.
    """
    if kind is datetime or kind is time:
        return _moment
    if kind is date:
        return date.isoformat
    decimal, uuid = sys.modules.get("decimal"), sys.modules.get("uuid")
    if decimal is not None and kind is decimal.Decimal:
        return _decimal
    if uuid is not None and kind is uuid.UUID:
        return str
    return None


def bases_of(kind: type) -> tuple[type, ...]:
    """Return a class and its bases in method resolution order, whatever its metaclass says."""
    bases: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return bases


def _name_of(kind: type) -> str:
    """Return a class's name, whatever its metaclass says."""
    name: str = type.__dict__["__name__"].__get__(kind)
    return name


def _members(kind: type) -> Mapping[str, Any]:
    """Return what a class itself defines, whatever its metaclass says."""
    members: Mapping[str, Any] = type.__dict__["__dict__"].__get__(kind)
    return members


def is_enum(kind: type) -> bool:
    """Tell whether a class is an enum of the standard library's making."""
    enum = sys.modules.get("enum")
    return enum is not None and type(kind) is enum.EnumType


def enum_value(member: object) -> Any:
    """Return a member's value; `.value` may be the tenant's own property."""
    return object.__getattribute__(member, "__dict__")["_value_"]


def is_dataclass(kind: type) -> bool:
    """Tell whether a class, or a base of it, is a dataclass."""
    return _declared(kind) is not None


def _declared(kind: type) -> Mapping[str, Any] | None:
    """Return the fields that the nearest dataclass among the bases declares."""
    for base in bases_of(kind):
        fields = _members(base).get("__dataclass_fields__")
        if type(fields) is dict:
            return fields
    return None


def field_values(value: object, kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a dataclass with their values, without running its properties.

    Raises:
        NotJsonError: for a field without a value.
    """
    declared = sys.modules["dataclasses"].Field  # a dataclass is here, so its module is
    for name, field in (_declared(kind) or {}).items():
        # ClassVar and InitVar are declared too; another type is the tenant's own object.
        if type(field) is declared and field._field_type.name == "_FIELD":
            yield name, _field_value(value, kind, name)


def _field_value(value: object, kind: type, name: str) -> Any:
    """Return one field: from its slot, the instance's mapping, or the class's default."""
    found = next(
        (_members(base)[name] for base in bases_of(kind) if name in _members(base)), _NOTHING
    )
    try:
        if type(found) is MemberDescriptorType:
            return found.__get__(value, kind)
        own: dict[str, Any] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    if name in own:
        return own[name]
    if found is _NOTHING or type(found) is MemberDescriptorType:
        raise NotJsonError(f"has no value in its field '{name}'")
    return found


_NOTHING: Final = object()

_ADVICE: Final[Mapping[str, str]] = {
    "set": "return sorted(...) of it",
    "frozenset": "return sorted(...) of it",
    "bytes": "return .decode() of it, or base64 text",
    "bytearray": "return .decode() of it, or base64 text",
    "timedelta": "return .total_seconds() of it",
    "generator": "return list(...) of it",
    "map": "return list(...) of it",
    "filter": "return list(...) of it",
    "zip": "return list(...) of it",
    "range": "return list(...) of it",
    "deque": "return list(...) of it",
    "dict_keys": "return list(...) of it",
    "dict_values": "return list(...) of it",
    "dict_items": "return dict(...) of it",
    "mappingproxy": "return dict(...) of it",
    "Fraction": "return float(...) of it",
    "complex": "return its parts as two numbers",
}


def refused(kind: type) -> NotJsonError:
    """Return the error for a value of a type that has no JSON form."""
    name = _name_of(kind)
    advice = _ADVICE.get(name, "return its data as mappings, lists, texts and numbers")
    return NotJsonError(f"is of type {name}, which has no JSON form", advice)


def key_text(key: Any) -> str:
    """Return a key as text, as `json.dumps` writes it; dates and enums by their values.

    Raises:
        NotJsonError: for a key that has no text form, such as a tuple.
    """
    kind = type(key)
    if kind is str:
        return str(key)
    if key is None or kind is bool:
        return {None: "null", True: "true", False: "false"}[key]
    if kind is int:
        return str(convert_int(key))
    if kind is float:
        return repr(convert_float(key))
    converter = scalar_converter(kind)
    if converter is not None:
        return str(converter(key))
    if is_enum(kind):
        return key_text(enum_value(key))
    return _subclass_key(key, kind)


def _subclass_key(key: Any, kind: type) -> str:
    bases = bases_of(kind)
    if str in bases:
        return str.__str__(key)
    if int in bases:
        return str(convert_int(int.__int__(key)))
    if float in bases:
        return repr(convert_float(float.__float__(key)))
    raise NotJsonError(f"has a key of type {_name_of(kind)}", "use text as keys")
