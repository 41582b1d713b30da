"""Edits of a file's text at byte offsets, and what stands between syntax nodes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Final

from tm.records import record

BOM: Final = b"\xef\xbb\xbf"
_BLANK: Final = re.compile(rb"[ \t]*(?:\r?\n|\Z)")
_SPACE: Final = re.compile(rb"(?:[ \t\r\n\\]|#[^\n]*)*")


class CantFixError(Exception):
    """A finding that is left as it is; its text says why."""


@record
class Edit:
    """A piece of text that is replaced: from `start` up to `stop`, offsets in bytes."""

    start: int
    stop: int
    new: bytes = b""


def apply(text: bytes, edits: Iterable[Edit]) -> bytes:
    """Return the text with edits; what another edit removes anyway is not edited.

    Raises:
        CantFixError: where edits overlap in part.
    """
    parts: list[bytes] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.stop)):
        if edit.start < done:
            if edit.stop <= done:
                continue
            raise CantFixError("the places to change overlap")
        parts += (text[done : edit.start], edit.new)
        done = edit.stop
    return b"".join((*parts, text[done:]))


class Offsets:
    """Byte offsets of the places in a text without BOM.

    Attributes:
        starts: of each line.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.starts = [0, *(hit.end() for hit in re.finditer(rb"\n", text))]

    def line(self, number: int) -> int:
        """Return where a line begins; lines count from 1."""
        return self.starts[number - 1]

    def start(self, node: ast.AST) -> int:
        """Return where a syntax node begins."""
        return self.line(getattr(node, "lineno", 1)) + int(getattr(node, "col_offset", 0))

    def stop(self, node: ast.AST) -> int:
        """Return where a syntax node ends."""
        line = getattr(node, "end_lineno", None) or 1
        return self.line(line) + int(getattr(node, "end_col_offset", None) or 0)

    def skip(self, offset: int) -> int:
        """Return the next place with anything but space and comments."""
        hit = _SPACE.match(self.text, offset)
        return hit.end() if hit else offset

    def is_first(self, offset: int) -> bool:
        """Say whether only blanks stand before a place in its line."""
        begin = self.text.rfind(b"\n", 0, offset) + 1
        return not self.text[begin:offset].strip(b" \t")

    def whole_line(self, start: int, stop: int) -> tuple[int, int]:
        """Return a range, widened to whole lines where nothing else stands on them."""
        begin = self.text.rfind(b"\n", 0, start) + 1
        after = _BLANK.match(self.text, stop)
        if after and self.is_first(start) and stop > begin:
            return begin, after.end()
        return start, stop

    def indent(self, offset: int) -> int:
        """Return the number of blanks at the begin of the line of a place."""
        begin = self.text.rfind(b"\n", 0, offset) + 1
        line = self.text[begin:]
        return len(line) - len(line.lstrip(b" \t"))
