"""JSON and text as a database keeps them: whatever a tool gave comes back the same.

What lives here: turning values into text and back. What must not: SQL.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from tm.model import Json


def _encoder(write_text: Callable[[str], str], *, ensure_ascii: bool) -> Callable[[Json], str]:
    """Return what writes JSON without blanks, made once: the library makes it for each value.

    It does not look for circles, which takes half the time: a circle ends as RecursionError.
    """
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # pragma: no cover  another Python than CPython
        return json.JSONEncoder(
            ensure_ascii=ensure_ascii, check_circular=False, separators=(",", ":"), default=str
        ).encode
    parts = make(None, str, write_text, None, ":", ",", False, False, True)  # noqa: FBT003  positional there
    return lambda value: "".join(parts(value, 0))


_readable: Final = _encoder(json.encoder.encode_basestring, ensure_ascii=False)
_escaped: Final = _encoder(json.encoder.encode_basestring_ascii, ensure_ascii=True)
_UNREADABLE: Final = "[too deep or too large to show]"


def to_text(value: Json) -> str:
    """Return the value as JSON text; never raises.

    Letters stay readable. A lone surrogate, which no database takes, is escaped; NUL is by JSON's
    own rules. What is no JSON becomes its text, what can't be written at all a note.
    """
    try:
        text = _readable(value)
        if not text.isascii():
            text.encode("utf-8")
    except UnicodeEncodeError:
        return _escaped(value)
    except (TypeError, ValueError, RecursionError) as error:
        return json.dumps(f"[not kept: {type(error).__name__}]")
    return text


def from_text(text: str | None) -> Json:
    """Return the value of `to_text`; a note where it is too deep to read; None for None."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _UNREADABLE


def plain(text: str | None) -> str | None:
    """Return a text that every database takes: NUL and lone surrogates escaped."""
    if text is None:
        return None
    text = text.replace("\0", "\\x00")
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
