"""The fields of tools and apis, as tables: what each takes, in words, and its lint code."""

from __future__ import annotations

from typing import Any, Final, Literal

from tm.records import record

Kind = Literal[
    "any", "text", "mapping", "boolean", "seconds", "timeout", "retry", "bytes", "attempts",
    "calls", "pagination", "number", "names", "whole", "body_format", "query_arrays", "fixtures",
    "auth",
]  # fmt: skip

BODY_FORMATS: Final = ("json", "form", "multipart", "text")
QUERY_ARRAYS: Final = ("repeat", "comma", "brackets")
PAGINATION_TYPES: Final = ("page", "offset", "cursor", "link")
AUTH_TYPES: Final = ("bearer", "basic", "header", "query", "oauth2_client_credentials")
MAX_NESTED_CALLS: Final = 100


@record
class FieldSpec:
    """One field.

    Attributes:
        kind: what `is_kind` checks.
        words: what it takes, for messages.
        description: what it does, for editors.
        code: lint code of a value of the wrong type.
    """

    kind: Kind
    words: str
    description: str
    code: str = "TM007"


TOOL_FIELDS: Final[dict[str, FieldSpec]] = {
    "description": FieldSpec("text", "text", "What the model reads.", "TM102"),
    "parameters": FieldSpec(
        "mapping", "a JSON Schema of type object",
        "JSON Schema of the arguments, of type object; closed unless it says otherwise.", "TM103",
    ),
    "api": FieldSpec("text", "the name of an api", "Name under apis.", "TM106"),
    "method": FieldSpec("text", "an HTTP method", "HTTP method of the request.", "TM108"),
    "path": FieldSpec("text", "text", "Appended to base_url; {name} is an argument.", "TM108"),
    "query": FieldSpec("mapping", "a mapping", "Query parameters from arguments.", "TM113"),
    "body": FieldSpec("mapping", "a mapping", "Body fields from arguments.", "TM113"),
    "body_format": FieldSpec("body_format", " or ".join(BODY_FORMATS), "How the body is sent."),
    "headers": FieldSpec("mapping", "a mapping", "Extra request headers.", "TM113"),
    "mapping": FieldSpec("mapping", "a mapping", "Result keys to response paths.", "TM112"),
    "preprocess": FieldSpec("text", "FILE:FUNCTION", "Changes the arguments.", "TM117"),
    "postprocess": FieldSpec("text", "FILE:FUNCTION", "Changes the result.", "TM117"),
    "handler": FieldSpec("text", "FILE:FUNCTION", "Makes the result.", "TM117"),
    "extends": FieldSpec("text", "the name of a shared tool", "The base tool.", "TM111"),
    "args_fixture": FieldSpec("mapping", "a mapping", "Arguments for tm test-tool.", "TM109"),
    "fixtures": FieldSpec(
        "fixtures", "a list of {name, args, expect?, status?, error?, max_ms?}",
        "Further named cases.", "TM109",
    ),
    "response_fixture": FieldSpec("any", "any value", "API response where one is stubbed."),
    "read_only": FieldSpec("boolean", "true or false", "A POST that only reads."),
    "fail_when": FieldSpec("text", "a path into the response", "Fails the run.", "TM112"),
    "max_seconds": FieldSpec("seconds", "a number of seconds above 0", "Limit of the whole run."),
    "timeout": FieldSpec("timeout", "seconds or {connect, read}", "Overrides the api's."),
    "retry": FieldSpec("retry", "{attempts: 1 or more} or false", "Overrides the api's."),
    "max_response_bytes": FieldSpec("bytes", "a whole number above 0", "Overrides the api's."),
    "follow_redirects": FieldSpec("boolean", "true or false", "Overrides the api's."),
    "pagination": FieldSpec(
        "pagination",
        "{type: page | offset | cursor | link, ...} with its keys",
        "How pages are joined.",
    ),
    "max_nested_calls": FieldSpec(
        "calls", f"a whole number from 0 to {MAX_NESTED_CALLS}", "Limit of nested tool calls."
    ),
}  # fmt: skip

