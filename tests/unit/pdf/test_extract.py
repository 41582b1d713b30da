"""PDFs of many kinds, and the process that reads them going wrong in every way."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from tests.conftest import ROOT
from tm.errors import ToolError, UsageError
from tm.pdf import extract
from tm.pdf.extract import extract_text

PDFS = ROOT / "tests/data/pdfs"
INDEX = json.loads((PDFS / "INDEX.json").read_text("utf-8"))
HEAD = b"%PDF-1.7\n"


def refused(data, **options):
    with pytest.raises(ToolError) as caught:
        extract_text(data, name="a.pdf", **options)
    assert caught.value.code == "TM522"
    return caught.value


def process_that(code):
    """A reader that eats its input and then runs this code."""
    return {"command": (sys.executable, "-c", f"import sys; sys.stdin.buffer.read(); {code}")}


@pytest.mark.parametrize(
    "case",
    [one for one in INDEX if one["expect"] not in {"no text", "error"}],
    ids=lambda case: case["file"],
)
def test_each_file_with_a_text_gives_its_phrases(case):
    data = (PDFS / case["file"]).read_bytes()
    found = extract_text(data, name=case["file"], password=case.get("password"))
    text = " ".join(unicodedata.normalize("NFKC", found.text).split())
    assert [phrase for phrase in case["must_contain"] if phrase not in text] == []


@pytest.mark.parametrize(
    ("expected", "words"), [("no text", "has no text"), ("error", "is damaged")]
)
def test_each_file_without_a_text_says_why(expected, words):
    cases = [one for one in INDEX if one["expect"] == expected]
    assert cases
    for case in cases:
        assert words in refused((PDFS / case["file"]).read_bytes()).message


def test_a_file_that_needs_a_password_says_so_and_a_wrong_one_is_told():
    data = (PDFS / "issue6010_1.pdf").read_bytes()
    missing, wrong = refused(data), refused(data, password="secret-xyz")
    assert "is encrypted: it opens only with its password" in missing.message
    assert "--password" in (missing.hint or "")
    assert "this password does not open it" in wrong.message
    assert "secret-xyz" not in str(wrong.to_json())


def test_an_image_only_file_is_told_from_a_blank_one():
    image = refused((PDFS / "images_1bit_grayscale.pdf").read_bytes())
    blank = refused((PDFS / "empty_protected.pdf").read_bytes())
    assert "image-only" in image.message
    assert "OCR" in (image.hint or "")
    assert "blank" in blank.message


def test_a_damaged_page_is_noted_in_the_text_and_named():
    found = extract_text((PDFS / "Pages-tree-refs.pdf").read_bytes(), name="loop.pdf")
    assert found.damaged_pages == [2]
    assert "[page 2 is damaged and could not be read]" in found.text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b"Guten Tag", "does not begin with %PDF-"),
        (HEAD + b"\x00" * 500, "is damaged"),
    ],
)
def test_what_is_no_pdf_is_called_damaged(data, words):
    error = refused(data)
    assert words in error.message
    assert "damaged" in error.message


def test_a_file_of_more_bytes_than_allowed_is_not_read(monkeypatch):
    monkeypatch.setattr(extract, "MAX_BYTES", 20)
    assert "too large" in refused(HEAD + b" " * 20).message


def test_more_pages_or_characters_than_allowed_are_refused(monkeypatch):
    data = (PDFS / "two_paragraphs.pdf").read_bytes()
    monkeypatch.setattr(extract, "MAX_CHARS", 10)
    assert "too much text" in refused(data).message
    monkeypatch.setattr(extract, "MAX_PAGES", 0)
    assert "too many pages: 1, at most 0" in refused(data).message


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os.abort()", "broke down"),
        ("sys.exit(3)", "broke down"),
        ("print('{\"pages\": 2}')", "gave up in the middle"),
        ("", "gave up in the middle"),
        ('print(\'{"error": "memory"}\')', "more memory"),
        ('print(\'{"error": "scheme"}\')', "encrypted in a way"),
        ('print(\'{"pages": 1}\\n{"failed": true}\\n{"end": true}\')', "none of its pages"),
    ],
)
def test_a_reader_that_breaks_down_is_an_error_and_no_more(code, words):
    assert words in refused(HEAD, **process_that(code)).message


def test_a_reader_that_does_not_end_is_ended():
    endless = process_that("\nwhile True: pass")
    assert "did not end within" in refused(HEAD, **endless, timeout_s=0.2).message


def test_a_missing_library_is_named_with_the_command_that_installs_it():
    with pytest.raises(UsageError) as caught:
        extract_text(HEAD, name="a.pdf", **process_that('print(\'{"error": "missing"}\')'))
    assert 'pip install "tm[pdf]"' in (caught.value.hint or "")


def test_the_reader_gets_no_secret_of_the_environment(monkeypatch):
    monkeypatch.setenv("ERP_TOKEN", "tk-1")
    code = (
        "import os, json; told = 'ERP_TOKEN' in os.environ; "
        "print('{\"pages\": 1}'); print(json.dumps({'text': str(told)})); print('{\"end\": true}')"
    )
    assert extract_text(HEAD, name="a.pdf", **process_that(code)).text == "False"
