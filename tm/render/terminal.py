"""Lines on a terminal, through Rich: wrapped at its width, styled, never read as markup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from rich.color import ColorSystem
from rich.console import Console
from rich.text import Text

from tm.render.lines import Line, Unbroken


class RichScreen:
    """Shows lines with styles on a terminal of any width."""

    def __init__(self, stream: TextIO) -> None:
        # Whether to colour was decided before: Rich must not decide again from the environment.
        self._console = Console(
            file=stream,
            force_terminal=True,
            no_color=False,
            color_system="standard",
            markup=False,
            highlight=False,
            emoji=False,
            soft_wrap=not stream.isatty(),
        )

    def show(self, lines: Iterable[Line]) -> None:
        """Print the lines; one that is too wide goes on in the next row."""
        for line in lines:
            if self._fits(line):
                self._write(line)
                continue
            unbroken = True if isinstance(line, Unbroken) else None  # None: as the console does
            self._console.print(Text.assemble(*line), soft_wrap=unbroken)

    def _fits(self, line: Line) -> bool:
        """Tell whether a line needs no layout: printable ASCII, no wider than the terminal.

        Most log lines are, and laying one out takes ten times as long as writing it.
        """
        texts = [span.text for span in line]
        if not all(text.isascii() and text.isprintable() for text in texts):
            return False
        is_free = self._console.soft_wrap or isinstance(line, Unbroken)
        return is_free or sum(map(len, texts)) <= self._console.width

    def _write(self, line: Line) -> None:
        console = self._console
        parts = [
            console.get_style(style).render(text, color_system=ColorSystem.STANDARD)
            if style
            else text
            for text, style in line
        ]
        console.file.write("".join(parts) + "\n")
        console.file.flush()
