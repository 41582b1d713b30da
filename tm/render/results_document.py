"""The JSON document of many runs, put together on disk so that memory does not grow with it."""

from __future__ import annotations

from tempfile import TemporaryFile
from typing import IO, Any, Final, TextIO

from tm.model import Json
from tm.render.result import json_text

_MARK: Final = "the results"
_INDENT: Final = "\n    "
_CHUNK: Final = 1 << 16


class ResultsDocument:
    """The object that `tm test-tool` prints for several tools (SPEC, section 10).

    Args:
        colour: as a person on a terminal sees it.
    """

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour
        self._results: IO[str] = TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115  closed by `write`
        self._is_empty = True

    def add(self, entry: Json) -> None:
        """Add one entry of `results`."""
        before = _INDENT if self._is_empty else f",{_INDENT}"
        text = json_text(entry, colour=self._colour)  # a newline in a text is an escape there
        self._results.write(before + text.replace("\n", _INDENT))
        self._is_empty = False

    def write(self, stream: TextIO, *, ok: bool, summary: dict[str, Any]) -> None:
        """Write the whole document."""
        results = [] if self._is_empty else [_MARK]
        frame = json_text({"ok": ok, "results": results, "summary": summary}, colour=self._colour)
        mark = _INDENT + json_text(_MARK, colour=self._colour)
        head, _, tail = frame.partition(mark)
        stream.write(head)
        self._results.seek(0)
        while chunk := self._results.read(_CHUNK):
            stream.write(chunk)
        self.close()
        stream.write(tail + "\n")

    def close(self) -> None:
        """Let go of what was put together; the document of a run that was stopped is none."""
        self._results.close()
