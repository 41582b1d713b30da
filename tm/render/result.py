"""JSON as text: always valid UTF-8, and coloured in one pass where a person looks at it."""

from __future__ import annotations

import json
import re

from tm.model import Json

# Inside JSON text these stand only in strings, where `\uXXXX` means the same: UTF-8 can't hold
# lone surrogates, a terminal obeys C1 controls, and bidirectional controls hide what is there.
_ESCAPED = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_TOKEN = re.compile(
    r'(?P<key>"[^"\\]*(?:\\.[^"\\]*)*")(?=:)'
    r'|(?P<text>"[^"\\]*(?:\\.[^"\\]*)*")'
    r"|(?P<number>-?[0-9][0-9.eE+-]*)"
    r"|(?P<word>true|false|null)"
)
_COLOURS = {"key": "\x1b[34m", "text": "\x1b[32m", "number": "\x1b[36m", "word": "\x1b[35m"}
_RESET = "\x1b[0m"


def json_text(value: Json, *, colour: bool = False) -> str:
    """Return the value as indented JSON without a newline at its end.

    Raises:
        ValueError: for NaN and Infinity, which are no JSON.
    """
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except RecursionError:  # the indenting encoder nests Python frames, the compact one does not
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    text = _escaped(text)
    return _TOKEN.sub(_colour, text) if colour else text


def compact_json(value: Json) -> str:
    """Return the value as JSON on one line; what JSON can't hold is shown as Python shows it."""
    return _escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=repr))


def _escaped(text: str) -> str:
    if text.isascii():
        return text.replace("\x7f", "\\u007f")
    return _ESCAPED.sub(lambda hit: f"\\u{ord(hit.group()):04x}", text)


def _colour(token: re.Match[str]) -> str:
    return f"{_COLOURS[token.lastgroup or 'word']}{token.group()}{_RESET}"
