"""Where rules put what they find.

What lives here: the list of hits of one scan. What must not: rules.
"""

from __future__ import annotations

import ast

from tm.scan.hits import HELP, Hit


class Report:
    """Collects hits; one code counts once for each place."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._hits: dict[tuple[int, int, str], Hit] = {}

    def add(self, code: str, node: ast.AST, message: str, help_: str | None = None) -> None:
        """Note a hit at a node; without `help_` the code's own advice is given."""
        line = getattr(node, "lineno", 1)
        end_line = getattr(node, "end_lineno", None) or line
        col = self._column(line, getattr(node, "col_offset", 0))
        end_col = self._column(end_line, getattr(node, "end_col_offset", None) or 0)
        hit = Hit(code, message, help_ or HELP[code], line, col, end_line, end_col)
        self._hits.setdefault((line, col, code), hit)

    def hits(self) -> tuple[Hit, ...]:
        """Return the hits in the order of the file."""
        return tuple(hit for _, hit in sorted(self._hits.items()))

    def has(self, *codes: str) -> bool:
        """Return whether one of the codes was noted."""
        return any(code in codes for _, _, code in self._hits)

    def _column(self, line: int, offset: int) -> int:
        """Return a column from 1, in characters; `ast` counts bytes from 0."""
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        if text.isascii():
            return offset + 1
        return len(text.encode()[:offset].decode(errors="replace")) + 1
