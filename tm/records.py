"""Frozen, slotted records: what `dataclass(frozen=True, slots=True)` gives, at a tenth of its cost.

A command that starts several times an hour pays for every class it defines: a frozen dataclass
takes about a millisecond to make, and importing `dataclasses` brings `inspect`, `ast` and
`tokenize` along. A record has the same annotations, defaults, equality, hash and repr, made from
one function a class, compiled on first use (decision 0007). What must not live here: anything but
that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, TypeVar, dataclass_transform, overload

T = TypeVar("T")

_NO_DEFAULT: Final = object()


class FrozenRecordError(AttributeError):
    """A field of a record was to be changed."""


class _Factory:
    """A default that is made anew for each record."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


@overload
def field(*, default_factory: Callable[[], T]) -> T: ...
@overload
def field(*, init: bool) -> Any: ...
def field(*, default_factory: Callable[[], Any] | None = None, init: bool = True) -> Any:
    """Say how a field begins: made anew by `default_factory`.

    Raises:
        TypeError: without a factory, or for a field that is not set by `__init__`.
    """
    if default_factory is None or not init:
        raise TypeError("a record's field takes a default_factory")
    return _Factory(default_factory)


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, frozen: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: Any = None, /, *, frozen: bool = True) -> Any:
    """Make a record of a class with annotated fields: frozen, slotted, compared by value.

    Args:
        frozen: False: fields may be set, records are not hashable and compare by identity.
    """
    if cls is None:
        return lambda wrapped: _built(wrapped, frozen=frozen)
    return _built(cls, frozen=frozen)


def replace(instance: T, /, **changes: Any) -> T:
    """Return a copy of a record with other values in some fields."""
    names: tuple[str, ...] = instance.__match_args__  # type: ignore[attr-defined]  # set by record
    values = {name: getattr(instance, name) for name in names}
    return type(instance)(**{**values, **changes})


def _built(cls: Any, *, frozen: bool) -> Any:
    own = dict(cls.__dict__)
    names = tuple(name for name, kind in own.get("__annotations__", {}).items() if _is_field(kind))
    inherited: tuple[str, ...] = getattr(cls, "__match_args__", ())
    defaults = dict(getattr(cls, "__record_defaults__", {}))
    for name in names:
        value = own.pop(name, _NO_DEFAULT)
        if value is not _NO_DEFAULT:
            defaults[name] = value
    every = (*inherited, *(name for name in names if name not in inherited))
    for name in ("__dict__", "__weakref__"):
        own.pop(name, None)
    own.update(
        __slots__=tuple(name for name in names if name not in inherited),
        __match_args__=every,
        __record_defaults__=defaults,
    )
    own.setdefault("__repr__", _repr)
    if frozen:
        own.update(__setattr__=_refuse_set, __delattr__=_refuse_delete)
        own.setdefault("__eq__", _equal)
        own.setdefault("__hash__", _hash)
    made = type(cls)(cls.__name__, cls.__bases__, own)
    made.__init__ = _late_init(made, every, defaults)
    return made


def _late_init(
    owner: Any, fields: tuple[str, ...], defaults: Mapping[str, Any]
) -> Callable[..., None]:
    """Return an `__init__` that compiles the real one when the first record is made.

    Compiling is what a class costs, and most runs use half of the classes that they define.
    """

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807  it stands for one
        has_post = hasattr(owner, "__post_init__")
        owner.__init__ = _init(owner, fields, defaults, has_post=has_post)
        owner.__init__(self, *args, **kwargs)

    return __init__


def _is_field(kind: Any) -> bool:
    return not str(kind).startswith(("ClassVar", "typing.ClassVar"))


def _init(
    owner: Any, fields: tuple[str, ...], defaults: Mapping[str, Any], *, has_post: bool
) -> Callable[..., None]:
    """Compile `__init__`: the slots are set past the refusal of the frozen class."""
    space: dict[str, Any] = {"_absent": _NO_DEFAULT}
    is_frozen = owner.__setattr__ is _refuse_set
    parameters, lines = ["self"], []
    for number, field_name in enumerate(fields):
        default = defaults.get(field_name, _NO_DEFAULT)
        value = field_name
        if default is _NO_DEFAULT:
            parameters.append(field_name)
        elif isinstance(default, _Factory):
            space[f"_make{number}"] = default.make
            parameters.append(f"{field_name}=_absent")
            value = f"_make{number}() if {field_name} is _absent else {field_name}"
        else:
            space[f"_default{number}"] = default
            parameters.append(f"{field_name}=_default{number}")
        if is_frozen:
            space[f"_set{number}"] = getattr(owner, field_name).__set__
            lines.append(f" _set{number}(self, {value})")
        else:
            lines.append(f" self.{field_name} = {value}")
    if has_post:
        lines.append(" self.__post_init__()")
    source = f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"])
    exec(compile(source, f"<record {owner.__qualname__}>", "exec"), space)  # noqa: S102  names of our own fields
    made: Callable[..., None] = space["__init__"]
    return made


def _values(record: Any) -> Any:
    """Return the fields' values: a tuple of them, or the value where there is one field."""
    kind = type(record)
    get = _GETTERS.get(kind)
    if get is None:
        names = kind.__match_args__
        get = _GETTERS[kind] = attrgetter(*names) if names else _no_values
    return get(record)


def _no_values(_: Any) -> tuple[()]:
    return ()


_GETTERS: Final[dict[type, Callable[[Any], Any]]] = {}
"""Records are kept in sets by the thousand: their values are read by code in C."""


def _equal(self: Any, other: object) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    pairs = [f"{name}={getattr(self, name)!r}" for name in self.__match_args__]
    return f"{type(self).__qualname__}({', '.join(pairs)})"


def _refuse_set(self: Any, name: str, _: Any) -> None:
    raise FrozenRecordError(f"{type(self).__qualname__}.{name} can't be set: records are frozen")


def _refuse_delete(self: Any, name: str) -> None:
    raise FrozenRecordError(f"{type(self).__qualname__}.{name} can't be deleted")
