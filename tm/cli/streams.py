"""Standard streams as the command line needs them: UTF-8 in every locale, quiet when closed.

A cron job has the C locale and a console on Windows a code page: neither may lose a customer's
name or crash the run. A reader such as `head` may go away early: that is no error.
"""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False  # as type checkers know it; importing `typing` costs a third of a start
if TYPE_CHECKING:
    from typing import TextIO

    from _typeshed import ReadableBuffer


class QuietPipe(io.FileIO):
    """A file descriptor that swallows what can't be written, such as after its reader has gone.

    Swallowing it here, below all buffers, keeps every writer (Typer, Rich, `print`, the
    interpreter's flush at exit) from a BrokenPipeError and leaves the exit code to the run.
    """

    failure: OSError | None = None
    """Why bytes were lost; None also where the reader did not want them."""

    def write(self, data: ReadableBuffer) -> int:
        """Write the bytes; a closed pipe and a full disk take them all."""
        try:
            return super().write(data) or 0
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                self.failure = error
            return len(memoryview(data))


def flush_streams() -> str | None:
    """Write out what is buffered; return why output was lost, or None."""
    failure = None
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        raw = getattr(getattr(stream, "buffer", None), "raw", None)
        failure = failure or getattr(raw, "failure", None)
    return failure and (failure.strerror or str(failure))


def has_reader(stream: TextIO) -> bool:
    """Tell whether somebody may still read a stream; True where that can't be known."""
    import select  # only a command that never ends asks

    if not hasattr(select, "poll"):
        return True
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return True
    asked = select.poll()
    asked.register(number, 0)
    return not any(event & (select.POLLERR | select.POLLNVAL) for _, event in asked.poll(0))


def prepare_streams() -> None:
    r"""Make stdout and stderr write UTF-8, line by line on a terminal, and quiet when closed.

    What UTF-8 can't hold (lone surrogates) is written as `\udcff`. Streams that a test or an
    embedding program has put in place stay as they are.
    """
    sys.stdout = _prepared(sys.stdout, sys.__stdout__, line_buffering=False)
    sys.stderr = _prepared(sys.stderr, sys.__stderr__, line_buffering=True)


def _prepared(stream: TextIO | None, original: TextIO | None, *, line_buffering: bool) -> TextIO:
    if stream is None:
        # Started without it (`>&-`). This also takes the free number, which a database must not
        # get: what something prints to it would then end up in the database.
        number = os.open(os.devnull, os.O_WRONLY)
        return open(number, "w", encoding="utf-8", closefd=False)
    if stream is not original or not isinstance(stream, io.TextIOWrapper):
        return stream
    if os.name == "nt":  # the console needs Python's own wide-character writer
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        return stream
    raw = QuietPipe(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=line_buffering or raw.isatty(),
    )
