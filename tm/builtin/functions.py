"""Which function does the work of which shared tool, and how its refusals are told."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from tm.builtin.context import BuiltinContext, BuiltinFunction
from tm.confine import OUTSIDE, machine_reason
from tm.errors import SecurityError, ToolError
from tm.model import Json


def run_builtin(name: str, args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Run a shared tool and return its result.

    Args:
        name: one of `BUILTIN_TOOLS`.
        args: validated, defaults filled in.
        context: of this run.

    Raises:
        ToolError: whatever it fails with. A path that is refused (TM518) is one too: it came as
            an argument, so a handler may catch it, and a model may give a better one.
    """
    try:
        return function_of(name)(args, context)
    except SecurityError as refusal:
        code = "TM509" if machine_reason(refusal) else refusal.code
        hint = refusal.hint or (_hint(name) if code == OUTSIDE else None)
        raise ToolError(refusal.message, code=code, hint=hint) from refusal
    except OSError as error:
        why = os.strerror(error.errno or 0).lower()
        raise ToolError(f"'{name}' can't reach the tenant's files: {why}", code="TM509") from error


def _hint(name: str) -> str:
    """Return where the paths of a tool begin."""
    start = "the tenant's folder" if name.endswith("TenantConfig") else "files/"
    return f"a path is relative to {start}, with '/' between its parts"


def function_of(name: str) -> BuiltinFunction:
    """Return the function of a shared tool; only what it needs is imported.

    Raises:
        KeyError: there is no such tool.
    """
    if name == "getKnowledge":
        from tm.builtin.knowledge import get_knowledge  # noqa: PLC0415  most runs search nothing

        return get_knowledge
    if name.endswith("TenantConfig"):
        from tm.builtin import tenant_config  # noqa: PLC0415  loads the scan

        return {
            "writeTenantConfig": tenant_config.write_tenant_config,
            "deleteTenantConfig": tenant_config.delete_tenant_config,
        }[name]
    from tm.builtin import files, listing  # noqa: PLC0415  as above

    return {
        "readFile": files.read_file,
        "writeFile": files.write_file,
        "deleteFile": files.delete_file,
        "listFiles": listing.list_files,
    }[name]
