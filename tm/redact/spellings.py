"""What to search for: the ways in which one secret value can be spelled.

What lives here: needles made from a value. What must not: searching.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from tm.redact.escapes import plain_text

MIN_LENGTH: Final = 4
"""Shorter values are not searched for: they would blacken ordinary words (SECURITY.md)."""

_MIN_LINE: Final = 20
_MAX_DIGITS: Final = 40
_BASE64: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_URL_SAFE: Final = str.maketrans("+/", "-_")
_SAFE_MARKS: Final = {ord(char): None for char in "-._~"}
_HTML: Final = {38: "&amp;", 60: "&lt;", 62: "&gt;", 34: "&quot;", 39: "&#x27;"}
_UNRESERVED: Final = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)


class Needle(NamedTuple):
    """A text to search for.

    Attributes:
        core: the characters that are the same wherever the value stands.
        before: one of these must precede: base64 shares its bits with what comes before.
        after: one of these must follow. Both are empty where nothing is shared.
        padded: `=` that follow belong to it: their number would tell about its length.
    """

    core: str
    before: str = ""
    after: str = ""
    padded: bool = False


def as_number(value: str) -> frozenset[int]:
    """Return the number whose digits the value is, with and without a sign; else nothing."""
    if not (value.isascii() and value.isdigit()) or value[0] == "0" or len(value) > _MAX_DIGITS:
        return frozenset()
    return frozenset({int(value), -int(value)})


def needles_of(value: str) -> Iterator[Needle]:
    """Yield everything to search for to find this value, however it is encoded."""
    for spelling in _spellings(value):
        yield from _spelled(spelling)
    if plain_text(value) != value:
        # Undoing a text's escapes would undo those that are part of the value, and may leave
        # too little of it to search for.
        yield from map(Needle, _written(value))


def _spellings(value: str) -> set[str]:
    """Return the value as it may be written before anything encodes it."""
    spellings = {value, value.strip(), value.replace(" ", "+")}
    lines = value.splitlines()
    spellings |= {line.strip() for line in lines if len(line.strip()) >= _MIN_LINE}
    if not value.isascii():
        spellings.update(_misread(value))
    spellings |= {plain_text(spelling) for spelling in spellings}
    return {s for s in spellings if len(s) >= MIN_LENGTH and not s.startswith("-----BEGIN")}


def _misread(value: str) -> Iterator[str]:
    """Yield a value beyond ASCII composed and decomposed, and read in the wrong charset."""
    from unicodedata import normalize  # noqa: PLC0415  most secrets are ASCII

    yield normalize("NFC", value)
    yield normalize("NFD", value)
    raw = value.encode("utf-8", "surrogatepass")
    yield raw.decode("latin-1")
    with suppress(UnicodeDecodeError):
        yield raw.decode("cp1252")


def _spelled(spelling: str) -> Iterator[Needle]:
    yield Needle(spelling)
    for raw in _encoded(spelling):
        yield Needle(raw.hex())
        yield Needle(raw.hex().upper())
        for offset in range(3):
            yield from _base64_needles(raw, offset)


def _written(spelling: str) -> set[str]:
    """Return the value as it stands in URLs, JSON, HTML and Python, fully escaped."""
    if spelling.isascii() and spelling.translate(_SAFE_MARKS).isalnum():
        return {spelling}  # most tokens: nothing escapes any of it
    utf8 = spelling.encode("utf-8", "surrogatepass")
    escaped = "".join(_json_character(c) for c in spelling)
    return {
        spelling,
        "".join(chr(b) if b in _UNRESERVED else f"%{b:02X}" for b in utf8),
        "".join(chr(b) if b in _UNRESERVED else f"%{b:02x}" for b in utf8),
        escaped,
        "".join(_ascii(char) for char in escaped),
        spelling.translate(_HTML),
        repr(utf8)[2:-1],
    }


def _encoded(spelling: str) -> set[bytes]:
    """Return the bytes that base64 may have been made of."""
    forms = {text.encode("utf-8", "surrogatepass") for text in _written(spelling)}
    if not spelling.isascii():
        with suppress(UnicodeEncodeError):
            forms.add(spelling.encode("latin-1"))
    return forms


def _json_character(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char < " ":
        return f"\\u{ord(char):04x}"
    return char


def _ascii(char: str) -> str:
    """Return a character as JSON escapes it where it keeps to ASCII."""
    if char.isascii():
        return char
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _base64_needles(raw: bytes, offset: int) -> Iterator[Needle]:
    """Yield how base64 spells these bytes when `offset` bytes (modulo 3) stand before them.

    The first and last character may hold bits of the neighbours, so they are a choice of
    characters: every bit that belongs to the value is compared and masked, no other.
    """
    zeros = _digits(b"\0" * offset + raw + b"\0\0")
    first, last = (8 * offset + 5) // 6, 8 * (offset + len(raw)) // 6
    shared_before, shared_after = 8 * offset % 6, 6 - 8 * (offset + len(raw)) % 6
    before = after = ""
    if shared_before:
        known = _BASE64.index(zeros[first - 1])
        before = _both(
            _BASE64[known + (n << (6 - shared_before))] for n in range(1 << shared_before)
        )
    if shared_after < 6:
        known = _BASE64.index(zeros[last])
        after = _both(_BASE64[known + n] for n in range(1 << shared_after))
    core = zeros[first:last]
    yield Needle(core, before, after, padded=True)
    yield Needle(core.translate(_URL_SAFE), before, after, padded=True)


def _digits(raw: bytes) -> str:
    return b2a_base64(raw, newline=False).decode("ascii")


def _both(chars: Iterable[str]) -> str:
    """Return the characters in the standard and in the URL-safe alphabet."""
    text = "".join(chars)
    return text + text.translate(_URL_SAFE)
