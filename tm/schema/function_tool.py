"""A tool as a model sees it: function definitions for each kind of provider (SPEC 8 and 10)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias, assert_never

from tm.errors import ConfigError
from tm.model import Json, Tool
from tm.schema.gemini import gemini_schema

Kind: TypeAlias = Literal["openai", "anthropic", "gemini", "mcp"]

_CHARS_A_TOKEN: Final = 4
_LONGEST_NAME: Final = 64


def exported_name(name: str) -> str:
    """Return the name under which a model sees a tool: `[A-Za-z0-9_-]`, at most 64 characters."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:_LONGEST_NAME]


def exported_names(names: Iterable[str]) -> dict[str, str]:
    """Return exported name to tool name.

    Raises:
        ConfigError: TM115, where two tools would be exported under one name.
    """
    by_exported: dict[str, str] = {}
    for name in names:
        exported = exported_name(name)
        other = by_exported.setdefault(exported, name)
        if other != name:
            message = f"tools '{other}' and '{name}' would both be exported as '{exported}'"
            raise ConfigError(message, code="TM115", hint="Rename one of them.")
    return by_exported


def exported_parameters(parameters: Mapping[str, Json]) -> dict[str, Json]:
    """Return the schema with what every provider wants to see: `type: object`, `properties`."""
    if "$ref" in parameters:
        return dict(parameters)
    return {"type": "object", "properties": {}} | dict(parameters)


def function_tool(tool: Tool) -> dict[str, Any]:
    """Return the tool in OpenAI form, as `tools` of a chat completion wants it."""
    function = {
        "name": exported_name(tool.name),
        "description": tool.description,
        "parameters": exported_parameters(tool.parameters),
    }
    return {"type": "function", "function": function}


def for_model(tool: Tool, kind: Kind) -> dict[str, Any]:
    """Return the tool as a kind of provider wants it; for Gemini a declaration."""
    head = {"name": exported_name(tool.name), "description": tool.description}
    parameters = exported_parameters(tool.parameters)
    match kind:
        case "openai":
            return function_tool(tool)
        case "anthropic":
            return {**head, "input_schema": parameters}
        case "gemini":
            return {**head, "parameters": gemini_schema(parameters)}
        case "mcp":
            return {**head, "inputSchema": parameters}
        case _:
            assert_never(kind)


def token_estimate(definition: Json) -> int:
    """Return about how many tokens a definition costs: one for four characters of its JSON.

    An estimate: tokenizers differ by provider, language and model.
    """
    text = json.dumps(definition, ensure_ascii=False, separators=(",", ":"))
    return -(-len(text) // _CHARS_A_TOKEN)
