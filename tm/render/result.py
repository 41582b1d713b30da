"""JSON as text: always valid UTF-8, and coloured where a person looks at it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from json.encoder import encode_basestring
from math import isfinite
from typing import Final

from tm.model import Json

# Inside JSON text these stand only in strings, where `\uXXXX` means the same: UTF-8 can't hold
# lone surrogates, a terminal obeys C1 controls, and bidirectional controls hide what is there.
_ESCAPED = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_RESET: Final = "\x1b[0m"
_KEY: Final = "\x1b[34m"
_TEXT: Final = "\x1b[32m"
_NUMBER: Final = "\x1b[36m"
_WORDS: Final = {
    word: f"\x1b[35m{text}{_RESET}"
    for word, text in ((None, "null"), (True, "true"), (False, "false"))
}


def json_text(value: Json, *, colour: bool = False) -> str:
    """Return the value as indented JSON without a newline at its end.

    Raises:
        ValueError: for NaN and Infinity, which are no JSON.
    """
    if not colour:
        return _escaped(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))
    parts: list[str] = []
    _append(value, "\n", parts)
    return _escaped("".join(parts))


def compact_json(value: Json) -> str:
    """Return the value as JSON on one line; what JSON can't hold is shown as Python shows it."""
    return _escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=repr))


def _escaped(text: str) -> str:
    if text.isascii():
        return text.replace("\x7f", "\\u007f")
    return _ESCAPED.sub(lambda hit: f"\\u{ord(hit.group()):04x}", text)


def _append(value: Json, newline: str, parts: list[str]) -> None:
    """Add the value's text in colours, in one pass over the data: its text need not be searched.

    Args:
        value: any JSON.
        newline: a line break with the indentation of the place where the value stands.
        parts: what came before.
    """
    if isinstance(value, str):
        parts.append(f"{_TEXT}{encode_basestring(value)}{_RESET}")
    elif isinstance(value, dict):
        _append_object(value, newline, parts)
    elif isinstance(value, list | tuple):
        _append_list(value, newline, parts)
    elif value is None or isinstance(value, bool):
        parts.append(_WORDS[value])
    elif isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value!r} is no JSON")
    else:
        parts.append(f"{_NUMBER}{value!r}{_RESET}")


def _append_object(value: dict[str, Json], newline: str, parts: list[str]) -> None:
    before = f"{{{newline}  "
    for key, item in value.items():
        parts.append(f"{before}{_KEY}{encode_basestring(key)}{_RESET}: ")
        _append(item, f"{newline}  ", parts)
        before = f",{newline}  "
    parts.append(f"{newline}}}" if value else "{}")


def _append_list(value: Sequence[Json], newline: str, parts: list[str]) -> None:
    before = f"[{newline}  "
    for item in value:
        parts.append(before)
        _append(item, f"{newline}  ", parts)
        before = f",{newline}  "
    parts.append(f"{newline}]" if value else "[]")
