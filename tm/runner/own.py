"""What a tenant's code may change: objects of its own classes, and new ones of the library's.

What lives here: the checks that `weave` puts in front of every assignment to an attribute, and
the building of classes. What must not: reading source code.
"""

from __future__ import annotations

import builtins
import sys
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any, Final

from tm.errors import TmError
from tm.runner.guard import deny
from tm.runner.type_builtin import tenant_type
from tm.runner.value_types import check_class_field, check_field, check_finished
from tm.scan.policy import DENIED_ATTRIBUTES

# The name of a tenant's module has it (`modules.new_module`), and no import can spell it.
_MARK: Final = "#"
_BUILTINS: Final = vars(builtins)
# What objects of these modules hold becomes the source of methods, or decides what classes are.
_WRITE_CODE: Final = frozenset({"dataclasses", "typing", "functools", "enum", "abc"})

# What allowed modules hand out, by id: all tenants see the same objects. The facades keep them.
_shared: set[int] = set()


def note_shared(members: dict[str, Any]) -> None:
    """Remember the members of a facade as objects that nobody may change."""
    _shared.update(id(member) for member in members.values())


def is_own_class(kind: type) -> bool:
    """Tell whether a class was made by a tenant's code.

    A class of the library can't get such a name: its attributes can't be set.
    """
    home: object = kind.__module__
    return type(home) is str and _MARK in home


def is_own_function(value: object) -> bool:
    """Tell whether a value is a function of a tenant's file."""
    if type(value) is not FunctionType:
        return False
    return value.__globals__.get("__builtins__", _BUILTINS) is not _BUILTINS


def is_own(value: object) -> bool:
    """Tell whether a value is a class, a function or an object of a class of the tenant's."""
    if isinstance(value, type):
        return is_own_class(value)
    return is_own_class(type(value)) or is_own_function(value)


def writable(value: Any, name: str) -> Any:
    """Return the object whose attribute of that name is about to be set, or refuse.

    Raises:
        ForbiddenError: for classes, functions and objects that other tools see too.
    """
    kind = type(value)
    if is_own_class(kind):
        check_field(kind, name, is_own_class)
    elif not _is_writable(value, kind, name):
        what = value.__name__ if isinstance(value, type | FunctionType) else kind.__name__
        deny(f"change an attribute of {what:.60}, which all tools share")
    return value


def _is_writable(value: object, kind: type, name: str) -> bool:
    if isinstance(value, type):
        check_class_field(value, name, is_own_class)
        return is_own_class(value)
    if kind is FunctionType:
        return is_own_function(value)
    if isinstance(value, ModuleType):
        return True  # a facade refuses by itself, with the name
    if kind.__module__.startswith("tm."):
        return isinstance(value, TmError)  # what a function catches it may fill in and raise again
    if kind is super or kind.__module__ in _WRITE_CODE or _is_member(kind):
        return False
    # A private field of an object of the library is what its hash and its text are made of.
    return id(value) not in _shared and not name.startswith("_")


def _is_member(kind: type) -> bool:
    """Tell whether a class is an enum, whose members are there once."""
    enum = sys.modules.get("enum")
    return enum is not None and isinstance(kind, enum.EnumType)


def build_class(body: Any, name: str, *bases: Any, **options: Any) -> Any:
    """Build a class of a tenant's file: `__build_class__`, without classes of classes.

    Raises:
        ForbiddenError: for a metaclass, a base that is one, and field names that open patterns.
    """
    if "metaclass" in options:
        deny("set a metaclass")
    if any(base is tenant_type or (_is_class(base) and issubclass(base, type)) for base in bases):
        deny("make a class of classes")
    made = builtins.__build_class__(body, name, *bases, **options)
    _check_fields(made)
    for member, value in made.__dict__.items():
        if type(value) is MemberDescriptorType and member.startswith("__"):
            deny("hide a name of the interpreter behind a slot")
    check_made(made)
    return made


def matchable(subject: Any, *kinds: Any) -> Any:
    """Return what is matched, where the patterns' classes give out plain fields only.

    `Enum("X", {...})` makes a class that `build_class` never sees.

    Raises:
        ForbiddenError: where a class would open names of the interpreter.
    """
    for kind in kinds:
        if isinstance(kind, type) and is_own_class(kind):
            _check_fields(kind)
    return subject


def _check_fields(kind: type) -> None:
    fields = getattr(kind, "__match_args__", ())
    if type(fields) is not tuple or not all(_is_plain_name(field) for field in fields):
        deny("open class patterns for names of the interpreter")


def check_made(made: Any) -> None:
    """Refuse a class of a tenant's that would pass for a value that the library looks up.

    Raises:
        ForbiddenError: where it would.
    """
    check_finished(made, is_own_class)


def _is_class(value: object) -> bool:
    return issubclass(type(value), type)


def _is_plain_name(name: object) -> bool:
    return type(name) is str and not name.startswith("_") and name not in DENIED_ATTRIBUTES


def set_own_field(target: object, name: str, value: object) -> None:
    """Set a field as `object.__setattr__` does, which frozen classes need in `__init__`."""
    if not is_own_class(type(target)):
        deny("set an attribute of an object that is not of its own class")
    if type(name) is not str or name.startswith("__") or name in DENIED_ATTRIBUTES:
        deny("set an attribute of the interpreter")
    check_field(type(target), name, is_own_class)
    object.__setattr__(target, name, value)
