"""The files that `tm new` begins with: they lint clean, and run without a network.

What lives here: texts. What must not: writing files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Template
from typing import Final

_PYTHON_TOOL: Final = Template('''\
"""$name: say here what the tool is for."""

from tm import Ctx


def $function(results: dict, args: dict, ctx: Ctx) -> dict:
    """Greet somebody; put the tool's own work in place of this."""
    ctx["logger"].info("$name starts", {"who": args["who"]})
    greeting = f"Hello, {args['who']}!"
    ctx["logger"].success("$name is done")
    return {"greeting": greeting}


tools = {
    "$name": {
        "description": "Greet somebody by name. Tell the model here what the tool does, and when.",
        "parameters": {
            "type": "object",
            "properties": {
                "who": {"type": "string", "description": "Name of the person to greet."},
            },
            "required": ["who"],
        },
        "handler": $function,
        "args_fixture": {"who": "Ada"},
    },
}
''')

_API_TOOL: Final = Template("""\
tools:
  $name:
    description: Fetch one record by its id. Tell the model here what the tool does, and when.
    parameters:
      type: object
      properties:
        id: {type: string, description: Id of the record.}
      required: [id]
    api: $api
    method: GET
    path: /records/{id}
    mapping:
      id: id
      name: name
    args_fixture: {id: "1"}
""")

_TENANT: Final = Template("""\
# What holds for all of $code: settings, and the assistants that models are given.

settings:
  timezone: UTC
  vars: {shop: "$code"}
  providers:
    main:
      base_url: https://api.openai.com/v1
      api_key: "$${OPENAI_API_KEY}" # from the environment, or from .env beside this file

assistants:
  support:
    system_prompt: >-
      You help the customers of {{vars.shop}}. Today is {{date}}. Use the tools; never guess.
    model: gpt-5-mini
    provider: main
    tools: [greet]
""")

_IGNORED: Final = """\
.env
files/
_backups/
logs/
tmp/
"""


def python_tool(name: str) -> dict[str, str]:
    """Return path below the tenant and text of a tool that is only Python."""
    text = _PYTHON_TOOL.substitute(name=name, function=_function_name(name))
    return {f"tools/{name}.py": text}


def api_tool(name: str, api: str) -> dict[str, str]:
    """Return path below the tenant and text of a tool that asks a declared api."""
    return {f"tools/{name}.yaml": _API_TOOL.substitute(name=_yaml(name), api=_yaml(api))}


def new_tenant(code: str) -> Mapping[str, str]:
    """Return paths below the tenant and texts of a tenant with one tool and one assistant."""
    files = {".gitignore": _IGNORED, "tenant.yaml": _TENANT.substitute(code=code)}
    return files | python_tool("greet")


def _yaml(name: str) -> str:
    """Return a name as YAML text: one that looks like a number or a word of YAML in quotes."""
    is_plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name)
    is_word = name.lower() in {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
    return name if is_plain and not is_word else f'"{name}"'


def _function_name(name: str) -> str:
    """Return the name of the handler: the tool's own, in the form of Python."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name.replace("-", "_")).lower().strip("_")
    return f"run_{words}" if words else "run_tool"
