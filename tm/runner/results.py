"""From a tenant's value to JSON, without running the tenant's code.

What lives here: the walk over lists and mappings, its limits, and the copies of arguments. What
must not: knowing steps or schemas. Single values are in `values`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tm.errors import Detail, ToolError
from tm.model import Json
from tm.runner.values import (
    Key,
    NotJsonError,
    bases_of,
    convert_float,
    convert_int,
    enum_value,
    field_values,
    is_dataclass,
    is_enum,
    key_text,
    refused,
    scalar_converter,
)

NOT_JSON: Final = "TM512"
MAX_DEPTH: Final = 200
MAX_NODES: Final = 2_000_000
MAX_CHARS: Final = 50_000_000


def to_json(value: object, *, path: str = "$", what: str = "the result") -> Json:
    """Return a value as JSON, in new lists and mappings.

    datetime, date and time become ISO text, UUID text, Decimal a number, Enum its value,
    dataclasses mappings, tuples (named ones too) lists; keys become text as `json.dumps` does it.

    Args:
        value: what a tenant's function returned.
        path: how the value itself is called in errors.
        what: it is, in words, for the error.

    Raises:
        ToolError: TM512 with the path of the first value that has no JSON form; NaN and
            Infinity, values that contain themselves or are too deep or too large.
    """
    try:
        return _Conversion().convert(value)
    except NotJsonError as error:
        where = path + "".join(f".{_step(key)}" for key in reversed(error.keys))
        raise ToolError(
            f"{what} is not JSON: {where} {error.why}",
            code=NOT_JSON,
            hint=error.hint,
            details=(Detail(where.removeprefix("$."), error.why),),
        ) from None  # the cause holds no more than the message


def deep_copy_json(value: Json) -> Json:
    """Return a copy of a JSON value that shares no list and no mapping with it.

    Raises:
        ToolError: TM512, for data that is nested too deep to be walked.
    """
    try:
        return _copy(value)
    except RecursionError as error:
        raise ToolError(
            "the data is nested too deep to be handed to a function",
            code=NOT_JSON,
            hint="pick what is needed with `mapping`",
        ) from error


def _copy(value: Json) -> Json:
    kind = type(value)
    if kind is dict:
        return {key: _copy(item) for key, item in value.items()}
    if kind is list:
        return [_copy(item) for item in value]
    return value


def _step(key: Key) -> str:
    """Return a key as it is written in a mapping path."""
    text = str(key)
    return text if text.replace("_", "a").isalnum() else f'"{text[:60]}"'


class _Conversion:
    """One conversion: it counts what it has seen, so that shared parts can't explode."""

    __slots__ = ("_above", "_chars", "_nodes")

    def __init__(self) -> None:
        self._nodes = 0
        self._chars = 0
        self._above: list[int] = []

    def convert(self, value: Any) -> Json:
        """Return a value of any type as JSON.

        Raises:
            NotJsonError: with the keys on the way to the value that has no JSON form.
        """
        kind = type(value)
        if kind is str:
            self._count(len(value))
            return value
        if value is None or kind is bool:
            return value
        if kind is int:
            return convert_int(value)
        if kind is float:
            return convert_float(value)
        if kind is dict:
            return self._mapping(value, value.items())
        if kind is list or kind is tuple:
            return self._list(value, value)
        return self._other(value, kind)

    def _count(self, chars: int) -> None:
        self._chars += chars
        if self._chars > MAX_CHARS:
            raise NotJsonError(
                f"makes the result longer than {MAX_CHARS:,} characters", "return less of it"
            )

    def _enter(self, container: object, size: int) -> None:
        """Count a container's items and refuse one that is too deep, too large or inside itself."""
        self._nodes += size
        if self._nodes > MAX_NODES:
            raise NotJsonError(
                f"makes the result larger than {MAX_NODES:,} values", "return less of it"
            )
        self._above.append(id(container))
        if len(self._above) > MAX_DEPTH:
            inside_itself = len(set(self._above)) < len(self._above)
            raise NotJsonError(
                "contains itself" if inside_itself else f"is nested deeper than {MAX_DEPTH} levels"
            )

    def _list(self, container: object, items: Iterable[Any]) -> list[Json]:
        values = list(items)
        self._enter(container, len(values))
        result: list[Json] = []
        try:
            for item in values:
                result.append(self.convert(item))  # noqa: PERF401  its length is the failing index
        except NotJsonError as error:
            error.keys.append(len(result))
            raise
        self._above.pop()
        return result

    def _mapping(self, container: object, items: Iterable[tuple[Any, Any]]) -> dict[str, Json]:
        pairs = list(items)
        self._enter(container, len(pairs))
        result: dict[str, Json] = {}
        text = ""
        for key, item in pairs:
            text = key if type(key) is str else key_text(key)
            try:
                self._count(len(text))
                if text in result:
                    raise NotJsonError("is there twice, once its keys are text")
                result[text] = self.convert(item)
            except NotJsonError as error:
                error.keys.append(text)
                raise
        self._above.pop()
        return result

    def _other(self, value: Any, kind: type) -> Json:
        """Return a value that is neither of a JSON type nor a plain tuple."""
        converter = scalar_converter(kind)
        if converter is not None:
            return converter(value)
        if is_enum(kind):
            return self.convert(enum_value(value))
        if is_dataclass(kind):
            return self._mapping(value, field_values(value, kind))
        return self._subclass(value, kind)

    def _subclass(self, value: Any, kind: type) -> Json:
        """Return a value of a subclass of a JSON type, by the methods of that type.

        The subclass's own methods would run the tenant's code.
        """
        bases = bases_of(kind)
        if str in bases:
            return self.convert(str.__str__(value))
        if int in bases:
            return convert_int(int.__int__(value))
        if float in bases:
            return convert_float(float.__float__(value))
        if dict in bases:
            return self._mapping(value, dict.items(value))
        if list in bases:
            return self._list(value, list.__iter__(value))
        if tuple in bases:
            return self._list(value, tuple.__iter__(value))
        raise refused(kind)
