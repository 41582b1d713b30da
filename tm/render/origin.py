"""One tool's fields with the places they come from."""

from __future__ import annotations

from typing import Any

from tm.model import Json, Tool
from tm.render.lines import Line, Span, indented, line
from tm.render.result import json_text


def fields_json(tool: Tool) -> dict[str, Any]:
    """Return the object of `tm show --json`."""
    return {
        "name": tool.name,
        "tenant": tool.tenant,
        "fields": {
            name: {
                "value": tool.declared.get(name),
                "path": field.at.path,
                "line": field.at.line,
            }
            for name, field in tool.fields.items()
        },
    }


def field_lines(tool: Tool) -> list[Line]:
    """Return the tool's name and place, then each field: its place, and its value below."""
    rows = [line(Span(tool.name, "bold cyan"), f"  {tool.tenant}", Span(f"  {tool.at}", "dim"))]
    for name, field in tool.fields.items():
        rows.append(line("  ", Span(name, "bold"), Span(f"  {field.at}", "dim")))
        rows += indented(_value_text(tool.declared.get(name)), "    ")
    return rows


def _value_text(value: Json) -> str:
    """Return a text as it is, so that it can be read, and anything else as JSON."""
    return value.rstrip("\n") if isinstance(value, str) else json_text(value)
