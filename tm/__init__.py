"""tm: write, run, watch and check LLM tools for many customers.

What other programs import: `Workspace` runs tools, `Chat` asks an assistant (`read_script` lets it
be answered by a file), `RunOptions` says how, `Report`, `Tool`, `ToolError` and `TmError` are what
comes back, `Ctx` types a handler's last argument. Names load on first use, so that `import tm`
costs next to nothing.
"""

from __future__ import annotations

from tm._version import __version__

# A literal that type checkers know: importing typing costs as much as starting Python.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from tm.chat.conversation import Chat
    from tm.chat.script import read_script
    from tm.errors import TmError, ToolError
    from tm.model import Tool
    from tm.runner.ctx_type import Ctx
    from tm.runner.events import Report
    from tm.runner.scope import RunOptions
    from tm.runner.workspace import Workspace

__all__ = [
    "Chat",
    "Ctx",
    "Report",
    "RunOptions",
    "TmError",
    "Tool",
    "ToolError",
    "Workspace",
    "__version__",
    "read_script",
]

_HOMES = {
    "Chat": "tm.chat.conversation",
    "Ctx": "tm.runner.ctx_type",
    "Report": "tm.runner.events",
    "RunOptions": "tm.runner.scope",
    "TmError": "tm.errors",
    "Tool": "tm.model",
    "ToolError": "tm.errors",
    "Workspace": "tm.runner.workspace",
    "read_script": "tm.chat.script",
}


def __getattr__(name: str) -> object:
    """Load a public name from its module on first use."""
    from importlib import import_module  # noqa: PLC0415  `tm --version` needs none of it

    if name not in _HOMES:
        raise AttributeError(f"module 'tm' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
