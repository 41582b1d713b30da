"""The light check of one declaration against the tables of `fields`: lint codes, and cheap.

The same tables make the JSON Schema of the config (`config_schema`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.config.extends import Declaration, Extended
from tm.config.fields import API_FIELDS, ASSISTANT_FIELDS, TASK_FIELDS, TOOL_FIELDS, is_kind
from tm.config.source import SECTIONS, Source
from tm.errors import ConfigError, did_you_mean
from tm.model import METHODS


def check_nesting(own: Declaration) -> None:
    """Refuse what is no mapping, and OpenAI's nesting inside a tool.

    Raises:
        ConfigError: TM101, TM105.
    """
    value = own.value
    if not isinstance(value, Mapping):
        raise ConfigError(
            f"tool '{own.name}' is a mapping of fields, not {value_word(value)}",
            code="TM105",
            at=own.at,
        )
    if isinstance(value.get("function"), Mapping):
        key = "type" if value.get("type") == "function" else "function"
        raise ConfigError(
            f"tool '{own.name}' has OpenAI's nesting; its fields stand directly under the name",
            code="TM101",
            hint="move what is under 'function' up one level, or run tm lint --fix",
            at=own.locate(key),
        )


def check_tool(tool: Extended) -> None:
    """Refuse a tool that can't run; fields it inherits are checked at their origin.

    Raises:
        ConfigError: TM103, TM105, TM108, or the code of the field whose type is wrong.
    """
    for name, value in tool.values.items():
        spec = TOOL_FIELDS.get(name)
        if name == "description" and value is None:
            continue  # as good as none, which stops no tool from running
        if spec and not is_kind(value, spec.kind):
            raise ConfigError(
                f"{name} of tool '{tool.own.name}' is {spec.words}, not {value_word(value)}",
                code=spec.code,
                at=tool.origins[name].locate(name),
            )
    _check_parameters(tool)
    if error := next(check_request(tool), None):
        raise error


def _check_parameters(tool: Extended) -> None:
    """Refuse a schema that is not of type object."""
    schema = tool.values.get("parameters")
    if schema is None or schema.get("type", "object") == "object":
        return
    raise ConfigError(
        f"parameters of tool '{tool.own.name}' are of type object, not {schema['type']!r:.40}",
        code="TM103",
        hint="arguments have names: {type: object, properties: {...}}",
        at=tool.origins["parameters"].locate("parameters", "type"),
    )


def check_request(tool: Extended) -> Iterator[ConfigError]:
    """Yield TM105 for nothing to run, TM108 for an api without method or path, or no method."""
    values, own = tool.values, tool.own
    if "api" not in values:
        if "handler" not in values:
            yield ConfigError(
                f"tool '{own.name}' has neither api nor handler",
                code="TM105",
                hint="give it api, method and path, or handler: FILE:FUNCTION",
                at=own.at,
            )
        return
    missing = [name for name in ("method", "path") if name not in values]
    if missing:
        yield ConfigError(
            f"tool '{own.name}' has an api but no {' and no '.join(missing)}",
            code="TM108",
            at=own.at,
        )
    method = values.get("method")
    if isinstance(method, str) and method not in METHODS:
        yield ConfigError(
            f"method {method!r:.40} of tool '{own.name}' is none of "
            f"{', '.join(METHODS)}{did_you_mean(method, METHODS)}",
            code="TM108",
            at=tool.origins["method"].locate("method"),
        )


def check_api(own: Declaration) -> None:
    """Refuse an api that can't be called.

    Raises:
        ConfigError: TM106 for one without base_url, TM007 for a field of the wrong type.
    """
    value = own.value
    if not isinstance(value, Mapping) or not isinstance(value.get("base_url"), str):
        raise ConfigError(f"api '{own.name}' has no base_url", code="TM106", at=own.at)
    for name, field in value.items():
        spec = API_FIELDS.get(name)
        if spec and not is_kind(field, spec.kind):
            raise ConfigError(
                f"{name} of api '{own.name}' is {spec.words}, not {value_word(field)}",
                code=spec.code,
                at=own.locate(name),
            )


_KNOWN: Final = {
    "tools": TOOL_FIELDS,
    "apis": API_FIELDS,
    "assistants": ASSISTANT_FIELDS,
    "scheduled": TASK_FIELDS,
}


def unknown_keys(own: Declaration) -> Iterator[ConfigError]:
    """Yield TM007 for each unknown key of a declaration; that stops nothing from running."""
    known = _KNOWN.get(own.section, {})
    for key in own.value if known and isinstance(own.value, Mapping) else ():
        if key not in known:
            near = did_you_mean(key, list(known))
            what = f"unknown key {key!r:.60} in {own.section} '{own.name}'{near}"
            yield ConfigError(what, code="TM007", at=own.locate(key))


def unknown_sections(source: Source) -> Iterator[ConfigError]:
    """Yield TM007 for each unknown top-level key of a YAML file that has a known one."""
    for key in source.data:
        if key not in SECTIONS:
            what = f"unknown key {key!r:.60}{did_you_mean(key, SECTIONS)}"
            yield ConfigError(what, code="TM007", at=source.locate((key,)))


def value_word(value: Any) -> str:
    """Name a value's JSON type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a truth value"
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return names.get(type(value), type(value).__name__)
