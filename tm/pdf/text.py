"""Makes the text of a PDF what a person would have typed.

What lives here: pure functions on text. What must not: reading files.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

PAGE_BREAK: Final = "\n\n"
"""Between pages. A sentence reads on over it, and no control character reaches an API."""

# PDFium marks a hyphen that divides a word at the end of a line with one of these two.
_DIVIDED: Final = re.compile("[\x02\ufffe](?:\r\n|\r|\n)?")
_LINE_END: Final = re.compile(r"[ \t]*(?:\r\n|[\r\n\x0b\x0c\x85\u2028\u2029])")
# Control characters but tab and newline, soft hyphens, byte order marks, what is no character.
_JUNK: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\ufeff\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
# Latin ligatures and the Arabic letters by position: typography, which no search would find.
_FORMS: Final = re.compile("[\ufb00-\ufb06\ufb50-\ufbb1\ufbd3-\ufbff\ufe70-\ufefc]+")
_MANY_LINES: Final = re.compile(r"\n{3,}")


def clean_text(raw: str) -> str:
    """Return the text of a page without what only the printed page needed.

    Words divided at a line's end are whole again, ligatures are letters, accents one character
    with their letter (NFC); NUL, other control characters and lone surrogates are gone. Lines
    stay lines.
    """
    text = _DIVIDED.sub("", raw)
    text = _LINE_END.sub("\n", text)
    text = _JUNK.sub("", text)
    text = _FORMS.sub(lambda hit: unicodedata.normalize("NFKC", hit.group()), text)
    return _MANY_LINES.sub("\n\n", unicodedata.normalize("NFC", text)).strip()


def join_pages(pages: Iterable[str]) -> str:
    """Return the cleaned pages as one text; empty pages leave no gap."""
    return PAGE_BREAK.join(page for page in pages if page)
