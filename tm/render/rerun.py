"""The command that runs the same again, quoted for a POSIX shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence


def rerun_command(words: Sequence[str]) -> str:
    """Return the words as one line for a POSIX shell."""
    return shlex.join(words)
