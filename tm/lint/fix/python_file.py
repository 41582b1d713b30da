"""A Python file to be mended: its tree, its bytes, and the check that a fix did what it should."""

from __future__ import annotations

import ast
from functools import cached_property

from tm.lint.fix.edits import BOM, CantFixError, Edit, Offsets, apply


class PythonText:
    """The text of a Python file, without its BOM.

    Raises:
        CantFixError: from `tree`, where it does not parse.
    """

    def __init__(self, data: bytes) -> None:
        self.bom = BOM if data.startswith(BOM) else b""
        self.text = data.removeprefix(BOM)
        self.offsets = Offsets(self.text)

    @cached_property
    def tree(self) -> ast.Module:
        """Return its syntax tree."""
        return parse(self.text)

    @property
    def line_end(self) -> bytes:
        """Return how its lines end."""
        return b"\r\n" if b"\r\n" in self.text else b"\n"

    def column(self, node: ast.AST) -> int:
        """Return a node's column from 1, in characters."""
        line = self.offsets.line(getattr(node, "lineno", 1))
        return len(self.text[line : self.offsets.start(node)].decode("utf-8", "replace")) + 1

    def edited(self, edits: list[Edit], wanted: ast.AST) -> bytes:
        """Return the file with edits, whose tree is then the wanted one.

        Raises:
            CantFixError: where it is another.
        """
        text = apply(self.text, edits)
        if ast.dump(parse(text)) != ast.dump(wanted):
            raise CantFixError("it can't be rewritten safely where it stands; rewrite it by hand")
        return self.bom + text


def parse(text: bytes) -> ast.Module:
    """Return the syntax tree of a text.

    Raises:
        CantFixError: where it does not parse.
    """
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CantFixError("it can't be rewritten safely where it stands") from error
