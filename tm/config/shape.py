"""The light check of one declaration against the tables of `fields`: lint codes, and cheap.

The same tables make the JSON Schema of the config (`config_schema`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tm.config.extends import Declaration, Extended
from tm.config.fields import (
    API_FIELDS,
    AUTH_TYPES,
    TOOL_FIELDS,
    FieldSpec,
    is_kind,
)
from tm.config.source import SECTIONS, Source
from tm.errors import ConfigError, Location, did_you_mean
from tm.model import METHODS


def check_nesting(own: Declaration) -> None:
    """Refuse what is no mapping, and OpenAI's nesting inside a tool.

    Raises:
        ConfigError: TM101, TM105.
    """
    value = own.value
    if not isinstance(value, Mapping):
        raise ConfigError(
            f"tool '{own.name}' must be a mapping of fields, not {value_word(value)}",
            code="TM105",
            at=own.at,
        )
    if isinstance(value.get("function"), Mapping):
        key = "type" if value.get("type") == "function" else "function"
        raise ConfigError(
            f"tool '{own.name}' has OpenAI's nesting; its fields stand directly under the name",
            code="TM101",
            hint="move what is under 'function' up one level",
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
            at = tool.origins[name].locate(name)
            raise _wrong_kind(f"{name} of tool '{tool.own.name}'", value, spec, at)
    _check_parameters(tool)
    if error := next(check_request(tool), None):
        raise error


def _check_parameters(tool: Extended) -> None:
    """Refuse a schema that is not of type object."""
    schema = tool.values.get("parameters")
    if schema is None or schema.get("type", "object") == "object":
        return
    raise ConfigError(
        f"parameters of tool '{tool.own.name}' must be of type object, not {schema['type']!r:.40}",
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
            hint=_misspelt(values, missing)
            or "an api needs both, such as method: GET and path: /items/{id}",
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
            raise _wrong_kind(f"{name} of api '{own.name}'", field, spec, own.locate(name))


def unknown_sections(source: Source) -> Iterator[ConfigError]:
    """Yield TM007 for each unknown top-level key of a YAML file that has a known one."""
    for key in source.data:
        if key not in SECTIONS:
            what = f"unknown key {key!r:.60}{did_you_mean(key, SECTIONS)}"
            yield ConfigError(what, code="TM007", at=source.locate((key,)))


def _misspelt(values: Mapping[str, Any], missing: list[str]) -> str | None:
    """Return a hint that names the unknown key that may be the missing one, or None."""
    for key in values:
        if key not in TOOL_FIELDS and (near := did_you_mean(key, missing)):
            return f"'{key:.60}' is no field{near}"
    return None


def _wrong_kind(what: str, value: Any, spec: FieldSpec, at: Location) -> ConfigError:
    """Return the error for a field whose value is not what it takes."""
    if spec.kind == "auth" and isinstance(value, Mapping):
        found = value.get("type")
        known = ", ".join(AUTH_TYPES)
        near = did_you_mean(found, AUTH_TYPES) if isinstance(found, str) else ""
        given = f"{found!r:.40}{near}" if "type" in value else "nothing"
        return ConfigError(
            f"type of {what} must be one of {known}, not {given}", code=spec.code, at=at
        )
    is_right_type = isinstance(value, Mapping) and spec.words.startswith(("{", "seconds"))
    given = f"{value!r:.80}" if is_right_type else value_word(value)
    name = next(iter(value), None) if isinstance(value, dict) and spec.kind == "text" else None
    hint = f'a text that begins with a brace is quoted: "{{{name}}}..."' if name else None
    return ConfigError(
        f"{what} must be {spec.words}, not {given}", code=spec.code, hint=hint, at=at
    )


def value_word(value: Any) -> str:
    """Name a value's JSON type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a truth value"
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return names.get(type(value), type(value).__name__)
