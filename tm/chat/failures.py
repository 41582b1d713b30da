"""Errors of a model's server in words: TM519 with what came and the server's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tm.errors import ChatError
from tm.model import Json

_SHOWN: Final = 500
_TAG: Final = re.compile(
    r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.DOTALL | re.IGNORECASE
)
_ABOUT_TOOLS: Final = re.compile(
    r"\btools?\b|tool[_ -]?(?:call|choice|use)|function[_ -]?call", re.IGNORECASE
)


class ServerError(ChatError):
    """The model's server did not answer as it should.

    Attributes:
        status: of the answer, or the code inside it; None where nothing came.
        retry_after: the header as it came.
        words: the server's own.
        may_retry: the same request may be sent again: nothing of an answer was shown.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        words: str = "",
        hint: str | None = None,
        may_retry: bool = False,
    ) -> None:
        super().__init__(message, code="TM519", hint=hint)
        self.status = status
        self.words = words
        self.may_retry = may_retry
        self.retry_after = ""

    @property
    def rejects_tools(self) -> bool:
        """Whether the server says that it takes no tools (a 4xx that names them, SPEC 8)."""
        is_refusal = self.status is not None and 400 <= self.status < 600 and self.status != 429
        return is_refusal and _ABOUT_TOOLS.search(self.words) is not None


def is_passing(status: int | None) -> bool:
    """Tell whether a status may be another one soon: 429 and 5xx."""
    return status is not None and (status == 429 or 500 <= status < 600)


def refusal(status: int, body: Json, text: str) -> ServerError:
    """Return the error for a status of 300 or more.

    Args:
        body: the JSON of the answer; None where it is none.
        text: of the answer.
    """
    words = _words(body) if isinstance(body, dict | list) else ""
    words = words or shown(text) or "without a word"
    return ServerError(
        f"the model's server answered {status}: {words}",
        status=status,
        words=f"{words} {text[:2000]}",
        hint=_hint(status),
        may_retry=is_passing(status),
    )


def _hint(status: int) -> str | None:
    if status in {401, 403}:
        return "check the provider's api_key under settings.providers"
    if status in {404, 405}:
        return "check the provider's base_url (most end in /v1) and the assistant's model"
    if 300 <= status < 400:
        return "redirects are not followed with a key: correct the provider's base_url"
    return None


def error_in(body: Mapping[str, Any]) -> ServerError:
    """Return the error that an answer with status 200 holds."""
    error = body.get("error")
    inner = error.get("code") if isinstance(error, dict) else None
    code = int(inner) if isinstance(inner, int | str) and str(inner).isdecimal() else None
    words = _words(body) or shown(str(error))
    number = f" ({inner})" if isinstance(inner, int | str) and inner != "" else ""
    return ServerError(
        f"the model's server sent an error: {words}{number}",
        status=code,
        words=words,
        may_retry=is_passing(code),
    )


def no_completion(body: Json) -> ServerError:
    """Return the error for JSON that is no chat completion."""
    if isinstance(body, dict):
        keys = ", ".join(str(key) for key in list(body)[:12]) or "none"
        what = f"its keys are {keys}"
        empty = " and `choices` is empty" if "choices" in body else ""
    else:
        what, empty = f"it is {shown(repr(body))}", ""
    return ServerError(
        f"what the model's server sent is not a chat completion: {what}{empty}",
        hint="check the provider's base_url (most end in /v1)",
    )


def not_json(kind: str, text: str) -> ServerError:
    """Return the error for a body that is no JSON: HTML, for one."""
    what = kind.partition(";")[0].strip() or "no content type"
    return ServerError(
        f"the model's server sent {what}, no chat completion: {shown(text) or 'an empty body'}",
        hint="check the provider's base_url (most end in /v1)",
    )


def cut_stream(*, after_text: bool) -> ServerError:
    """Return the error for a stream that ended before the answer did."""
    tail = "; what was shown is not the whole answer" if after_text else ""
    return ServerError(
        f"the model's server broke off: the stream ended before the answer was complete{tail}",
        may_retry=not after_text,
    )


def shown(text: str) -> str:
    """Return the beginning of a text on one line; of HTML what a reader would see."""
    seen = _TAG.sub(" ", text) if "<" in text else text
    line = " ".join((seen if seen.strip() else text).split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def _words(body: Json) -> str:
    """Return what an error body says in the forms that servers use; empty: nothing known."""
    first = body[0] if isinstance(body, list) and body else body
    if not isinstance(first, dict):
        return ""
    error = first.get("error", first)
    if isinstance(error, str):
        return shown(error)
    if not isinstance(error, dict):
        return ""
    message = error.get("message") or error.get("detail") or error.get("msg")
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    parts = [part for part in (message, raw) if isinstance(part, str) and part]
    return shown(": ".join(parts))
