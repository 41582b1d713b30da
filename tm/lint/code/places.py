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


def source_of(file: LintFile, node: ast.AST, limit: int = 60) -> str:
    """Return the source of a node in one line, cut at a length."""
    line, stop = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
    rows = [row.encode() for row in file.lines[line - 1 : stop]]
    rows[-1] = rows[-1][: getattr(node, "end_col_offset", None)]
    rows[0] = rows[0][getattr(node, "col_offset", 0) :]
    text = " ".join(row.decode("utf-8", "replace").strip() for row in rows)
    return text if len(text) <= limit else text[: limit - 3] + "..."
