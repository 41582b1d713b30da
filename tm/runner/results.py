"""From a tenant's value to JSON, without running the tenant's code.

What lives here: the conversion and the copies of arguments. What must not: knowing steps or
schemas. Types are compared exactly and methods are called on the builtin class, because a
subclass could run code after the guard is off.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta, timezone
from types import MemberDescriptorType
from typing import Any, Final

from tm.errors import Detail, ToolError
from tm.model import Json

NOT_JSON: Final = "TM512"
MAX_DEPTH: Final = 200
MAX_NODES: Final = 10_000_000
MAX_CHARS: Final = 50_000_000
# Python refuses to write integers of more than 4,300 digits (sys.int_info).
MAX_INT_BITS: Final = 14_000

Key = str | int


class _NotJsonError(Exception):
    """Why a value is no JSON; the keys on the way to it are added while it rises."""

    def __init__(self, why: str, hint: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint
        self.keys: list[Key] = []


def to_json(value: object, *, path: str = "$") -> Json:
    """Return a value as JSON, in new lists and mappings.

    datetime, date and time become ISO text, UUID text, Decimal a number, Enum its value,
    dataclasses mappings, tuples (named ones too) lists; keys become text as `json.dumps` does it.

    Args:
        value: what a tenant's function returned.
        path: how the value itself is called in errors.

    Raises:
        ToolError: TM512 with the path of the first value that has no JSON form; NaN and
            Infinity, values that contain themselves or are too deep or too large.
    """
    try:
        return _Conversion().convert(value, 0)
    except _NotJsonError as error:
        where = path + "".join(f".{_step(key)}" for key in reversed(error.keys))
        raise ToolError(
            f"the result is not JSON: {where} {error.why}",
            code=NOT_JSON,
            hint=error.hint,
            details=(Detail(where.removeprefix("$."), error.why),),
        ) from None


def deep_copy_json(value: Json) -> Json:
    """Return a copy of a JSON value that shares no list and no mapping with it."""
    kind = type(value)
    if kind is dict:
        return {key: deep_copy_json(item) for key, item in value.items()}
    if kind is list:
        return [deep_copy_json(item) for item in value]
    return value


def _step(key: Key) -> str:
    """Return a key as it is written in a mapping path."""
    text = str(key)
    return text if text.replace("_", "a").isalnum() else f'"{text[:60]}"'


class _Conversion:
    """One conversion: it counts what it has seen, so that shared parts can't explode."""

    def __init__(self) -> None:
        self._nodes = 0
        self._chars = 0
        self._above: list[int] = []

    def convert(self, value: Any, depth: int) -> Json:
        """Return a value of any type as JSON."""
        kind = type(value)
        if kind is str:
            self._count(len(value))
            return value
        if value is None or kind is bool:
            return value
        if kind is int:
            return _int(value)
        if kind is float:
            return _float(value)
        if kind is dict:
            return self._mapping(value, value.items(), depth)
        if kind is list or kind is tuple:
            return self._list(value, value, depth)
        return self._other(value, kind, depth)

    def _count(self, chars: int) -> None:
        self._chars += chars
        if self._chars > MAX_CHARS:
            raise _NotJsonError(
                f"makes the result longer than {MAX_CHARS:,} characters", "return less of it"
            )

    def _enter(self, container: object, size: int) -> None:
        """Count a container's items and refuse one that is too deep, or inside itself."""
        self._nodes += size
        if self._nodes > MAX_NODES:
            raise _NotJsonError(
                f"makes the result larger than {MAX_NODES:,} values", "return less of it"
            )
        if len(self._above) >= MAX_DEPTH:
            circle = len(set(self._above)) < len(self._above)
            raise _NotJsonError(
                "contains itself" if circle else f"is nested deeper than {MAX_DEPTH} levels"
            )
        self._above.append(id(container))

    def _list(self, container: object, items: Iterable[Any], depth: int) -> list[Json]:
        values = list(items)
        self._enter(container, len(values))
        result = []
        for index, item in enumerate(values):
            try:
                result.append(self.convert(item, depth + 1))
            except _NotJsonError as error:
                error.keys.append(index)
                raise
        self._above.pop()
        return result

    def _mapping(
        self, container: object, items: Iterable[tuple[Any, Any]], depth: int
    ) -> dict[str, Json]:
        pairs = list(items)
        self._enter(container, len(pairs))
        result: dict[str, Json] = {}
        for key, item in pairs:
            text = key if type(key) is str else _key(key)
            try:
                self._count(len(text))
                if text in result:
                    raise _NotJsonError("is a key twice, once it is text")
                result[text] = self.convert(item, depth + 1)
            except _NotJsonError as error:
                error.keys.append(text)
                raise
        self._above.pop()
        return result

    def _other(self, value: Any, kind: type, depth: int) -> Json:
        """Return a value that is neither a JSON type nor a tuple."""
        convert = _scalar_converter(kind)
        if convert is not None:
            return convert(value)
        if _is_enum(kind):
            members: dict[str, Any] = object.__getattribute__(value, "__dict__")
            return self.convert(members["_value_"], depth)
        if _is_dataclass(kind):
            return self._mapping(value, _fields(value, kind), depth)
        return self._subclass(value, kind, depth)

    def _subclass(self, value: Any, kind: type, depth: int) -> Json:
        """Return a value of a subclass of a JSON type, by the methods of that type.

        `type.__mro__` is asked and not isinstance, which asks the value's own `__class__`.
        """
        bases = type.__dict__["__mro__"].__get__(kind)
        if str in bases:
            return self.convert(str.__str__(value), depth)
        if int in bases:
            return _int(int.__int__(value))
        if float in bases:
            return _float(float.__float__(value))
        if dict in bases:
            return self._mapping(value, dict.items(value), depth)
        if list in bases:
            return self._list(value, list.__iter__(value), depth)
        if tuple in bases:
            return self._list(value, tuple.__iter__(value), depth)
        raise _refused(kind)


