"""Texts of documents that are credentials: they must not stand in a file.

What lives here: telling. What must not: what stands there instead.
"""

from __future__ import annotations

import re
from typing import Final

from tm.model import Json

_CREDENTIAL: Final = re.compile(r"(?i)(?:bearer|basic|token)\s+\S")


def holds_secret(text: str) -> bool:
    """Tell whether a text is a credential by its shape: a scheme before it, or a known token."""
    from tm.lint.secret_shapes import find_tokens  # noqa: PLC0415  imports only

    return _CREDENTIAL.match(text) is not None or any(True for _ in find_tokens(text))


def is_open(value: Json) -> bool:
    """Tell whether a value of a schema, such as a default, may stand in a file."""
    if isinstance(value, list):
        return all(map(is_open, value))
    if isinstance(value, dict):
        return all(map(is_open, value.values()))
    return not isinstance(value, str) or not holds_secret(value)
