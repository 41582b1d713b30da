"""The mapping step: picks the fields of a response that a tool returns (SPEC, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tm.errors import Location
from tm.grammar.dotpath import parse_path
from tm.http.messages import Response
from tm.model import Json, Tool


def apply_mapping(
    mapping: Mapping[str, Any], response: Response, *, missing: Callable[[str, str, str], None]
) -> dict[str, Json]:
    """Return the mapped result; nested mappings stay nested.

    Args:
        missing: told the result key, the path and the reason for each field that was not
            there; such a field becomes null.

    Raises:
        ConfigError: TM112 where a path does not parse.
        ToolError: where a JMESPath function refuses the data.
    """
    result: dict[str, Json] = {}
    for key, path in mapping.items():
        if isinstance(path, Mapping):
            result[key] = apply_mapping(path, response, missing=missing)
            continue
        found = parse_path(path).find(
            response.body, status=response.status, headers=response.headers
        )
        if found.missing is not None:
            missing(key, path, found.reason or "")
        result[key] = found.value
    return result


def has_expressions(tool: Tool) -> bool:
    """Tell whether the tool's `mapping` or `fail_when` computes: it may take any time and space."""
    texts = [] if tool.fail_when is None else [tool.fail_when]
    waiting: list[Any] = [tool.mapping or {}]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            waiting += part.values()
        elif isinstance(part, str):
            texts.append(part)
    return any(parse_path(text).expression is not None for text in texts)


def check_paths(tool: Tool) -> None:
    """Parse the tool's `mapping` and `fail_when`, so that nothing is sent for a broken one.

    Raises:
        ConfigError: TM112 at the field.
    """
    if tool.mapping is not None:
        _check_mapping(tool.mapping, tool.fields["mapping"].at)
    if tool.fail_when is not None:
        parse_path(tool.fail_when, at=tool.fields["fail_when"].at)


def _check_mapping(mapping: Mapping[str, Any], at: Location) -> None:
    for path in mapping.values():
        if isinstance(path, Mapping):
            _check_mapping(path, at)
        else:
            parse_path(path, at=at)


def failure_in(fail_when: str, response: Response) -> Json:
    """Return what `fail_when` finds in a response, or None where it says that all is well.

    Empty, null, false and 0 mean that all is well.
    """
    found = parse_path(fail_when).find(
        response.body, status=response.status, headers=response.headers
    )
    return found.value or None
