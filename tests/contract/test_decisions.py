"""Decision notes: numbered without gaps, each with a heading that says its number."""

from __future__ import annotations

import re

from tests.conftest import ROOT

NOTES = sorted((ROOT / "tm/docs/decisions").glob("*.md"))


def test_numbers_have_no_gap_and_none_is_taken_twice() -> None:
    assert [int(note.name[:4]) for note in NOTES] == list(range(1, len(NOTES) + 1))


def test_headings_say_the_number_of_the_file() -> None:
    for note in NOTES:
        assert re.match(rf"# {note.name[:4]}:? \w", note.read_text("utf-8")), note.name


def test_a_note_is_half_a_page() -> None:
    assert [note.name for note in NOTES if len(note.read_text("utf-8").splitlines()) > 60] == []
