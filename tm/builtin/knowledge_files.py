"""The documents of a tenant: which files count, and what they say.

What lives here: reading `knowledge/`, by descriptor, following no link. What must not: searching.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Final

from tm.builtin.context import WriteLine
from tm.builtin.passages import Passage, markdown_passages, page_passages, plain_passages
from tm.confine import MissingPathError, read_bytes
from tm.confine.tree import FoundFile, walk_files
from tm.errors import SecurityError, ToolError

KNOWLEDGE: Final = "knowledge"
MAX_FILES: Final = 5_000
MAX_TEXT_BYTES: Final = 5_000_000
MAX_PDF_BYTES: Final = 50_000_000
_MAX_SEEN: Final = 50_000
"""Names that are looked at; a folder of more is not one that people keep documents in."""

_TEXT: Final[dict[str, Callable[[str], list[Passage]]]] = {
    ".md": markdown_passages,
    ".markdown": markdown_passages,
    ".txt": plain_passages,
    ".text": plain_passages,
}
_PDF: Final = ".pdf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


def find_documents(root: Path, segments: tuple[str, ...], log: WriteLine) -> list[FoundFile]:
    """Return the files that can be searched, by path; what is left out is told.

    Args:
        root: of the workspace, absolute.
        segments: from there to `knowledge/`.
        log: for one line a reason.
    """
    try:
        seen = list(islice(walk_files(root, segments), _MAX_SEEN))
    except MissingPathError:
        return []
    except SecurityError as error:
        log("warning", f"{KNOWLEDGE}/ is not searched: {error.message}")
        return []
    documents = sorted((one for one in seen if _kind(one) in _kinds()), key=lambda one: one.path)
    left_out = sum(_kind(one) == _PDF for one in seen) if _PDF not in _kinds() else 0
    if left_out:
        log("warning", f'PDFs are not searched ({left_out}): pip install "tm[pdf]"')
    if len(documents) > MAX_FILES:
        log("warning", f"only the first {MAX_FILES:,} of {len(documents):,} files are searched")
    return documents[:MAX_FILES]


def read_document(root: Path, segments: tuple[str, ...], found: FoundFile) -> list[Passage]:
    """Return the passages of a file.

    Raises:
        TmError: it can't be read; the message says why.
    """
    kind = _kind(found)
    limit = MAX_PDF_BYTES if kind == _PDF else MAX_TEXT_BYTES
    data = read_bytes(root, "/".join([*segments, found.path]), limit=limit)
    if kind != _PDF:
        return _TEXT[kind](_decoded(data))
    from tm.pdf.extract import extract_text  # noqa: PLC0415  most folders have no PDF

    return page_passages(extract_text(data, name=found.path.rpartition("/")[2]).pages)


def _kinds() -> set[str]:
    """Return the endings of files that can be read here."""
    return {*_TEXT, *([_PDF] if find_spec("pypdfium2") else [])}


def _kind(found: FoundFile) -> str:
    name = found.path.rpartition("/")[2]
    return f".{name.rpartition('.')[2].lower()}" if "." in name else ""


def _decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with its mark, else what Windows wrote.

    Raises:
        ToolError: it is none of them.
    """
    try:
        text = data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    if "\0" in text:
        raise ToolError("it is no text: it holds NUL", code="TM509")
    return text.replace("\r\n", "\n").replace("\r", "\n")
