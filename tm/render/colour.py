"""Whether a stream is to be coloured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO


def wants_colour(option: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Tell whether to colour the stream: `--color`, then the usual variables, then the terminal.

    NO_COLOR (any text that is not empty), then FORCE_COLOR (any but `0`), then TERM=dumb.

    Args:
        option: `auto`, `always` or `never`.
        stream: where the text goes.
        environ: of the process.
    """
    if option != "auto":
        return option == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    return environ.get("TERM") != "dumb" and stream.isatty()
