"""The body of a tool out of what a curl command sends: a form, parts or JSON.

What lives here: an argument for each field that is sent. What must not: address, headers and query
(`curl`).
"""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import parse_qsl

from tm.config.env import says_secret
from tm.errors import UsageError
from tm.exchange.curl_draft import Draft, argument, typed
from tm.exchange.curl_words import CurlRequest

_FORMATS: Final = {
    "application/x-www-form-urlencoded": "form",
    "multipart/form-data": "multipart",
}


def body_of(draft: Draft) -> dict[str, Any]:
    """Return `body` and `body_format`: an argument for each field of what the command sends.

    Raises:
        UsageError: TM500, the body is no JSON object, or a field is a file.
    """
    request = draft.request
    if request.form:
        return _fields(draft, request.form, "multipart")
    if not request.data:
        return {}
    text = "&".join(request.data)
    kind = _content_type(request)
    if kind in _FORMATS or (kind == "" and not text.lstrip().startswith(("{", "["))):
        pairs = parse_qsl(text, keep_blank_values=True)
        return _fields(draft, pairs, _FORMATS.get(kind, "form"))
    return _json_body(draft, text)


def _content_type(request: CurlRequest) -> str:
    if request.is_json:
        return "application/json"
    given = [value for name, value in request.headers if name.lower() == "content-type"]
    return given[0].partition(";")[0].strip().lower() if given else ""


def _fields(draft: Draft, pairs: list[tuple[str, str]], body_format: str) -> dict[str, Any]:
    body: dict[str, Any] = {}
    for key, value in pairs:
        if value.startswith("@"):
            raise UsageError(f"field {key!a:.40} is a file; tools send texts", code="TM500")
        if says_secret(key):
            body[key] = {"value": draft.secret(value, key)}
        else:
            body[key] = argument(draft, key, typed(value))
    return {"body": body, "body_format": body_format}


def _json_body(draft: Draft, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"the body of the curl command is no JSON: {error}", code="TM500"
        ) from error
    if not isinstance(value, dict):
        kind = type(value).__name__
        raise UsageError(f"the body is a {kind}; a tool sends a JSON object", code="TM500")
    body: dict[str, Any] = {}
    for key, part in value.items():
        if says_secret(key) and isinstance(part, str):
            body[key] = {"value": draft.secret(part, key)}
        else:
            body[key] = argument(draft, key, part)
    return {"body": body}
