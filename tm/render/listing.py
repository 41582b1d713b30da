"""The tools of tenants as a table, and as rows for `--json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tm.model import Tenant, Tool
from tm.render.lines import Line, Span, columns, line

MIN_DESCRIPTION = 10
"""Columns below which a description is not shortened any further."""


def tools_of(tenant: Tenant) -> list[Tool]:
    """Return what the tenant can call: its own tools, then shared ones that it does not hide."""
    own = sorted(tenant.tools.values(), key=lambda tool: tool.name)
    shared = sorted(tenant.shared.values(), key=lambda tool: tool.name)
    return [*own, *(tool for tool in shared if tool.name not in tenant.tools)]


def tool_rows(tenant: Tenant) -> list[dict[str, Any]]:
    """Return the rows of `tm list --json` for one tenant."""
    return [
        {
            "name": tool.name,
            "tenant": tenant.code,
            "description": tool.description,
            "path": tool.at.path,
        }
        for tool in tools_of(tenant)
    ]


def tool_lines(tenants: Sequence[Tenant], width: int | None) -> list[Line]:
    """Return the table of the tools: tenant (where there are several), name, description.

    Args:
        tenants: in the order to be shown.
        width: columns of the terminal; None: whole descriptions, for pipes and files.
    """
    rows = [
        (tenant.code, tool.name, " ".join(tool.description.split()))
        for tenant in tenants
        for tool in tools_of(tenant)
    ]
    if len(tenants) == 1:
        rows = [("", *row[1:]) for row in rows]
    return [
        line(
            Span(tenant.strip(" ") and tenant, "dim"),
            Span(name, "cyan"),
            _shortened(text, width, len(name) + len(tenant)),
        )
        for tenant, name, text in columns(rows)
    ]


def builtin_lines(tenants: Sequence[Tenant]) -> list[Line]:
    """Return one line that names tm's own tools, as far as a tenant has them; none without."""
    names = dict.fromkeys(name for tenant in tenants for name in tenant.builtin)
    if not names:
        return []
    return [line(Span(f"built in: {', '.join(names)} (tm show NAME)", "dim"))]


def _shortened(text: str, width: int | None, used: int) -> str:
    if width is None:
        return text
    room = max(width - used, MIN_DESCRIPTION)
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"
