"""Request bodies: JSON, form, multipart and text.

What lives here: from data to bytes. What must not: templates, arguments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Final
from urllib.parse import quote_plus
from zlib import crc32

from tm.errors import ToolError
from tm.http.messages import Payload
from tm.http.query import scalar_text
from tm.model import BodyFormat, Json

_TEXT: Final = "text/plain; charset=utf-8"


def encode_body(body: Json, body_format: BodyFormat) -> Payload:
    """Return the body as bytes with its content type.

    Args:
        body: for `json` any JSON value, for `form` and `multipart` a mapping, for `text` a text or
            a mapping with one field. Bytes are sent as they are.
        body_format: how it is written.

    Raises:
        ToolError: TM501 for a value that the format can't carry.
    """
    if isinstance(body, bytes):
        return Payload(body, "application/octet-stream", f"<{len(body)} bytes>")
    return _ENCODERS[body_format](body)


def json_text(value: Json) -> str:
    """Return compact JSON; characters beyond ASCII stay, unless they can't be sent as UTF-8.

    Raises:
        ToolError: TM501 for what is no JSON: NaN, Infinity, objects of Python, endless nesting.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        # A lone surrogate is legal in JSON, though only as an escape.
        return text if _is_utf8(text) else json.dumps(value, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolError(f"the request body is no JSON: {error}", code="TM501") from error


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _json(body: Json) -> Payload:
    return Payload(json_text(body).encode(), "application/json", body)


def _form(body: Json) -> Payload:
    text = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in _fields(body))
    return Payload(text.encode(), "application/x-www-form-urlencoded", text)


def _multipart(body: Json) -> Payload:
    fields = tuple(_fields(body))
    joined = repr(fields).encode("utf-8", "backslashreplace")
    # Made from the content, so that equal requests are equal bytes and match in a cassette.
    names = (f"tm-{crc32(joined):08x}-{number}" for number in count())
    boundary = next(name for name in names if name.encode() not in joined)
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(name)}"\r\n\r\n{value}\r\n'
        for name, value in fields
    ]
    content = "".join([*parts, f"--{boundary}--\r\n"]).encode()
    shown = "&".join(f"{name}={value}" for name, value in fields)
    return Payload(content, f"multipart/form-data; boundary={boundary}", shown, fields)


def _quoted(name: str) -> str:
    """Escape a field name as browsers do (WHATWG HTML, multipart form data)."""
    return re.sub(r'[\r\n"]', lambda match: f"%{ord(match[0]):02X}", name)


def _text(body: Json) -> Payload:
    value = body
    if isinstance(body, Mapping):
        if len(body) != 1:
            names = ", ".join(repr(name) for name in body) or "none"
            message = f"a text body needs exactly one field, not {len(body)}: {names}"
            raise ToolError(message, code="TM501")
        value = next(iter(body.values()))
    text = "" if value is None else scalar_text(value, "body")
    return Payload(text.encode(), _TEXT, text)


def _fields(body: Json) -> Iterator[tuple[str, str]]:
    if not isinstance(body, Mapping):
        raise ToolError("a form body needs a mapping of fields", code="TM501")
    for name, value in body.items():
        values = value if isinstance(value, list | tuple) else [value]
        yield from ((name, scalar_text(item, name)) for item in values if item is not None)


_ENCODERS: Final[Mapping[BodyFormat, Callable[[Json], Payload]]] = {
    "json": _json,
    "form": _form,
    "multipart": _multipart,
    "text": _text,
}
