"""Lines on a terminal, through Rich: wrapped at its width, styled, never read as markup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

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
            unbroken = True if isinstance(line, Unbroken) else None  # None: as the console does
            self._console.print(Text.assemble(*line), soft_wrap=unbroken)
