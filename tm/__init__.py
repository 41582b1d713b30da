"""tm: write, run, watch and check LLM tools for many customers.

What other programs import: `Workspace`, `Tool`, `Ctx`, `ToolError`, `__version__`. Names load on
first use, so that `import tm` costs next to nothing.
"""

from __future__ import annotations

from tm._version import __version__

# A literal that type checkers know: importing typing costs as much as starting Python.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from tm.errors import ToolError
    from tm.model import Tool
    from tm.runner.ctx_type import Ctx
    from tm.runner.workspace import Workspace

__all__ = ["Ctx", "Tool", "ToolError", "Workspace", "__version__"]

_HOMES = {
    "Ctx": "tm.runner.ctx_type",
    "Tool": "tm.model",
    "ToolError": "tm.errors",
    "Workspace": "tm.runner.workspace",
}


def __getattr__(name: str) -> object:
    """Load a public name from its module on first use."""
    from importlib import import_module  # noqa: PLC0415  `tm --version` needs none of it

    if name not in _HOMES:
        raise AttributeError(f"module 'tm' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
