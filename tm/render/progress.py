"""The progress bar of many runs, on the last row of a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TextIO

from rich.console import Console
from rich.text import Text

from tm.runner.suite.outcomes import Tally

_DRAW_EVERY_S: Final = 0.1
_WIDEST: Final = 40
_ERASE: Final = "\r\x1b[2K"


class ProgressBar:
    """Shows how many of all checks are done; drawn by whoever prints, never beside it.

    Args:
        stream: the terminal.
        total: how many checks there are.
        clock: seconds that never go back.
    """

    def __init__(
        self, stream: TextIO, total: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._console = Console(
            file=stream, force_terminal=True, color_system="standard", highlight=False, emoji=False
        )
        self._total = total
        self._clock = clock
        self._next = 0.0
        self._is_shown = False

    def hide(self) -> None:
        """Make room for something else that is printed."""
        if self._is_shown:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._is_shown = False
            self._next = 0.0

    def update(self, tally: Tally) -> None:
        """Draw the bar, if it was not drawn just now."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + _DRAW_EVERY_S
        if self._is_shown:
            self._stream.write(_ERASE)
        self._console.print(self._row(tally), end="", no_wrap=True, overflow="crop")
        self._stream.flush()
        self._is_shown = True

    def _row(self, tally: Tally) -> Text:
        numbers = f" {tally.total}/{self._total}"
        failed = f", {tally.failed} failed" if tally.failed else ""
        room = max(0, min(_WIDEST, self._console.width - len(numbers) - len(failed) - 1))
        full = room * tally.total // max(self._total, 1)
        return Text.assemble(
            ("━" * full, "red" if tally.failed else "green"),
            ("━" * (room - full), "dim"),
            numbers,
            (failed, "bold red"),
        )
