"""Members of allowed modules that change what they are given: on the tenant's own things only.

`@dataclass`, `@total_ordering`, `@wraps` and the like set attributes by C code and library code,
where no check of `weave` stands.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from tm.runner.attributes import attrgetter, methodcaller
from tm.runner.guard import deny
from tm.runner.load_limit import is_loading
from tm.runner.own import check_made, is_own


def _own_only(rewrite: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorator of the library that refuses what is not the tenant's."""

    def decorate(*given: Any, **options: Any) -> Any:
        for value in given:
            _check(value, rewrite)
        result = rewrite(*given, **options)
        if isinstance(result, type):
            check_made(result)
        return result if given else _own_only(result)  # `@dataclass(frozen=True)`

    decorate.__name__ = decorate.__qualname__ = rewrite.__name__
    return decorate


def _check(value: object, rewrite: Callable[..., Any]) -> None:
    if isinstance(value, type | FunctionType) and not is_own(value):
        deny(f"use {rewrite.__name__} on {value.__name__:.60}, which all tools share")


def _wraps(real: Callable[..., Any]) -> Callable[..., Any]:
    def wraps(wrapped: Any, *more: object, **options: object) -> Callable[[Any], Any]:
        if more or options:
            deny("rewrite any attribute by functools.wraps")
        update = real(wrapped)

        def decorate(wrapper: Any) -> Any:
            _check(wrapper, wraps)
            return update(wrapper)

        return decorate

    return wraps


def _waits(real: Callable[[float], None]) -> Callable[[float], None]:
    def sleep(seconds: float) -> None:
        if is_loading():
            deny("sleep while its file is loaded")
        real(seconds)

    return sleep


def _plain_flags(place: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the guard of a function of `re`, which keeps patterns by their flags.

    Args:
        place: of `flags` among the arguments, from 0.
    """

    def guard(real: Callable[..., Any]) -> Callable[..., Any]:
        def search(*args: Any, **options: Any) -> Any:
            flags = args[place] if len(args) > place else options.get("flags", 0)
            if not isinstance(flags, int) and is_own(flags):
                deny("give re flags of its own class")
            return real(*args, **options)

        search.__name__ = search.__qualname__ = real.__name__
        return search

    return guard


_FLAGS: Final = {
    "compile": 1, "match": 2, "fullmatch": 2, "search": 2, "findall": 2, "finditer": 2, "split": 3,
    "sub": 4, "subn": 4,
}  # fmt: skip
_DECORATORS: Final = (
    ("abc", "abstractmethod"),
    ("dataclasses", "dataclass"),
    ("functools", "total_ordering"),
    ("typing", "final"),
    ("typing", "no_type_check"),
    ("typing", "override"),
    ("typing", "runtime_checkable"),
)

_GUARDS: Final[dict[tuple[str, str], Callable[[Any], Any]]] = {
    ("functools", "wraps"): _wraps,
    ("time", "sleep"): _waits,
    ("operator", "attrgetter"): lambda _real: attrgetter,
    ("operator", "methodcaller"): lambda _real: methodcaller,
    **{("re", name): _plain_flags(place) for name, place in _FLAGS.items()},
    **dict.fromkeys(_DECORATORS, _own_only),
}


def guarded(module: str, name: str, member: Any) -> Any:
    """Return what a tenant's file sees as a member of an allowed module."""
    guard = _GUARDS.get((module, name))
    return member if guard is None else guard(member)
