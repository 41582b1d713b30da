"""The command that runs the same again, quoted for a POSIX shell."""

from __future__ import annotations

from collections.abc import Sequence


def rerun_command(words: Sequence[str]) -> str:
    """Return the words as one line for a POSIX shell."""
    from shlex import join  # noqa: PLC0415  only a failure names a command

    return join(words)
