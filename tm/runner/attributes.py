"""Attributes read at run time: none of the interpreter's, whatever the scan made of the source.

What lives here: what `weave` puts in place of attributes with a delicate name, and the builtins
and members that take a name as text. What must not: assignments (`own`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

from tm.runner.guard import deny
from tm.runner.own import is_own, is_own_class, set_own_field
from tm.runner.type_builtin import tenant_type
from tm.scan.policy import (
    DENIED_ATTRIBUTES,
    DUNDER_ATTRIBUTES,
    DUNDER_METHODS,
    UNDERSCORE_METHODS,
)
from tm.scan.rules_format import reads_attributes

# Of an enum's member; they tell no more than `.name` and `.value`.
_HARMLESS: Final = UNDERSCORE_METHODS | DUNDER_ATTRIBUTES | {"_name_", "_value_"}


def needs_check(name: str) -> bool:
    """Tell whether an attribute of this name is read with a check of the object at run time."""
    if name in _WHOSE:
        return True
    return name.startswith("_") and name not in _HARMLESS and name.endswith("_")


def is_never_read(name: str) -> bool:
    """Tell whether no tenant's code has a reason to read an attribute of this name."""
    if name in DENIED_ATTRIBUTES:
        return True
    is_dunder = name.startswith("__") and name.endswith("__")
    return is_dunder and name not in DUNDER_METHODS | DUNDER_ATTRIBUTES and name not in _WHOSE


def get(value: Any, name: str) -> Any:
    """Return an attribute of a delicate name, or what may stand for it.

    Raises:
        ForbiddenError: where it leads behind the object.
    """
    check = _WHOSE.get(name)
    if check is not None:
        return check(value)
    if name in DUNDER_METHODS:
        is_base = isinstance(value, type) or type(value) is super
        if not is_base and not is_own(value):
            deny(f"get the attribute {name[:60]!r} of what all tools share")
    elif _is_inside(value, name):
        deny(f"get the attribute {name[:60]!r}, which is the inside of another object")
    return getattr(value, name)


def _is_inside(value: Any, name: str) -> bool:
    """Tell whether a name with an underscore is of an object that all tools share."""
    if not name.startswith("_") or name in _HARMLESS or is_own(value):
        return False
    return hasattr(value, name)  # `getattr(args, "_raw", None)` is a question with a known answer


def _class_of(value: Any) -> Any:
    return tenant_type(value)


def _fields_of(value: Any) -> Any:
    if not is_own_class(type(value)):
        deny("get the attribute '__dict__' of an object that is not of its own class")
    return object.__getattribute__(value, "__dict__")


def _setter_of(_value: Any) -> Any:
    return set_own_field


def _formatter_of(value: Any) -> Any:
    """Return `.format` of a text that can't read attributes; of another object, its own."""
    if isinstance(value, type) and issubclass(value, str) and value.format is str.format:
        return _format
    if isinstance(value, str) and type(value).format is str.format:
        return partial(_format, value)
    return value.format


def _format(template: str, /, *args: object, **fields: object) -> str:
    text = str.__str__(template)
    if _reads_attributes(text):
        deny(f"read an attribute with the template {text[:40]!r}")
    return text.format(*args, **fields)


_reads_attributes = lru_cache(256)(reads_attributes)


def _registrar_of(value: Any) -> Any:
    if isinstance(value, type) and not is_own_class(value):
        deny(f"register a class with {value.__name__:.60}, which all tools share")
    return value.register


_WHOSE: Final[dict[str, Callable[[Any], Any]]] = {
    "__class__": _class_of,
    "__dict__": _fields_of,
    "__setattr__": _setter_of,
    "format": _formatter_of,
    "register": _registrar_of,
}
CHECKED_NAMES: Final = frozenset(_WHOSE)
_DUNDERS: Final = DUNDER_ATTRIBUTES | DUNDER_METHODS

# -- names that come as text

_MISSING: Final = object()


def getattr_builtin(value: object, name: str, default: object = _MISSING) -> Any:
    """Get an attribute, not one of the interpreter's."""
    check_name(name)
    try:
        return get(value, name)
    except AttributeError:
        if default is _MISSING:
            raise
        return default


def hasattr_builtin(value: object, name: str) -> bool:
    """Tell whether an attribute is there; those of the interpreter are not for asking."""
    check_name(name)
    return hasattr(value, name)


def check_name(name: object) -> None:
    """Refuse names of the interpreter, and texts whose class may lie about them."""
    if type(name) is not str:
        deny("get an attribute whose name is no plain text")
    if name in DENIED_ATTRIBUTES or (name.startswith("__") and name not in _DUNDERS):
        deny(f"get the attribute {name[:60]!r}")


def attrgetter(name: str, *names: str) -> Callable[[Any], Any]:
    """Return `operator.attrgetter` for names that are not the interpreter's."""
    paths = []
    for path in (name, *names):
        parts = path.split(".") if type(path) is str else [path]
        for part in parts:
            check_name(part)
        paths.append(parts)

    def read(value: Any) -> Any:
        found = tuple(_follow(value, parts) for parts in paths)
        return found if len(found) > 1 else found[0]

    return read


def _follow(value: Any, parts: list[str]) -> Any:
    for part in parts:
        value = get(value, part)
    return value


def methodcaller(name: str, /, *args: Any, **options: Any) -> Callable[[Any], Any]:
    """Return `operator.methodcaller` for a method that is not the interpreter's."""
    check_name(name)
    return lambda value: get(value, name)(*args, **options)
