"""Reading a PDF's text against pypdf, pages a second.

The peer is installed into an environment of its own; nothing of tm imports it.
"""

from pathlib import Path

from tests.bench.measure import Command, medians, python, report
from tests.conftest import ROOT
from tests.e2e.cache import environment

PAGES = 200
ROUNDS = 3
SOURCES = ("two-column-made-here.pdf", "bigboundingbox.pdf")

_JOIN = """
import sys
from pypdf import PdfWriter
writer = PdfWriter()
for _ in range({copies}):
    for source in {sources!r}:
        writer.append(source)
writer.write({target!r})
"""
_OURS = """
from pathlib import Path
from tm.pdf.extract import extract_text
found = extract_text(Path({target!r}).read_bytes(), name="a.pdf")
assert len(found.pages) == {pages}, len(found.pages)
assert "INV-0046" in found.text
"""
_PEER = """
from pypdf import PdfReader
texts = [page.extract_text() for page in PdfReader({target!r}).pages]
assert len(texts) == {pages}, len(texts)
"""
_FLOOR = """
import pypdfium2
with pypdfium2.PdfDocument({target!r}) as document:
    texts = [page.get_textpage().get_text_bounded() for page in document]
assert len(texts) == {pages}, len(texts)
"""


def measure_pdf(folder: Path) -> None:
    """Read 200 pages of running text in two columns and of an invoice's table."""
    target = str(folder / "pages.pdf")
    sources = [str(ROOT / "tests/data/pdfs" / name) for name in SOURCES]
    peer = str(environment("pdf-peers", ("pypdf",)) / "python")
    join = _JOIN.format(copies=PAGES // len(sources), sources=sources, target=target)
    Command([peer, "-c", join]).run()
    ours, floor, pypdf = medians(
        Command(python(_OURS.format(target=target, pages=PAGES))),
        Command(python(_FLOOR.format(target=target, pages=PAGES))),
        Command([peer, "-c", _PEER.format(target=target, pages=PAGES)]),
        rounds=ROUNDS,
    )
    report(f"text of {PAGES} pages, with its process", ours, pypdf, 0.1, "of pypdf's time")
    report(f"text of {PAGES} pages, with its process", ours, floor, 1.25, "of pypdfium2 alone")
    print(f"     {PAGES / ours:,.0f} pages/s against {PAGES / pypdf:,.0f} (CPU)", flush=True)
