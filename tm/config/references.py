"""`FILE:FUNCTION` texts: what they mean, and that they stay inside their home."""

from __future__ import annotations

import re

from tm.config.discover import RUNTIME_FOLDERS, TENANTS
from tm.errors import ConfigError, Location
from tm.model import FunctionRef

_REFERENCE = re.compile(r"(?P<file>.+\.py):(?P<name>[^\W\d]\w*)")


def read_reference(text: object, field: str, source: str, home: str, at: Location) -> FunctionRef:
    """Return the function that a field names.

    Args:
        text: `FILE:FUNCTION`, FILE relative to the folder of `source`.
        field: `handler`, `preprocess` or `postprocess`.
        source: path of the naming file, relative to the root.
        home: tenant code or `_shared`; the file stays inside its folder.
        at: of the field.

    Raises:
        ConfigError: TM117 for a malformed text, TM312 for a file outside the home.
    """
    if not isinstance(text, str) or not (hit := _REFERENCE.fullmatch(text)):
        raise ConfigError(
            f"{field} must be FILE:FUNCTION, for example 'invoice.py:add_tax', not {text!r:.60}",
            code="TM117",
            at=at,
        )
    folder = source.split("/")[2:-1]  # below tenants/<home>/
    parts = _join(folder, hit["file"])
    if parts is None:
        raise ConfigError(
            f"{field} names a file outside {TENANTS}/{home}/: {text!r:.80}",
            code="TM312",
            hint="a function's file lies in the same tenant, relative to the file that names it",
            at=at,
        )
    return FunctionRef(home, "/".join((TENANTS, home, *parts)), hit["name"], at)


def _join(folder: list[str], file: str) -> list[str] | None:
    """Return the file's path inside the home, or None where it leaves the home or its config."""
    if file.startswith("/") or "\\" in file or "\0" in file or re.match(r"[A-Za-z]:", file):
        return None
    parts = list(folder)
    for part in file.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return None if parts[0] in RUNTIME_FOLDERS else parts
