"""From bytes to text: what is refused before the parser sees a file (SECURITY, layer 1, point 1).

What lives here: limits on bytes and characters. What must not: anything about syntax.

A form feed is refused with the other control characters: Python ignores it, and diff tools hide
what follows it.
"""

from __future__ import annotations

import re

from tm.scan.hits import ENCODING, SYNTAX, Hit, hit_at_line

MAX_SOURCE_BYTES = 256 * 1024

_BOM = b"\xef\xbb\xbf"
# PEP 263: a comment in line 1 or 2 that names a codec decides how Python itself reads the file.
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_COOKIE_BYTES = 4096
_LINE_END = re.compile(rb"\r\n|\r|\n")
_UTF8_NAMES = frozenset({"utf-8", "utf8"})
# Direction marks and characters of no width make code read differently from what it does. The
# joiner U+200D stays: emoji are built with it.
_BAD_CHARACTER = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\r(?!\n)"
)

_PRINTABLE = bytes([9, 10, *range(0x20, 0x7F)])
"""Most files are made of these alone, which is seen faster than by looking for the others."""


def decode_source(source: bytes) -> str | Hit:
    """Return the text of a file without its BOM, or the hit that refuses it."""
    if len(source) > MAX_SOURCE_BYTES:
        return hit_at_line(SYNTAX, f"file has {len(source)} bytes; at most {MAX_SOURCE_BYTES}")
    body = source.removeprefix(_BOM)
    refused = _foreign_cookie(body)
    if refused is not None:
        return refused
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(body, error)
    if not body.translate(None, _PRINTABLE):
        return text
    return _bad_character(text) or text


def _foreign_cookie(body: bytes) -> Hit | None:
    lines = _LINE_END.split(body[:_COOKIE_BYTES], maxsplit=2)[:2]
    for number, line in enumerate(lines, start=1):
        match = _COOKIE.match(line)
        if match is None:
            # Only a blank or comment line lets Python look at the second one.
            if line.strip(b" \t\f") and not line.lstrip(b" \t\f").startswith(b"#"):
                return None
            continue
        name = match[1].decode("ascii", "replace").lower().replace("_", "-")
        if name not in _UTF8_NAMES:
            return hit_at_line(ENCODING, f"coding line names '{name}'; only utf-8 is read", number)
        return None
    return None


def _not_utf8(body: bytes, error: UnicodeDecodeError) -> Hit:
    before = body[: error.start]
    line = before.count(b"\n") + 1
    col = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    byte = body[error.start]
    return hit_at_line(ENCODING, f"byte 0x{byte:02x} is not UTF-8", line, col)


def _bad_character(text: str) -> Hit | None:
    match = _BAD_CHARACTER.search(text)
    if match is None:
        return None
    at = match.start()
    line = text.count("\n", 0, at) + 1
    col = at - (text.rfind("\n", 0, at) + 1) + 1
    name = "a lone carriage return" if match[0] == "\r" else f"U+{ord(match[0]):04X}"
    return hit_at_line(
        SYNTAX, f"invisible or control character {name}; write it as an escape", line, col
    )
