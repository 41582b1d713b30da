"""Turns definitions of tools, as models and servers have them, into tenants to be linted.

Read are OpenAI's nesting, flat functions (also one a line, or inside cases), and the tool lists
of MCP servers. Each definition becomes a tool with a handler, in a file of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

Definition = Mapping[str, Any]

HANDLER = """\
def answer(results, args, ctx):
    ctx["logger"].info("started")
    ctx["logger"].info("ended")
    return {"ok": True}
"""

TYPES = {
    "dict": "object", "HashMap": "object", "float": "number", "double": "number",
    "long": "integer", "tuple": "array", "Array": "array", "ArrayList": "array",
    "String": "string", "char": "string", "Boolean": "boolean", "any": None, "": None,
}  # fmt: skip
"""The type names of BFCL, and what its SOURCE.txt maps them to; None stands for no type."""


def read_definitions(path: Path) -> Iterator[Definition]:
    """Yield the definitions of a file in any of the forms, each as it stands there."""
    text = path.read_text("utf-8")
    lines = text.splitlines() if path.suffix == ".jsonl" else [text]
    for line in lines:
        yield from _definitions(json.loads(line))


def _definitions(value: Any) -> Iterator[Definition]:
    if isinstance(value, list):
        for one in value:
            yield from _definitions(one)
    elif "tools" in value:
        yield from value["tools"]
    elif "functions" in value:
        problems = value.get("schema_problems", {})
        for one in value["functions"]:
            yield {**one, "problems": problems.get(one["name"], [])}
    elif "parameters" in value or "inputSchema" in value or "function" in value:
        yield value


def flat(definition: Definition) -> tuple[str, dict[str, Any]]:
    """Return the name and the fields of a tool."""
    function = definition.get("function", definition)
    schema = function.get("parameters", function.get("inputSchema"))
    fields = {"description": function.get("description"), "parameters": schema}
    return function["name"], {key: value for key, value in fields.items() if value is not None}


def nested(definition: Definition) -> tuple[str, dict[str, Any]]:
    """Return the name of a tool, and it in OpenAI's nesting."""
    name, fields = flat(definition)
    return name, {"type": "function", "function": {"name": name, **fields}}


def with_json_types(schema: Any) -> Any:
    """Return a schema with the type names of other languages mapped to those of JSON."""
    if isinstance(schema, list):
        return [with_json_types(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    mapped = {key: with_json_types(value) for key, value in schema.items()}
    if isinstance(named := mapped.get("type"), str):
        mapped["type"] = TYPES.get(named, named)
        if mapped["type"] is None:
            del mapped["type"]
    return mapped


def write_tenants(root: Path, tools: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, int]:
    """Write each tool into a file, and tools of one name into tenants of their own.

    Returns:
        The number of each tool in what was given, by the path of its file from the root.
    """
    (root / "tenants").mkdir(parents=True)
    taken: dict[str, int] = {}
    paths: dict[str, int] = {}
    for number, (name, fields) in enumerate(tools):
        count = taken[name] = taken.get(name, 0) + 1
        folder = root / f"tenants/set{count}"
        if not folder.exists():
            folder.mkdir()
            (folder / "handlers.py").write_text(HANDLER, "utf-8")
        path = folder / f"tool{number}.yaml"
        tool = {**fields, "handler": "handlers.py:answer"}
        path.write_text(json.dumps({"tools": {name: tool}}, indent=2, ensure_ascii=False), "utf-8")
        paths[path.relative_to(root).as_posix()] = number
    return paths
