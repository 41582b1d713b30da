"""Turns a tool and its arguments into the request of the request step (SPEC, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tm.grammar.templates import fill_fields, fill_path, unused_arguments
from tm.http.messages import ApiRequest
from tm.model import ABSENT, Absent, Json, Tool

_QUERY_METHODS = frozenset({"GET", "HEAD", "DELETE"})


def build_request(
    tool: Tool,
    args: Mapping[str, Any],
    extra_query: Mapping[str, Any],
    *,
    expand: Callable[[str], str],
) -> ApiRequest:
    """Return the request that the tool makes with these arguments.

    Args:
        args: as they are after preprocess.
        extra_query: preprocess's `_query`, which wins over the tool's `query`.
        expand: fills `${NAME}` in constants.

    Raises:
        ToolError: TM501 for an argument that can't stand in the path, TM503 for a missing secret.
    """
    path = fill_path(tool.path, args)
    query, body = _places(tool, args, expand)
    return ApiRequest(
        method=tool.method,
        path=path,
        query={**query, **extra_query},
        headers=fill_fields(tool.headers or {}, args, expand=expand),
        body=body,
        body_format=tool.body_format,
        read_only=tool.read_only,
        timeouts=tool.timeouts,
        attempts=tool.attempts,
        max_response_bytes=tool.max_response_bytes,
        follow_redirects=tool.follow_redirects,
    )


def _places(
    tool: Tool, args: Mapping[str, Any], expand: Callable[[str], str]
) -> tuple[dict[str, Json], Json | Absent]:
    """Return the query and the body: as declared, or where the method puts unused arguments."""
    if tool.query is None and tool.body is None:
        unused = unused_arguments(tool.path, args)
        if tool.method in _QUERY_METHODS:
            return unused, ABSENT
        return {}, unused if unused or tool.parameters.get("properties") else ABSENT
    query = fill_fields(tool.query or {}, args, expand=expand)
    body = ABSENT if tool.body is None else fill_fields(tool.body, args, expand=expand)
    return query, body