API_FIELDS: Final[dict[str, FieldSpec]] = {
    "base_url": FieldSpec("text", "a URL", "Where every path is appended.", "TM106"),
    "auth": FieldSpec("auth", "a mapping with a known type", "Credentials."),
    "headers": FieldSpec("mapping", "a mapping", "Headers of every request."),
    "timeout": FieldSpec("timeout", "seconds or {connect, read}", "Default 10 s and 30 s."),
    "retry": FieldSpec("retry", "{attempts: 1 or more} or false", "All tries; default 3."),
    "verify": FieldSpec(
        "text", "the path of a CA file", "CA file, relative to this file or the tenant's folder."
    ),
    "max_response_bytes": FieldSpec("bytes", "a whole number above 0", "Default 10 MB."),
    "follow_redirects": FieldSpec("boolean", "true or false", "Within the same origin."),
    "pagination": FieldSpec(
        "pagination",
        "{type: page | offset | cursor | link, ...} with its keys",
        "How pages are joined.",
    ),
    "query_arrays": FieldSpec("query_arrays", " or ".join(QUERY_ARRAYS), "Lists in a query."),
}


ASSISTANT_FIELDS: Final[dict[str, FieldSpec]] = {
    "description": FieldSpec("text", "text", "What it is for, for people."),
    "system_prompt": FieldSpec("text", "text", "First message; {{date}} and others are filled in."),
    "model": FieldSpec("text", "text", "Name of the model at its provider."),
    "provider": FieldSpec("text", "a name", "Name under settings.providers."),
    "tools": FieldSpec("names", "a list of names", "The tools that it may call.", "TM402"),
    "max_tool_rounds": FieldSpec("calls", "a whole number", "Rounds of tool calls; default 8."),
    "temperature": FieldSpec("number", "a number", "Passed on to the model."),
    "max_tokens": FieldSpec("bytes", "a whole number above 0", "Passed on to the model."),
    "max_result_chars": FieldSpec("bytes", "a whole number above 0", "Default 50,000."),
}

TASK_FIELDS: Final[dict[str, FieldSpec]] = {
    "description": FieldSpec("text", "text", "What it is for, for people."),
    "cron": FieldSpec("text", "a cron expression", "When it runs.", "TM405"),
    "timezone": FieldSpec("text", "a time zone's name", "Of the expression.", "TM405"),
    "tool": FieldSpec("text", "a name", "The tool that it runs.", "TM402"),
    "args": FieldSpec("mapping", "a mapping", "Arguments of the tool."),
    "assistant": FieldSpec("text", "a name", "The assistant that it asks.", "TM402"),
    "message": FieldSpec("text", "text", "What the assistant is asked."),
}

PROVIDER_FIELDS: Final[dict[str, FieldSpec]] = {
    "base_url": FieldSpec("text", "a URL", "Of an OpenAI-compatible server."),
    "api_key": FieldSpec("text", "text", "Written as ${NAME}."),
    "headers": FieldSpec("mapping", "a mapping", "Headers of every request."),
    "stream": FieldSpec("boolean", "true or false", "Default true."),
    "timeout": FieldSpec("timeout", "seconds or {connect, read}", "Of one answer."),
    "dialect": FieldSpec("text", "a provider's name", "Whose schema rules the tools must keep."),
}

