"""Reads cassettes in the layout that tm itself writes, several times faster than a YAML parser.

What lives here: that layout as patterns, and only what means the same to every YAML parser. For
anything else the answer is None, and the caller asks the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

_HEAD: Final = "version: 1\ninteractions:\n"

# Tabs, other control characters and spaces at an end mean different things at different places.
_ODD: Final = re.compile("[^\n -~\xa0-\u2027\u202a-\ud7ff]| \n")

_PLAIN: Final = r"[A-Za-z0-9/$_][^\n:#]*+(?::[^\s:#][^\n:#]*+)*+"
_QUOTED: Final = r"'(?:[^'\n]|'')*+'"
_ONE_LINE: Final = f"(?:{_PLAIN}|{_QUOTED})"
# The first line says how deep a block is: here always the eight spaces that tm writes.
_BLOCK: Final = r"\|[-+]?\n {8}[^ \n][^\n]*\n(?:(?: {8}[^\n]*)?\n)*+"
_TEXT: Final = rf"(?:{_BLOCK}|{_ONE_LINE}\n)"
_NAME: Final = r"[A-Za-z][A-Za-z0-9_-]*+"

_ENTRY: Final = re.compile(
    rf"""- request:
    method: (?P<method>[A-Za-z]+)
    uri: (?P<uri>{_ONE_LINE})
(?:    headers:
      content-type: (?P<sent_type>{_ONE_LINE})
    body:
      string: (?P<sent>{_TEXT}))?  response:
    status:
      code: (?P<code>[0-9]+)
      message: (?P<message>{_ONE_LINE})
    headers:(?: {{}}\n|\n(?P<headers>(?:      {_NAME}: {_ONE_LINE}\n)++))    body:
      (?P<form>string|base64): (?P<content>{_TEXT})"""
)
_HEADER: Final = re.compile(rf"      ({_NAME}): ({_ONE_LINE})\n")


def read_quickly(text: str) -> list[dict[str, Any]] | None:
    """Return the entries as a YAML parser gives them, all scalars as texts.

    Returns:
        None where the text has any other form than tm writes, damaged or not.
    """
    if not text.startswith(_HEAD) or not text.endswith("\n") or _ODD.search(text):
        return None
    entries = []
    place = len(_HEAD)
    while place < len(text):
        hit = _ENTRY.match(text, place)
        if hit is None:
            return None
        entries.append(_entry(hit))
        place = hit.end()
    return entries or None


def _entry(hit: re.Match[str]) -> dict[str, Any]:
    request: dict[str, Any] = {"method": hit["method"], "uri": _value(hit["uri"])}
    if hit["sent"] is not None:
        request["headers"] = {"content-type": _value(hit["sent_type"])}
        request["body"] = {"string": _value(hit["sent"])}
    return {
        "request": request,
        "response": {
            "status": {"code": hit["code"], "message": _value(hit["message"])},
            "headers": dict(_headers(hit["headers"] or "")),
            "body": {hit["form"]: _value(hit["content"])},
        },
    }


def _headers(text: str) -> Iterator[tuple[str, str]]:
    for name, value in _HEADER.findall(text):
        yield name, _value(value)


def _value(text: str) -> str:
    """Return the text that a scalar stands for."""
    if text[0] == "|":
        return _block(text)
    text = text.removesuffix("\n")
    return text[1:-1].replace("''", "'") if text[0] == "'" else text


def _block(text: str) -> str:
    mark, _, rest = text.partition("\n")
    lines = rest.replace("\n        ", "\n")[8:]
    if mark == "|+":
        return lines
    return lines.rstrip("\n") + ("" if mark == "|-" else "\n")
