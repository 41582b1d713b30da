"""PDFs as a table."""

from __future__ import annotations

from tm.render.lines import plain
from tm.render.pdf_table import damage_note, list_lines
from tm.store.pdfs import PdfEntry

LONG = PdfEntry(
    "c-1", "pdf-1a2b", "rechnung-von-herrn-albers.pdf", 12, 34567, "2026-05-04T12:30:00Z"
)


def test_file_names_are_cut_at_the_width_and_whole_in_pipes():
    assert plain(list_lines([LONG], width=None)[1]).endswith("rechnung-von-herrn-albers.pdf")
    wide = plain(list_lines([LONG], width=80)[1])
    assert "2026-05-04" in wide
    narrow = plain(list_lines([LONG], width=56)[1])
    assert len(narrow) <= 56
    assert "2026" not in narrow
    assert narrow.endswith("…")
    assert "34,567" in narrow


def test_many_damaged_pages_are_counted():
    assert damage_note("a.pdf", [3]) == (
        "a.pdf: page 3 could not be read; a note stands in the text instead"
    )
    assert "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more" in damage_note("a.pdf", range(1, 13))
