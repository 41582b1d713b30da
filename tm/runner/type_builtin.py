"""The `type` that a tenant's file sees: it tells the type of a value, and builds no classes.

The scan refuses `type(name, bases, members)`, but `type(some_class)` hands out the same callable
wherever the source does not show that the value is a class.
"""

from __future__ import annotations

from typing import Any

from tm.runner.guard import deny


class _Asking(type):
    """Makes `type` answer calls and checks as the builtin does."""

    def __call__(cls, *args: Any, **options: Any) -> Any:
        """Return the type of the one argument; that of a class is this stand-in again."""
        if len(args) != 1 or options:
            deny("build a class from data")
        kind = type(args[0])
        return cls if issubclass(kind, type) else kind

    def __instancecheck__(cls, value: object) -> bool:
        """Tell whether a value is a class."""
        return isinstance(value, type)

    def __subclasscheck__(cls, kind: type) -> bool:
        """Tell whether a class is one of classes."""
        return kind is cls or issubclass(kind, type)

    def __getitem__(cls, item: Any) -> Any:
        """Return the annotation `type[item]`."""
        return type[item]


tenant_type = _Asking("type", (), {"__module__": "builtins", "__doc__": type.__doc__})