SETTING_FIELDS: Final[dict[str, FieldSpec]] = {
    "vars": FieldSpec("mapping", "a mapping", "Values of {{vars.KEY}} in prompts."),
    "providers": FieldSpec("mapping", "a mapping", "Model servers by name."),
    "http": FieldSpec("text", "live or replay", "Where answers come from by default."),
    "http_allow": FieldSpec("names", "a list of hosts", 'More hosts for ctx["http"].'),
    "timezone": FieldSpec("text", "a time zone's name", "Of dates in prompts; default UTC."),
    "language": FieldSpec("text", "a language code", "Of weekdays in prompts."),
    "isolate": FieldSpec("boolean", "true or false", "Run functions in a locked process."),
    "config_writers": FieldSpec("names", "a list of users", "Who may call writeTenantConfig."),
    "files_quota_mb": FieldSpec("number", "a number", "What files/ may hold; default 500."),
    "token_budget": FieldSpec("bytes", "a whole number above 0", "Of an assistant's tools."),
}


_PAGINATION: Final[dict[str, Kind]] = {
    "type": "text", "items": "text", "param": "text", "start": "whole", "limit_param": "text",
    "limit": "bytes", "next": "text", "max_pages": "bytes",
}  # fmt: skip
_PAGINATION_NEEDS: Final = {
    "page": ("param",),
    "offset": ("param",),
    "cursor": ("param", "next"),
    "link": (),
}


_TYPES: Final[dict[Kind, type]] = {
    "any": object,
    "text": str,
    "mapping": dict,
    "boolean": bool,
}
_CHOICES: Final[dict[Kind, tuple[str, ...]]] = {
    "body_format": BODY_FORMATS,
    "query_arrays": QUERY_ARRAYS,
}
_RANGES: Final[dict[Kind, tuple[float, float]]] = {
    "seconds": (0.001, 1e9),
    "bytes": (1, 1e15),
    "attempts": (1, 1e6),
    "whole": (-1e15, 1e15),
    "calls": (0, MAX_NESTED_CALLS),
}


def is_kind(value: Any, kind: Kind) -> bool:
    """Tell whether a declared value is of a kind."""
    if kind in _TYPES:
        return isinstance(value, _TYPES[kind])
    if kind in _CHOICES:
        return isinstance(value, str) and value in _CHOICES[kind]
    if kind == "number":
        return is_number(value)
    if kind in _RANGES:
        low, high = _RANGES[kind]
        whole = kind == "seconds" or (is_number(value) and value == int(value))
        return whole and is_number(value) and low <= value <= high
    return _is_mapping_kind(value, kind)


def _is_mapping_kind(value: Any, kind: Kind) -> bool:
    """Go on with the kinds that are mappings of their own."""
    if kind == "names":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind == "timeout":
        parts = value.values() if isinstance(value, dict) else [value]
        known = not isinstance(value, dict) or set(value) <= {"connect", "read"}
        return known and all(is_kind(part, "seconds") for part in parts)
    if kind == "retry":
        attempts = value.get("attempts", 3) if isinstance(value, dict) else 0
        known = isinstance(value, dict) and set(value) <= {"attempts"}
        return value is False or (known and is_kind(attempts, "attempts"))
    if kind == "pagination":
        return isinstance(value, dict) and _is_pagination(value)
    if kind == "auth":
        return isinstance(value, dict) and value.get("type") in AUTH_TYPES
    return isinstance(value, list) and all(_is_fixture(item) for item in value)


def _is_pagination(value: dict[str, Any]) -> bool:
    """Tell whether a mapping says how pages are gathered."""
    if value.get("type") not in PAGINATION_TYPES or not set(value) <= _PAGINATION.keys():
        return False
    if any(name not in value for name in _PAGINATION_NEEDS[value["type"]]):
        return False
    return all(is_kind(value[name], _PAGINATION[name]) for name in value)


def _is_fixture(value: Any) -> bool:
    """Tell whether the value is one named case."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    status, error, max_ms = (value.get(key) for key in ("status", "error", "max_ms"))
    return (
        isinstance(value.get("args", {}), dict)
        and (status is None or (is_number(status) and status == int(status)))
        and (error is None or isinstance(error, str))
        and (max_ms is None or is_number(max_ms))
    )


def is_number(value: Any) -> bool:
    """Tell whether the value is a number; truth values are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
