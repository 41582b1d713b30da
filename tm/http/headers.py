"""Request headers: which may be set, what may stand in them, how they merge.

What lives here: names and values. What must not: secrets, sending.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tm._version import __version__
from tm.errors import ToolError
from tm.http.query import scalar_text
from tm.model import Api, Json

DEFAULTS: Final[Mapping[str, str]] = {
    "accept": "application/json, */*;q=0.8",
    # Only what `limits` can unpack piece by piece.
    "accept-encoding": "gzip, deflate",
    "user-agent": f"tm/{__version__}",
}
# Where a request goes and where it ends is the client's to say.
_RESERVED: Final = frozenset({
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te",
    "trailer", "expect", "accept-encoding",
})  # fmt: skip
_TOKEN: Final = frozenset(  # RFC 9110, section 5.6.2
    "!#$%&'*+.^_`|~-0123456789abcdefghijklmnopqrstuvwxyz"
)
_CONTROL: Final = r"[\x00-\x08\x0a-\x1f\x7f]"


def request_headers(headers: Mapping[str, Json], api: Api) -> dict[str, str]:
    """Return the headers of a tool or handler by lower-case name, checked; None is left out.

    Raises:
        ToolError: TM501 for a name that is reserved or belongs to the api's auth, and for values
            that fit no header.
    """
    owned = auth_header(api)
    checked: dict[str, str] = {}
    for key, value in headers.items():
        name = str(key)
        lower = _checked_name(name)
        if value is None:
            continue
        if lower == owned:
            raise ToolError(
                f"header {name!r} is set by the auth of api {api.name!r} and can't be given here",
                code="TM501",
            )
        checked[lower] = header_value(name, value)
    return checked


def _checked_name(name: str) -> str:
    lower = name.lower()
    if not lower or not _TOKEN.issuperset(lower) or not name.isascii():
        raise ToolError(f"{name!a} is no header name", code="TM501")
    if lower in _RESERVED or lower.startswith("proxy-"):
        raise ToolError(f"header {name!r} can't be set by a tool: tm sets it", code="TM501")
    return lower


def header_value(name: str, value: Json) -> str:
    """Return a value as it stands in a header.

    Raises:
        ToolError: TM501 for line breaks and control characters, objects and lists.
    """
    text = scalar_text(value, name).strip(" \t")
    if not text.isprintable() and re.search(_CONTROL, text):
        raise ToolError(
            f"header {name!r} has a line break or control character in its value", code="TM501"
        )
    return text


def auth_header(api: Api) -> str | None:
    """Return the lower-case name of the header that the api's auth sets, or None."""
    if api.auth is None or api.auth.get("type") == "query":
        return None
    return str(api.auth.get("name", "authorization")).lower()


def display_name(lower: str) -> str:
    """Return a header's name as people write it: `x-api-key` as `X-Api-Key`."""
    return "-".join(part.capitalize() for part in lower.split("-"))
