"""Whose code a frame runs: a tenant's, tm's, or that of a module by name."""

from __future__ import annotations

import builtins
import sys
from types import FrameType
from typing import Final

_BUILTINS: Final = vars(builtins)


def is_tenant(frame: FrameType) -> bool:
    """Tell whether a frame is a tenant's own: its `__builtins__` are not the interpreter's."""
    return frame.f_builtins is not _BUILTINS


def runs_in(frame: FrameType | None, modules: frozenset[str]) -> bool:
    """Tell whether a frame runs code of one of the modules.

    The globals themselves are compared: a tenant's file may set its own `__name__`.
    """
    name = _module_name(frame)
    return frame is not None and name in modules and _is_genuine(frame, name)


def runs_unasked(above: FrameType | None) -> bool:
    """Tell whether a tenant's code causes an event where its thread is not armed.

    tm never calls it there on purpose. But the text of an exception, a method of a subclass that
    was handed over, or a generator's `finally` can run whenever tm works or memory is freed.

    Args:
        above: the frame that causes the event.
    """
    while above is not None:
        if is_tenant(above):
            return True
        name = _module_name(above)
        if name.startswith("tm.") and _is_genuine(above, name):
            return False
        above = above.f_back
    return False


def has_tenant(above: FrameType | None, end: FrameType) -> bool:
    """Tell whether a tenant's code runs in a frame or in one that called it, short of `end`."""
    while above is not None and above is not end:
        if is_tenant(above):
            return True
        above = above.f_back
    return False


def _module_name(frame: FrameType | None) -> str:
    name = None if frame is None else frame.f_globals.get("__name__")
    return name if type(name) is str else ""


def _is_genuine(frame: FrameType, name: str) -> bool:
    module = sys.modules.get(name)
    return module is not None and vars(module) is frame.f_globals
