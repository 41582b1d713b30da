"""JSON as text: always valid UTF-8, and coloured row by row where a person looks at it."""

from __future__ import annotations

import json
import re

from tm.model import Json

# Inside JSON text these stand only in strings, where `\uXXXX` means the same: UTF-8 can't hold
# lone surrogates, a terminal obeys C1 controls, and bidirectional controls hide what is there.
_ESCAPED = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_KEY = re.compile(r' *"[^"\\]*(?:\\.[^"\\]*)*": ')
_KEY_COLOUR = "\x1b[34m"
_VALUE_COLOURS = {
    '"': "\x1b[32m",
    "t": "\x1b[35m",
    "f": "\x1b[35m",
    "n": "\x1b[35m",
} | dict.fromkeys("-0123456789", "\x1b[36m")
_RESET = "\x1b[0m"


def json_text(value: Json, *, colour: bool = False) -> str:
    """Return the value as indented JSON without a newline at its end.

    Raises:
        ValueError: for NaN and Infinity, which are no JSON.
    """
    text = _escaped(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))
    return "\n".join(map(_coloured, text.split("\n"))) if colour else text


def compact_json(value: Json) -> str:
    """Return the value as JSON on one line; what JSON can't hold is shown as Python shows it."""
    return _escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=repr))


def _escaped(text: str) -> str:
    if text.isascii():
        return text.replace("\x7f", "\\u007f")
    return _ESCAPED.sub(lambda hit: f"\\u{ord(hit.group()):04x}", text)


def _coloured(row: str) -> str:
    """Return one row of indented JSON, which holds at most one key and one value, in colours.

    By rows, because one call of Python for each token takes twice as long.
    """
    key = _KEY.match(row)
    start = key.end() if key else len(row) - len(row.lstrip(" "))
    end = len(row) - row.endswith(",")
    head = f"{_KEY_COLOUR}{row[:start]}{_RESET}" if key else row[:start]
    colour = _VALUE_COLOURS.get(row[start : start + 1])
    return f"{head}{colour}{row[start:end]}{_RESET}{row[end:]}" if colour else head + row[start:]
