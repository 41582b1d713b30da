"""Reads the text of a PDF in a process of its own, with limits on size, pages, time and memory.

What lives here: the talk with that process, and what each failure is called. What must not: what
is done with the text. The process is `child.py`; it gets no variable of the environment but those
that Python itself needs.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from tm.errors import ToolError, UsageError
from tm.pdf.text import clean_text, join_pages
from tm.records import record

CODE: Final = "TM522"
MAX_BYTES: Final = 50_000_000  # SPEC 7
MAX_PAGES: Final = 5_000  # SPEC 7
MAX_CHARS: Final = 20_000_000
"""Of all pages: 4,000 a page where there are 5,000, which is a full one."""

MAX_SECONDS: Final = 120
"""5,000 pages take about 10 s; a file that takes longer than this is made to."""

_MEMORY_BYTES: Final = 1_000_000_000
_CHILD: Final = Path(__file__).with_name("child.py")
_KEPT: Final = (
    "PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "HOME",
    "LD_LIBRARY_PATH",
    "SYSTEMROOT",
    "TMPDIR",
)
_INSTALL: Final = 'pip install "tm[pdf]"'


@record
class PdfText:
    """What a PDF says.

    Attributes:
        pages: cleaned text of each page; None: this page is damaged.
    """

    pages: tuple[str | None, ...]

    @property
    def text(self) -> str:
        """The whole text; a note stands where a page could not be read."""
        notes = (
            f"[page {number} is damaged and could not be read]" if page is None else page
            for number, page in enumerate(self.pages, start=1)
        )
        return join_pages(notes)

    @property
    def damaged_pages(self) -> list[int]:
        """Numbers of the pages that could not be read, from 1."""
        return [number for number, page in enumerate(self.pages, start=1) if page is None]


def extract_text(
    data: bytes,
    *,
    name: str,
    password: str | None = None,
    command: tuple[str, ...] = (),
    timeout_s: float = MAX_SECONDS,
) -> PdfText:
    """Return the text of a PDF.

    Args:
        data: of the whole file.
        name: of the file, for errors.
        password: of an encrypted file; None: none. Never shown.
        command: that reads the file; empty: this Python with `child.py`.
        timeout_s: after which the reading is ended.

    Raises:
        ToolError: TM522, saying which: encrypted, damaged, image-only, without text, too large.
        UsageError: pypdfium2 is not installed.
    """
    if len(data) > MAX_BYTES:
        raise too_large(name)
    if b"%PDF-" not in data[:1024]:
        what = "it does not begin with %PDF-" if data else "the file is empty"
        raise _fault(name, f"is not a PDF, or damaged at its beginning: {what}")
    lines = _talk(data, name, password, command, timeout_s)
    error = next((one for one in lines if "error" in one), None)
    if error is not None:
        raise _refused(name, error, has_password=password is not None)
    if not lines or "end" not in lines[-1]:
        raise _fault(name, "is damaged: the PDF library gave up in the middle of it")
    return _checked(name, lines[1:-1])


def too_large(name: str) -> ToolError:
    """Return the error for a file of more bytes than are read."""
    return _fault(
        name, f"is too large: at most {MAX_BYTES // 1_000_000} MB", "split it into smaller files"
    )


def _checked(name: str, pages: list[dict[str, Any]]) -> PdfText:
    """Return the pages, or raise where none of them says anything."""
    found = PdfText(tuple(None if "failed" in one else clean_text(one["text"]) for one in pages))
    if any(found.pages):
        return found
    if len(found.damaged_pages) == len(pages):
        raise _fault(name, "is damaged: none of its pages can be read")
    if any(one.get("images") for one in pages):
        raise _fault(
            name,
            "has no text: it is image-only, its words are pictures",
            "run text recognition (OCR) over it, for example with ocrmypdf, and add the new file",
        )
    raise _fault(name, "has no text: its pages are blank, or drawn without letters")


def _refused(name: str, told: dict[str, Any], *, has_password: bool) -> ToolError | UsageError:
    """Return the error for what the process said."""
    kind = told["error"]
    if kind == "missing":
        return UsageError("reading PDFs needs pypdfium2", code=CODE, hint=_INSTALL)
    if kind == "password" and has_password:
        return _fault(name, "is encrypted, and this password does not open it")
    if kind == "password":
        return _fault(
            name, "is encrypted: it opens only with its password", "give it with --password"
        )
    words = {
        "scheme": "is encrypted in a way that can't be opened here",
        "pages": f"has too many pages: {told.get('count')}, at most {MAX_PAGES:,}",
        "chars": f"has too much text: at most {MAX_CHARS:,} characters",
        "memory": "needs more memory than a PDF is given",
    }
    return _fault(name, words.get(kind, "is damaged: no PDF reader can make sense of it"))


def _talk(
    data: bytes, name: str, password: str | None, command: tuple[str, ...], timeout_s: float
) -> list[dict[str, Any]]:
    """Let the process read the file and return the lines that it wrote."""
    from subprocess import TimeoutExpired, run  # noqa: PLC0415  only a PDF needs it

    options = {
        "password": password,
        "max_pages": MAX_PAGES,
        "max_chars": MAX_CHARS,
        "memory_bytes": _MEMORY_BYTES,
        "cpu_s": MAX_SECONDS,
    }
    words = command or (sys.executable, "-P", str(_CHILD))
    environ = {key: os.environ[key] for key in _KEPT if key in os.environ}
    message = json.dumps(options).encode() + b"\n" + data
    try:
        done = run(  # noqa: S603  this Python, with our own file
            words, input=message, capture_output=True, env=environ, timeout=timeout_s, check=False
        )
    except TimeoutExpired as error:
        what = f"is damaged: reading it did not end within {timeout_s:g} s"
        raise _fault(name, what) from error
    if done.returncode != 0:
        raise _fault(name, "is damaged: the PDF library broke down on it")
    return [json.loads(line) for line in done.stdout.splitlines()]


def _fault(name: str, what: str, hint: str | None = None) -> ToolError:
    return ToolError(f"{name!a:.120} {what}", code=CODE, hint=hint)
