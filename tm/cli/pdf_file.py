"""Reads the PDF that the command line names: the user's own file, so it may lie anywhere."""

import os
import stat
from pathlib import Path

from tm.errors import UsageError
from tm.pdf.extract import MAX_BYTES, too_large


def read_pdf_file(path: Path) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        UsageError: TM500, it is not there, is no file, or can't be read.
        ToolError: TM522, it is larger than a PDF may be.
    """
    try:
        # A named pipe would wait for its writer for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise _unreadable(path, "it is no regular file")
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(path, (error.strerror or "it can't be opened").lower()) from error
    except ValueError as error:
        raise _unreadable(path, "its name holds NUL") from error
    if len(data) > MAX_BYTES:
        raise too_large(path.name)
    return data


def _unreadable(path: Path, why: str) -> UsageError:
    near = _near(path) if not path.exists() else ""
    return UsageError(
        f"file {path.name!a:.120} can't be read: {why}{near}",
        code="TM500",
        hint="the path counts from the current folder",
    )


def _near(path: Path) -> str:
    """Return the PDFs beside it whose names are near, as a question."""
    from tm.errors import did_you_mean  # only a wrong name needs it

    try:
        beside = sorted(entry.name for entry in os.scandir(path.parent) if entry.is_file())
    except (OSError, ValueError):
        return ""
    return did_you_mean(path.name, [name for name in beside if name.lower().endswith(".pdf")])
