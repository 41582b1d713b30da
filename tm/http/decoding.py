"""Response bodies: from bytes to JSON, text, or a note about what came.

What lives here: content types, charsets, strict JSON. What must not: statuses, sending.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable
from typing import Any, Final, NoReturn

from tm.errors import ToolError
from tm.model import Json

MAX_DEPTH: Final = 200
"""Levels of nesting that are read. The rest of tm walks the data by recursion."""

_SHOWN_CHARS: Final = 200
_TEXT_KINDS: Final = frozenset({
    "csv", "ecmascript", "graphql", "javascript", "jsonl", "json-seq", "jwt", "latex", "ndjson",
    "rtf", "sql", "sh", "toml", "www-form-urlencoded", "xml", "xml-dtd", "yaml",
})  # fmt: skip
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the same bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# No charsets of the web: slow, warning, or no charsets at all.
_REFUSED_CODECS: Final = frozenset({
    "unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined", "utf-7", "mbcs", "oem",
})  # fmt: skip
_HUGE_NUMBER = re.compile(r"[eE]\+?0*[1-9]\d\d|\d{309}")

_CONSTANT: Final = r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity'

Warn = Callable[[str], None]


class _ConstantError(ValueError):
    """NaN or Infinity, which Python's parser knows and JSON does not."""


def decode_body(status: int, content: bytes, content_type: str, *, of: str, warn: Warn) -> Json:
    """Return a body as SPEC section 3.2 says: JSON, text, a note about bytes, or `{}`.

    Args:
        status: 204 has no body, whatever came.
        content: after decompression.
        content_type: the header, or an empty text. It decides, not the content.
        of: the request (`GET https://...`), masked, for errors.
        warn: called with a sentence where the body is not what its header says.

    Raises:
        ToolError: TM508 for broken JSON.
    """
    if status == 204 or not content:
        return {}
    if is_json(content_type):
        return decode_json(content, content_type, of=of, warn=warn)
    kind = _media_type(content_type)
    if _is_text(kind):
        text = _text(content, content_type, warn)
        if text is not None:
            return {"text": text, "content_type": content_type}
    warn(f"the answer is binary: {len(content):,} bytes of {kind or 'no content type'}, not shown")
    return {"bytes": len(content), "content_type": content_type}


def is_json(content_type: str) -> bool:
    """Whether a content type promises JSON (RFC 6839 for `+json`)."""
    kind = _media_type(content_type)
    return kind == "application/json" or kind.endswith("+json")


def _is_text(kind: str) -> bool:
    """Whether a media type is text; no type at all is tried as text."""
    main, _, sub = kind.partition("/")
    if main == "text" or not kind or sub.endswith(("+xml", "+yaml")):
        return True
    return main == "application" and sub.removeprefix("x-") in _TEXT_KINDS


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def declared_charset(content_type: str) -> str | None:
    """Return Python's name of the charset that a content type declares, or None."""
    return _declared(content_type, lambda _: None)


def decode_text(content: bytes, content_type: str) -> str:
    """Return bytes as text by mark or declared charset; what is no text in it is replaced."""
    encoding, body = _by_mark(content)
    return body.decode(encoding or declared_charset(content_type) or "utf-8", "replace")


def decode_json(
    content: bytes, content_type: str = "", *, of: str, warn: Warn = lambda _: None
) -> Json:
    """Return bytes read as strict JSON.

    Raises:
        ToolError: TM508 with line and column; also for NaN, numbers past what Python reads and
            nesting past `MAX_DEPTH`.
    """
    encoding, body = _by_mark(content)
    encoding = encoding or _declared(content_type, warn) or json.detect_encoding(body)
    try:
        text = body.decode(encoding, "surrogatepass" if encoding.startswith("utf") else "strict")
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is no {encoding}"
        raise _broken(of, what, decode_text(body[:_SHOWN_CHARS], "")) from error
    return parse_json(text, of=of)


def parse_json(text: str, *, of: str) -> Json:
    """Return strict JSON.

    Raises:
        ToolError: TM508, see `decode_json`.
    """
    try:
        value = _loads(text)
    except _ConstantError as error:
        raise _constant(of, text) from error
    except json.JSONDecodeError as error:
        what = f"line {error.lineno} column {error.colno}: {error.msg}"
        raise _broken(of, what, text) from error
    except RecursionError as error:
        raise _broken(of, f"it is nested deeper than {MAX_DEPTH} levels", text) from error
    except ValueError as error:
        raise _broken(of, _without_advice(error), text) from error
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        raise _broken(of, f"it is nested deeper than {MAX_DEPTH} levels", text)
    return value


def _loads(text: str) -> Any:
    if _HUGE_NUMBER.search(text):
        # Only here, since a function of ours for each number makes the parser slow.
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    return _STRICT.decode(text)


def _refuse(name: str) -> NoReturn:
    raise _ConstantError(name)


_STRICT: Final = json.JSONDecoder(parse_constant=_refuse)


def _constant(of: str, text: str) -> ToolError:
    """Return the error for the first NaN or Infinity, with its place."""
    name, at = next(
        (match[0], match.start()) for match in re.finditer(_CONSTANT, text) if match[0][0] != '"'
    )
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    what = f"line {line} column {column}: {name} is no JSON value"
    return ToolError(f"{of} answered with broken JSON: {what}", code="TM508")


def _finite(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ValueError(f"the number {text[:20]} is too large")
    return number


def _without_advice(error: ValueError) -> str:
    """Return the parser's words without those that are meant for Python programmers."""
    text = str(error).partition(";")[0]
    return "a number has more than 4,300 digits" if "digits" in text else text


def _is_deep(value: Any) -> bool:
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            inner.extend(item.values() if type(item) is dict else item)
        level = [item for item in inner if type(item) is dict or type(item) is list]
        if not level:
            return False
    return True


def _broken(of: str, what: str, text: str) -> ToolError:
    shown = text[:_SHOWN_CHARS] + ("..." if len(text) > _SHOWN_CHARS else "")
    return ToolError(
        f"{of} answered with broken JSON: {what}; it begins with {shown!r}", code="TM508"
    )


def _text(content: bytes, content_type: str, warn: Warn) -> str | None:
    """Return the text, or None where the bytes are none."""
    encoding, body = _by_mark(content)
    declared = encoding or _declared(content_type, warn)
    unknown = declared is None and "charset=" in content_type.lower()
    try:
        text = body.decode(declared or "utf-8", "replace" if unknown else "strict")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _by_mark(content: bytes) -> tuple[str | None, bytes]:
    """Return the encoding that a byte order mark names, and the bytes behind it."""
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return encoding, content[len(mark) :]
    return None, content


def _declared(content_type: str, warn: Warn) -> str | None:
    match = re.search(r"charset\s*=\s*[\"']?([^\s;\"']+)", content_type, re.IGNORECASE)
    if match is None:
        return None
    try:
        found = codecs.lookup(match[1]).name
        "".encode(found)  # LookupError for codecs that are no charsets (zip, rot13)
    except (LookupError, UnicodeError, ValueError):
        found = "undefined"
    if found.replace("_", "-") in _REFUSED_CODECS:
        warn(f"the answer's charset {match[1][:40]!a} is unknown; it is read as UTF-8")
        return None
    return found
