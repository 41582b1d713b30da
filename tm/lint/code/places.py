"""Places of syntax nodes, in the columns that people count."""

from __future__ import annotations

import ast

from tm.errors import Location
from tm.lint.subjects import LintFile


def place(file: LintFile, node: ast.AST) -> Location:
    """Return where a node begins."""
    line: int = getattr(node, "lineno", 1)
    return Location(file.path, line, column(file, line, getattr(node, "col_offset", 0)))


def end(file: LintFile, node: ast.AST) -> tuple[int, int] | None:
    """Return line and column behind a node; None where the parser does not say."""
    line, offset = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    return None if line is None or offset is None else (line, column(file, line, offset))


def column(file: LintFile, line: int, offset: int) -> int:
    """Return a column from 1, in characters; `ast` counts bytes from 0."""
    text = file.lines[line - 1] if 0 < line <= len(file.lines) else ""
    return len(text.encode()[:offset].decode("utf-8", "replace")) + 1
