"""Names that come out of other people's documents, made fit for files, models and shells."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from typing import Final

_LONGEST: Final = 64
# Folders of a tenant that hold no config, and names that some systems keep for devices.
NO_NAMES: Final = frozenset({
    "files", "logs", "tmp", "cassettes", "knowledge", "con", "prn", "aux", "nul",
    *(f"{device}{number}" for device in ("com", "lpt") for number in range(1, 10)),
})  # fmt: skip
# The characters that German has beside the others' accents.
_SPELLED: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
)


def tool_name(text: str, taken: Container[str], *, otherwise: str = "tool") -> str:
    """Return a name that models take: the text itself where it is one and nobody has it yet.

    Args:
        text: as the document has it; `orders/get` becomes `orders_get`.
        taken: names that are gone; one of them gets a number at its end.
        otherwise: where nothing of the text is left.
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", _ascii(text))
    if plain != text:
        plain = plain.strip("_-")
    return _numbered((plain or otherwise)[:_LONGEST], taken)


def argument_name(text: str, taken: Container[str]) -> str:
    """Return a name for an argument, without the characters that paths of arguments use."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", _ascii(text)).strip("_") or "value"
    return _numbered(plain[:_LONGEST], taken)


def _numbered(name: str, taken: Container[str]) -> str:
    if name not in taken:
        return name
    for number in range(2, 1_000_000):
        ending = f"_{number}"
        if (other := name[: _LONGEST - len(ending)] + ending) not in taken:
            return other
    raise ValueError(name)


def slug(text: str, *, otherwise: str = "api") -> str:
    """Return a text as the name of an api and of its folder: lower case, dashes between words."""
    words = re.sub(r"[^a-z0-9]+", "-", _ascii(text).lower()).strip("-")[:40].strip("-")
    return f"{words}-{otherwise}" if words in NO_NAMES else words or otherwise


def variable(*words: str) -> str:
    """Return words as the name of an environment variable: `ORDER_SERVICE_TOKEN`."""
    name = re.sub(r"[^A-Z0-9]+", "_", _ascii("_".join(words)).upper()).strip("_")
    return name if name[:1].isalpha() else f"API_{name}"


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.translate(_SPELLED))
    return "".join(char for char in plain if not unicodedata.combining(char))
