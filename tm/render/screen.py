"""Where lines are shown: stderr, plain or through Rich, and stdout for what was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TextIO

from tm.model import Json
from tm.render.colour import wants_colour
from tm.render.lines import Line, plain
from tm.render.result import json_text


class Screen(Protocol):
    """A place that shows lines as they come."""

    def show(self, lines: Iterable[Line]) -> None:
        """Show the lines, each at once."""
        ...


class PlainScreen:
    """Shows lines as bare text, whole, whatever the width: for pipes, files and CI logs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, lines: Iterable[Line]) -> None:
        """Write the lines without styles."""
        self._stream.write("".join(f"{plain(line)}\n" for line in lines))
        self._stream.flush()


def open_screen(color: str, stream: TextIO, environ: Mapping[str, str]) -> Screen:
    """Return the screen for a stream; Rich is imported only where colours are wanted.

    Args:
        color: `auto`, `always` or `never`.
        stream: where the lines go.
        environ: of the process.
    """
    if not wants_colour(color, stream, environ):
        return PlainScreen(stream)
    from tm.render.terminal import RichScreen  # noqa: PLC0415  53 ms that a pipe does not need

    return RichScreen(stream)


def write_json(value: Json, *, color: str, stream: TextIO, environ: Mapping[str, str]) -> None:
    """Write the value as the one JSON document of stdout, coloured where a person looks at it."""
    stream.write(json_text(value, colour=wants_colour(color, stream, environ)) + "\n")
