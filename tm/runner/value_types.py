"""Finished classes that are based on values of the library: they keep the value's own methods.

What lives here: the look at a class that is there, whatever its source said. What must not: which
names those are (`tm.scan.value_methods`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, MutableSet
from functools import lru_cache
from typing import Any, Final

from tm.runner.guard import deny
from tm.scan.value_methods import locked_of

# Their classes are made to be filled in, though they have a `__hash__`.
_OPEN: Final = frozenset({"enum", "collections", "collections.abc", "typing", "abc", "numbers"})
_NO_NAMES: Final = frozenset[str]()

# Classes of tenants with names that stay as they are: a WeakSet, once there is one.
_locked_sets: list[MutableSet[type]] = []


def mro_of(kind: type) -> tuple[type, ...]:
    """Return a class and its bases, whatever the class says."""
    found: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return found


@lru_cache(256)
def _locks_of_library(kind: type, *, orders: bool) -> frozenset[str]:
    """Return what a class of the library locks: one that is found by a hash of its own."""
    found: object = kind.__hash__
    if found is None or found is object.__hash__ or kind.__module__ in _OPEN:
        return _NO_NAMES
    return locked_of(kind, orders=orders)


def _split(kind: type, is_own: Any) -> tuple[list[type], list[type]]:
    """Return the tenant's classes that a class consists of, and the library's."""
    mro = mro_of(kind)
    return [it for it in mro if is_own(it)], [it for it in mro if not is_own(it)]


def locked_in(kind: type, is_own: Any) -> frozenset[str]:
    """Return the names that neither a class of a tenant's nor its objects may set.

    Args:
        kind: the class.
        is_own: tells whether a class was made by a tenant's code.
    """
    own, library = _split(kind, is_own)
    orders = _enum_base(library) or any("_fields" in it.__dict__ for it in own)
    return _NO_NAMES.union(*(_locks_of_library(it, orders=orders) for it in library))


def _enum_base(library: Iterable[type]) -> bool:
    enum = sys.modules.get("enum")
    return enum is not None and any(it is enum.Enum for it in library)


def check_finished(kind: type, is_own: Any) -> None:
    """Refuse a class that passes for another value, and remember one that is based on a value.

    Raises:
        ForbiddenError: for a method that its base has and that it may not define.
    """
    locked = locked_in(kind, is_own)
    if not locked:
        return
    own, library = _split(kind, is_own)
    for part in own:
        for name in locked & part.__dict__.keys():
            if not _is_given(part, name, library):
                deny(f"define '{name}' in a class based on a value, which all tools look up")
    _remember(kind)


def _is_given(part: type, name: str, library: list[type]) -> bool:
    """Tell whether a name is a member of an enum, or what the library itself put there."""
    if not name.startswith("__") and name in part.__dict__.get("_member_map_", ()):
        return True
    value = part.__dict__[name]
    return any(value is it.__dict__.get(name, part) for it in library)


def _remember(kind: type) -> None:
    from weakref import WeakSet  # noqa: PLC0415  most commands build no such class

    if not _locked_sets:
        _locked_sets.append(WeakSet())
    _locked_sets[0].add(kind)


def check_field(kind: type, name: str, is_own: Any) -> None:
    """Refuse to set an attribute of an object of a class that hides a method of the value.

    Raises:
        ForbiddenError: where it does.
    """
    if _locked_sets and kind in _locked_sets[0] and name in locked_in(kind, is_own):
        deny(f"set '{name}' of a value, which all tools look up")


def check_class_field(kind: type, name: str, is_own: Any) -> None:
    """Refuse the same for an attribute of a class, and of those that are based on it.

    Raises:
        ForbiddenError: where it does.
    """
    waiting = [kind]
    while _locked_sets and waiting:
        current = waiting.pop()
        check_field(current, name, is_own)
        waiting += type.__subclasses__(current)
