"""What models read of the shared tools: descriptions and schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

MAX_HITS: Final = 50
"""Hits that getKnowledge gives at most."""

_FILE = "Path below files/, with '/' between its parts, such as 'reports/2026-03.csv'."
_CONFIG = "Path in the tenant's folder, such as 'tools/getOrder.yaml'."
_TEXT_OR_BINARY = {"type": "string", "enum": ["utf-8", "base64"], "default": "utf-8"}


def _tool(description: str, required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    """Return a declaration as a YAML file would have it."""
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return {"description": description, "parameters": parameters}


def _text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


DECLARED: Final[Mapping[str, Mapping[str, Any]]] = {
    "readFile": _tool(
        "Read a file of this tenant's files/ folder. Gives its path, content and size in bytes.",
        ("path",),
        path=_text(_FILE),
        encoding={
            **_TEXT_OR_BINARY,
            "description": "How content is given: as text (UTF-8), or base64 for other files.",
        },
    ),
    "writeFile": _tool(
        "Write a file into this tenant's files/ folder; missing folders are made, an existing "
        "file is replaced. At most 20 MB. Not for config or code: use writeTenantConfig.",
        ("path", "content"),
        path=_text(_FILE),
        content=_text("The whole content, or with append what is added at the end."),
        encoding={
            **_TEXT_OR_BINARY,
            "description": "What content is: text, written as UTF-8, or base64 of other bytes.",
        },
        append={
            "type": "boolean",
            "default": False,
            "description": "Add the content at the end of the file instead of replacing it.",
        },
    ),
    "listFiles": _tool(
        "List the files of this tenant's files/ folder, folders below it included, with sizes in "
        "bytes and the times of their last change (UTC).",
        (),
        path=_text("Folder below files/ to list; without it the whole of files/."),
        pattern=_text(
            "Glob that a file's path in that folder must fit, such as '*.csv' or "
            "'2026/**/*.pdf'; one without '/' is compared with the name alone."
        ),
    ),
    "deleteFile": _tool(
        "Delete one file of this tenant's files/ folder. Folders are not deleted.",
        ("path",),
        path=_text(_FILE),
    ),
    "writeTenantConfig": _tool(
        "Write a config or code file (.yaml, .yml, .py) of this tenant: the whole file. It is "
        "checked first and refused with every finding; the old file is kept in _backups/. Only "
        "for users that settings.config_writers names.",
        ("path", "content"),
        path=_text(_CONFIG),
        content=_text("The whole content of the file."),
    ),
    "deleteTenantConfig": _tool(
        "Delete a config or code file (.yaml, .yml, .py) of this tenant; it is kept in "
        "_backups/. Only for users that settings.config_writers names.",
        ("path",),
        path=_text(_CONFIG),
    ),
    "getKnowledge": _tool(
        "Search this tenant's documents (knowledge/) by words. Gives the best passages with "
        "their file and nearest heading; a higher score is a better fit.",
        ("query",),
        query=_text("Words to search for, in the language of the documents.", minLength=1),
        limit={
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_HITS,
            "default": 5,
            "description": "How many passages to give at most.",
        },
    ),
}
