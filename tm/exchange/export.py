"""Tool definitions as other systems read them: what a model sees, and nothing of how it is done.

What lives here: the document of each system. What must not: which tools are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tm.model import Json, Tool
from tm.schema.function_tool import Kind, exported_names, for_model


def export_tools(tools: Sequence[Tool], kind: Kind) -> Json:
    """Return the document that a kind of system reads (SPEC, section 10).

    Args:
        tools: in the order in which they are to stand.
        kind: of the system.

    Raises:
        ConfigError: TM115, where two of them would have one name.
    """
    exported_names(tool.name for tool in tools)
    definitions = [for_model(tool, kind) for tool in tools]
    match kind:
        case "openai" | "anthropic":
            return definitions
        case "gemini":
            return {"functionDeclarations": definitions}
        case "mcp":
            return {"tools": definitions}
        case _:
            assert_never(kind)