def _int(value: int) -> int:
    if value.bit_length() > MAX_INT_BITS:
        raise _NotJsonError("is an integer of more than 4,200 digits", "return it as text")
    return value


def _float(value: float) -> float:
    if math.isfinite(value):
        return value
    word = "NaN" if math.isnan(value) else "Infinity"
    raise _NotJsonError(f"holds {word}, which JSON does not have", "return None instead")


def _decimal(value: Any) -> int | float:
    """Return a Decimal as the nearest number; one without a fraction part stays exact."""
    if value.is_finite() and value.as_tuple().exponent >= 0 and value.adjusted() < 300:
        return int(value)
    number = float(value) if not value.is_snan() else math.nan
    if math.isinf(number) and value.is_finite():
        raise _NotJsonError("is a Decimal beyond the range of numbers", "return str(...) of it")
    return _float(number)


def _moment(value: datetime | time) -> str:
    """Return a time as ISO text; a tzinfo class of the tenant's would run its code."""
    zoneinfo = sys.modules.get("zoneinfo")
    known = {type(None), timezone, zoneinfo.ZoneInfo if zoneinfo else timezone}
    if type(value.tzinfo) not in known:
        raise _NotJsonError("has a time zone of its own class", "return .isoformat() of it")
    return value.isoformat()


def _scalar_converter(kind: type) -> Callable[[Any], Json] | None:
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


def _is_enum(kind: type) -> bool:
    enum = sys.modules.get("enum")
    return enum is not None and type(kind) is enum.EnumType


def _is_dataclass(kind: type) -> bool:
    return any("__dataclass_fields__" in vars(base) for base in _bases(kind))


def _bases(kind: type) -> tuple[type, ...]:
    bases: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return bases


def _fields(value: object, kind: type) -> list[tuple[str, Any]]:
    """Return the fields of a dataclass by name, without running its properties."""
    declared: Mapping[str, Any] = next(
        vars(base)["__dataclass_fields__"]
        for base in _bases(kind)
        if "__dataclass_fields__" in vars(base)
    )
    names = [name for name, field in declared.items() if field._field_type.name == "_FIELD"]
    return [(name, _field_value(value, kind, name)) for name in names]


def _field_value(value: object, kind: type, name: str) -> Any:
    """Return one field: from its slot, the instance's mapping, or the class's default."""
    for base in _bases(kind):
        member = vars(base).get(name)
        if type(member) is MemberDescriptorType:
            return member.__get__(value, kind)
    try:
        own: dict[str, Any] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    if name in own:
        return own[name]
    for base in _bases(kind):
        if name in vars(base):
            return vars(base)[name]
    raise _NotJsonError(f"has no value in its field '{name}'")


_ADVICE: Final[Mapping[str, str]] = {
    "set": "return sorted(...) of it",
    "frozenset": "return sorted(...) of it",
    "bytes": "return .decode() of it, or base64 text",
    "bytearray": "return .decode() of it, or base64 text",
    "timedelta": "return .total_seconds() of it",
    "generator": "return list(...) of it",
    "Fraction": "return float(...) of it",
    "complex": "return its parts as two numbers",
    "deque": "return list(...) of it",
    "range": "return list(...) of it",
}


def _refused(kind: type) -> _NotJsonError:
    name = kind.__name__
    advice = _ADVICE.get(name, "return its data as mappings, lists, texts and numbers")
    return _NotJsonError(f"is of type {name}, which has no JSON form", advice)


def _key(key: Any) -> str:
    """Return a key that is not a plain text as text, as `json.dumps` writes it."""
    kind = type(key)
    if key is None or kind is bool:
        return "null" if key is None else str(key).lower()
    if kind is int:
        return str(_int(key))
    if kind is float:
        return float.__repr__(_float(key))
    converter = _scalar_converter(kind)
    if converter is not None and kind is not timedelta:
        return str(converter(key))
    if _is_enum(kind):
        return _key_text(object.__getattribute__(key, "__dict__")["_value_"])
    bases = _bases(kind)
    if str in bases:
        return str.__str__(key)
    if int in bases:
        return str(_int(int.__int__(key)))
    raise _NotJsonError(f"has a key of type {kind.__name__}", "use text as keys")


def _key_text(value: Any) -> str:
    return value if type(value) is str else _key(value)
