"""The error for an answer with a status of 400 or more.

What lives here: its words. The model reads them too, to correct its arguments.
"""

from __future__ import annotations

from typing import Final

from tm.errors import ToolError
from tm.http.decoding import decode_text, is_json
from tm.http.messages import Answer, Call
from tm.http.reasons import with_reason
from tm.http.urls import VARIABLE
from tm.redact import Redactor

MAX_CHARS: Final = 2_000


def status_error(call: Call, answer: Answer, redactor: Redactor) -> ToolError:
    """Return the error: status, request line, the first 2,000 characters of the body, masked."""
    return ToolError(
        f"{with_reason(answer.status)} from {call.method} {answer.url}: {_said(answer, redactor)}",
        code="TM504",
        hint=_hint(call, answer.status),
    )


def _said(answer: Answer, redactor: Redactor) -> str:
    if not answer.content:
        return "the body is empty"
    kind = answer.headers.get("content-type", "")
    text = decode_text(answer.content, kind)
    if "\0" in text or (text.count("\ufffd") * 10 > len(text) and not is_json(kind)):
        return f"{len(answer.content):,} bytes of {kind or 'no content type'}"
    # Masked before it is cut: half a secret is not recognized.
    said = redactor.text(text)
    return said if len(said) <= MAX_CHARS else said[:MAX_CHARS]


def _hint(call: Call, status: int) -> str | None:
    api = call.api
    if status in {401, 403}:
        return _auth_hint(call)
    if status == 404:
        return f"look at base_url of api {api.name!r} and path, and whether the id exists"
    if status == 429:
        return "the API wants fewer requests; wait, or lower the number of runs side by side"
    return None


def _auth_hint(call: Call) -> str:
    api = call.api
    if api.auth is None:
        return f"api {api.name!r} declares no auth; add `auth` in {api.at}"
    texts = [str(value) for key, value in api.auth.items() if key != "type"]
    names = sorted({f"${name}" for text in texts for name in VARIABLE.findall(text)})
    what = ", ".join(names) or "the values in the config"
    return f"the auth of api {api.name!r} is filled by {what}"
