"""The program that reads one PDF: the library's crashes and endless loops end here, not in tm.

It is started by its path, imports nothing of tm, gets one line of JSON and the file's bytes on
stdin, and answers with lines of JSON on stdout: `{"pages": n}`, one `{"text": ...}` or
`{"failed": true}` a page (`images` says that the page shows some), and `{"end": true}`, or one
`{"error": KIND}`. The address space is limited before the library is loaded.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def read_pdf(options: dict[str, Any], data: bytes) -> None:
    """Write what the file holds on stdout.

    Args:
        options: `password` (None: none), `max_pages`, `max_chars`.
        data: of the whole file.
    """
    try:
        import pypdfium2  # noqa: PLC0415  after the limits are set; an extra, so it may be missing
    except ImportError:
        _tell(error="missing")
        return
    try:
        document = pypdfium2.PdfDocument(data, password=options["password"])
    except pypdfium2.PdfiumError as error:
        _tell(error=_kind(error, pypdfium2.raw))
        return
    if len(document) > options["max_pages"]:
        _tell(error="pages", count=len(document))
        return
    _tell(pages=len(document))
    _read_pages(document, options["max_chars"], pypdfium2)


def _read_pages(document: Any, room: int, pypdfium2: Any) -> None:
    for number in range(len(document)):
        try:
            page = document[number]
            text = _text_of(page)
        except pypdfium2.PdfiumError:
            _tell(failed=True)
            continue
        room -= len(text)
        if room < 0:
            _tell(error="chars")
            return
        _tell(text=text, images=not text.strip() and _shows_images(page, pypdfium2.raw))
        page.close()
    _tell(end=True)


def _text_of(page: Any) -> str:
    """Return what the page shows; text outside of its box is not shown."""
    textpage = page.get_textpage()
    try:
        text: str = textpage.get_text_bounded()
        return text
    finally:
        textpage.close()


def _shows_images(page: Any, raw: Any) -> bool:
    return any(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]))


def _kind(error: Any, raw: Any) -> str:
    code = getattr(error, "err_code", None)
    if code == raw.FPDF_ERR_PASSWORD:
        return "password"
    return "scheme" if code == raw.FPDF_ERR_SECURITY else "damaged"


def _tell(**told: object) -> None:
    written = json.dumps(told, ensure_ascii=False) + "\n"
    sys.stdout.buffer.write(written.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def limit_process(memory_bytes: int, cpu_s: int) -> None:
    """Bound this process's memory and time, where the system knows such limits."""
    try:
        import resource  # noqa: PLC0415  not on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Read the options and the file from stdin."""
    options = json.loads(sys.stdin.buffer.readline())
    limit_process(options["memory_bytes"], options["cpu_s"])
    try:
        read_pdf(options, sys.stdin.buffer.read())
    except MemoryError:
        _tell(error="memory")


if __name__ == "__main__":
    main()
