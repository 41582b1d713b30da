"""Tools out of definitions for function calling: OpenAI's list, its flat form, MCP's tool lists.

What lives here: finding the definitions in a document, and the config that is made of them. What
must not: schemas (`foreign_schema`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.errors import UsageError
from tm.exchange.foreign_schema import to_json_schema
from tm.exchange.imported import Imported, config_text, one_line
from tm.exchange.names import tool_name
from tm.model import Json

_SCHEMAS: Final = ("parameters", "inputSchema", "input_schema")
_STUB: Final = '''\


def {function}(results: dict, args: dict, ctx: Ctx) -> dict:
    """Answer {name}: put the tool's own work here."""
    ctx["logger"].info("{name} starts")
    ctx["logger"].warning("{name} is a stub: it answers with its arguments")
    return {{"stub": True, "args": args}}
'''


def import_definitions(text: str, source: str, taken: set[str], *, api: str | None) -> Imported:
    """Return the config for the definitions of a document.

    Args:
        text: JSON, or one JSON document a line.
        source: name of the file, for errors and for the name of what is written.
        taken: names that tools of the tenant have.
        api: declared api that the tools are to ask, by POST at their name; None: stubs in Python.

    Raises:
        UsageError: TM500, the document is no JSON, or no definition is in it.
    """
    found = list(_definitions(_read(text, source)))
    if not found:
        raise UsageError(
            f"{source} holds no tool definitions",
            code="TM500",
            hint='wanted is a list of {"type": "function", "function": {"name": ...}}',
        )
    notes: list[str] = []
    tools: dict[str, dict[str, Any]] = {}
    for definition in found:
        given = str(definition.get("name") or "")
        name = tool_name(given, {*taken, *tools})
        if name != given:
            notes.append(f"{given!a:.80} is called {name} here: models take no other names")
        tools[name] = _tool(definition, name)
    stem = source.rpartition("/")[2].partition(".")[0]
    base = tool_name(stem, set(), otherwise="imported")
    files = _api_files(tools, base, api) if api else _stub_files(tools, base)
    return Imported(files, tuple(tools), (), tuple(notes))


def _read(text: str, source: str) -> Json:
    """Return the document; of several lines that are each one, the list of them."""
    try:
        return json.loads(text)
    except ValueError as error:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            raise UsageError(f"{source} is no JSON: {error}", code="TM500") from error
    except RecursionError as error:
        raise UsageError(f"{source} is nested too deep", code="TM500") from error


def _definitions(value: Json) -> Iterator[Mapping[str, Any]]:
    """Yield the definitions, wherever they lie in the usual frames."""
    if isinstance(value, list):
        for part in value:
            yield from _definitions(part)
    elif isinstance(value, Mapping):
        if isinstance(value.get("function"), Mapping):
            yield from _definitions(value["function"])
        elif isinstance(value.get("name"), str):
            yield value
        else:
            for key in ("tools", "functions", "functionDeclarations", "function_declarations"):
                if isinstance(value.get(key), list):
                    yield from _definitions(value[key])


def _tool(definition: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a tool's description and parameters."""
    schema = to_json_schema(next((definition[key] for key in _SCHEMAS if definition.get(key)), {}))
    parameters: dict[str, Any] = schema if isinstance(schema, dict) else {}
    parameters["type"] = "object"
    parameters.setdefault("properties", {})
    description = one_line(definition.get("description")) or f"Call {name}."
    return {"description": description, "parameters": parameters}


def _api_files(tools: Mapping[str, dict[str, Any]], base: str, api: str) -> dict[str, str]:
    declared = {
        name: {**tool, "api": api, "method": "POST", "path": f"/{name}"}
        for name, tool in tools.items()
    }
    return {f"tools/{base}.yaml": config_text({"tools": declared})}


def _stub_files(tools: Mapping[str, dict[str, Any]], base: str) -> dict[str, str]:
    """Return a file of declarations and one of functions, each tool with its own."""
    code = f'"""Stubs for the tools of {base}.yaml."""\n\nfrom tm import Ctx\n'
    declared = {}
    for number, (name, tool) in enumerate(tools.items(), 1):
        function = f"answer_{number}"
        code += _STUB.format(function=function, name=name)
        declared[name] = {**tool, "handler": f"{base}.py:{function}"}
    files = {f"tools/{base}.yaml": config_text({"tools": declared})}
    return {**files, f"tools/{base}.py": code}
