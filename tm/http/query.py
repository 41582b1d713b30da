"""Queries: values as they stand in a URL, and the text of a single value.

What lives here: pure functions. What must not: routes and hosts (`urls`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote

from tm.errors import ToolError
from tm.model import Json, QueryArrays


def write_query(query: Mapping[str, Json], arrays: QueryArrays) -> str:
    """Return the query text of a mapping; spaces become `%20`, None is left out.

    Raises:
        ToolError: TM501 for objects, nested lists, NaN and Infinity.
    """
    return "&".join(part for name, value in query.items() for part in _parts(name, value, arrays))


def _parts(name: str, value: Json, arrays: QueryArrays) -> Iterator[str]:
    key = quote(str(name), safe="")
    if not isinstance(value, list | tuple):
        if value is not None:
            yield f"{key}={quote(scalar_text(value, name), safe='')}"
        return
    values = [quote(scalar_text(item, name), safe="") for item in value if item is not None]
    if not values:
        return
    if arrays == "comma":
        yield f"{key}={','.join(values)}"
        return
    key += "%5B%5D" if arrays == "brackets" else ""
    yield from (f"{key}={item}" for item in values)


def scalar_text(value: Json, name: str) -> str:
    """Return a text, number or boolean as it stands in queries, headers and form fields.

    Raises:
        ToolError: TM501 for everything else, naming the field.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if not value.isascii() else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    kind = {dict: "an object", list: "a list", float: "no finite number"}.get(
        type(value), type(value).__name__
    )
    raise ToolError(
        f"{name!r} is {kind}; only texts, numbers and booleans can be sent there", code="TM501"
    )


def set_parameter(url: str, name: str, value: str) -> str:
    """Return the URL with this one value for a query parameter, given ones of the name replaced."""
    route, _, query = url.partition("?")
    key = quote(name, safe="")
    kept = [
        part for part in query.split("&")
        if part and unquote(part.partition("=")[0].replace("+", " ")) != name
    ]  # fmt: skip
    return f"{route}?{'&'.join([*kept, f'{key}={value}'])}"
