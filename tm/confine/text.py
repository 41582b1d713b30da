"""What the text of a path may be, before any file is looked at."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from tm.errors import SecurityError

OUTSIDE: Final = "TM518"
MAX_SEGMENT_BYTES: Final = 255  # NAME_MAX of the usual file systems
MAX_SEGMENTS: Final = 16

_FORBIDDEN = re.compile(r'[\\:*?"<>|%]')
# Reserved by Windows in every folder and with any extension; a tenant's folder may be synced there.
_DEVICE = re.compile(
    r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\..*)?"
)
# Control, format (bidirectional, zero width, soft hyphen), line and paragraph separators,
# surrogates, private use and unassigned characters.
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})


def check_path(relative: object, *, code: str = OUTSIDE) -> tuple[str, ...]:
    """Return the segments of a relative path whose text is safe on every system.

    One leading `./` is dropped; the path `.` is the folder itself and gives no segments.

    Raises:
        SecurityError: for anything else than a plain relative path, with the given code.
    """
    if not isinstance(relative, str):
        raise SecurityError(f"a path is text, not {type(relative).__name__}", code=code)
    if relative == ".":
        return ()
    segments = tuple(relative.removeprefix("./").split("/"))
    if len(segments) > MAX_SEGMENTS:
        raise SecurityError(f"a path has at most {MAX_SEGMENTS} levels", code=code)
    for segment in segments:
        if why := _fault(segment):
            raise SecurityError(f"path {relative!a} {why}", code=code)
    return segments


def segments_of(relative: object, *, code: str = OUTSIDE) -> tuple[str, ...]:
    """Return the segments of a path, checked; a tuple of them has been checked already.

    Raises:
        SecurityError: as `check_path` does.
    """
    return relative if isinstance(relative, tuple) else check_path(relative, code=code)


def file_segments(relative: object, *, code: str = OUTSIDE) -> tuple[str, ...]:
    """Return the segments of a file's path, of which there is at least one.

    Raises:
        SecurityError: as `check_path` does, and for the folder itself.
    """
    segments = segments_of(relative, code=code)
    if not segments:
        raise SecurityError("a file is meant, not the folder itself", code=code)
    return segments


def _fault(segment: str) -> str | None:
    """Say what is wrong with one segment, or None."""
    if not segment:
        return "is empty, absolute, or has an empty part"
    if segment.startswith((".", "~")):
        return f"has the part {segment!a}: names that begin with '.' or '~' are not allowed"
    if segment[-1] in ". ":
        return f"has the part {segment!a}, which ends in a dot or a space"
    if hit := _FORBIDDEN.search(segment):
        return f"holds {hit.group()!r}, which is not allowed in names"
    return _unicode_fault(segment) or (
        f"has the part {segment!a}, a device name" if _DEVICE.fullmatch(segment) else None
    )


def _unicode_fault(segment: str) -> str | None:
    """Say which character makes the name look like another one, or None."""
    if segment.isascii() and segment.isprintable():
        return None if len(segment) <= MAX_SEGMENT_BYTES else "has a name that is too long"
    if any(unicodedata.category(char) in _INVISIBLE for char in segment):
        return "holds a control or invisible character"
    if len(segment.encode()) > MAX_SEGMENT_BYTES:
        return "has a name that is too long"
    if not unicodedata.is_normalized("NFC", segment):
        return "is not in the composed form NFC"
    folded = unicodedata.normalize("NFKC", segment)
    if folded.startswith((".", "~")) or set(folded) & set("/\\:%"):
        return "holds a character that some systems read as '.', '/' or ':'"
    return None
