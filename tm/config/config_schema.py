"""The JSON Schema of the config files, made from the tables of fields: for editors and docs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tm.config.config_examples import (
    API_EXAMPLES,
    ASSISTANT_EXAMPLES,
    PROVIDER_EXAMPLES,
    SETTING_EXAMPLES,
    TASK_EXAMPLES,
    TOOL_EXAMPLES,
    Examples,
)
from tm.config.fields import (
    API_FIELDS,
    ASSISTANT_FIELDS,
    AUTH_TYPES,
    BODY_FORMATS,
    MAX_NESTED_CALLS,
    PAGINATION_TYPES,
    PROVIDER_FIELDS,
    QUERY_ARRAYS,
    SETTING_FIELDS,
    TASK_FIELDS,
    TOOL_FIELDS,
    FieldSpec,
    Kind,
)
from tm.model import METHODS

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_SECONDS: Final = {"type": "number", "exclusiveMinimum": 0}
_FIXTURE: Final = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "What --case calls it."},
        "args": {"type": "object", "description": "The arguments of the case."},
        "expect": {"description": 'The result; "<any>" and others stand for a kind.'},
        "status": {"type": "integer", "description": "HTTP status of the last request."},
        "error": {"type": "string", "description": "The code that should happen: TM504."},
        "max_ms": {"type": "number", "description": "Milliseconds that the run may take."},
    },
    "required": ["name"],
    "additionalProperties": False,
}
_AUTH_WORDS: Final = {
    "token": "Of bearer: ${NAME}.",
    "username": "Of basic.",
    "password": "Of basic: ${NAME}.",
    "name": "Of header and query: the name of the header or parameter.",
    "value": "Of header and query: ${NAME}.",
    "token_url": "Of oauth2_client_credentials.",
    "client_id": "Of oauth2_client_credentials.",
    "client_secret": "Of oauth2_client_credentials: ${NAME}.",
    "scope": "Of oauth2_client_credentials.",
}
_KINDS: Final[dict[Kind, dict[str, Any]]] = {
    "any": {},
    "text": {"type": "string"},
    "mapping": {"type": "object"},
    "boolean": {"type": "boolean"},
    "number": {"type": "number"},
    "names": {"type": "array", "items": {"type": "string"}},
    "seconds": _SECONDS,
    "timeout": {
        "anyOf": [
            _SECONDS,
            {
                "type": "object",
                "properties": {"connect": _SECONDS, "read": _SECONDS},
                "additionalProperties": False,
            },
        ]
    },
    "retry": {
        "anyOf": [
            {"const": False},
            {
                "type": "object",
                "properties": {"attempts": {"type": "integer", "minimum": 1}},
                "additionalProperties": False,
            },
        ]
    },
    "bytes": {"type": "integer", "minimum": 1},
    "calls": {"type": "integer", "minimum": 0, "maximum": MAX_NESTED_CALLS},
    "pagination": {
        "type": "object",
        "properties": {
            "type": {"enum": list(PAGINATION_TYPES)},
            "items": {
                "type": "string",
                "default": "@",
                "description": "Path of the list in each page.",
            },
            "param": {"type": "string", "description": "Query parameter that names the page."},
            "start": {"type": "integer", "default": 1, "description": "Number of the first page."},
            "limit_param": {"type": "string", "description": "Query parameter of the page size."},
            "limit": {"type": "integer", "minimum": 1, "description": "Entries of a page."},
            "next": {"type": "string", "description": "Path of the next cursor or URL."},
            "max_pages": {
                "type": "integer",
                "minimum": 1,
                "default": 10,
                "description": "Pages that are fetched at most.",
            },
        },
        "required": ["type"],
        "additionalProperties": False,
    },
    "auth": {
        "type": "object",
        "properties": {
            "type": {"enum": list(AUTH_TYPES)},
            **{name: {"description": text} for name, text in _AUTH_WORDS.items()},
        },
        "required": ["type"],
    },
    "body_format": {"enum": list(BODY_FORMATS)},
    "query_arrays": {"enum": list(QUERY_ARRAYS)},
    "fixtures": {"type": "array", "items": _FIXTURE},
}


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of a config file."""
    tool = _record(TOOL_FIELDS, TOOL_EXAMPLES, "A tool: what the model sees, and what it runs.")
    tool["properties"]["method"]["enum"] = list(METHODS)
    settings = _record(SETTING_FIELDS, SETTING_EXAMPLES, "Settings of the tenant.")
    settings["additionalProperties"] = True
    settings["properties"]["providers"] = _named(
        _record(PROVIDER_FIELDS, PROVIDER_EXAMPLES, "A model server."), "Model servers by name."
    )
    return {
        "$schema": DIALECT,
        "title": "tm config",
        "type": "object",
        "properties": {
            "tools": _named(tool, "Tools by name."),
            "apis": _named(
                _record(API_FIELDS, API_EXAMPLES, "A declared endpoint."), "Apis by name."
            ),
            "assistants": _named(
                _record(ASSISTANT_FIELDS, ASSISTANT_EXAMPLES, "An assistant."),
                "Assistants by name.",
            ),
            "scheduled": _named(
                _record(TASK_FIELDS, TASK_EXAMPLES, "A task that runs by cron."), "Tasks by name."
            ),
            "settings": settings,
        },
        "additionalProperties": False,
        "minProperties": 1,
    }


def _record(
    fields: Mapping[str, FieldSpec], examples: Examples, description: str
) -> dict[str, Any]:
    """Return the schema of a mapping with known keys."""
    properties = {
        name: {
            "description": f"{spec.description} Takes {spec.words}.",
            **_KINDS[spec.kind],
            "examples": [examples[name]],
        }
        for name, spec in fields.items()
    }
    return {
        "description": description,
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _named(entry: dict[str, Any], description: str) -> dict[str, Any]:
    """Return the schema of a mapping from names to entries."""
    return {
        "description": description,
        "type": ["object", "null"],
        "additionalProperties": entry,
    }
