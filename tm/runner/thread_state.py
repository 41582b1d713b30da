"""State of the thread that a tenant's function could leave to the next one: none stays."""

from __future__ import annotations

import sys
from typing import Any


class FreshThread:
    """The context of one call: it begins with Python's own decimal context, and leaves no trace."""

    __slots__ = ("_before",)

    def __init__(self) -> None:
        self._before: Any = None

    def __enter__(self) -> None:
        """Set a new decimal context, where anything has loaded the module."""
        decimal = sys.modules.get("decimal")
        if decimal is not None:
            self._before = decimal.getcontext()
            decimal.setcontext(decimal.DefaultContext.copy())

    def __exit__(self, *_exc: object) -> None:
        """Put back the one from before, or a new one where the call has loaded the module."""
        decimal = sys.modules.get("decimal")
        if decimal is not None:
            decimal.setcontext(self._before or decimal.DefaultContext.copy())
