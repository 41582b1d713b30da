"""The names of the shared tools that tm itself has."""

from __future__ import annotations

from typing import Final

BUILTIN_TOOLS: Final = (
    "readFile",
    "writeFile",
    "listFiles",
    "deleteFile",
    "writeTenantConfig",
    "deleteTenantConfig",
    "getKnowledge",
)
"""In the order in which people are shown them."""
