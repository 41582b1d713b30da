"""The program that reads one PDF, run in this process with a library of its own."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from tm.pdf import child

PDFS = ROOT / "tests/data/pdfs"
OPTIONS = {"password": None, "max_pages": 10, "max_chars": 1000}


def told(capfdbinary, name, **options):
    child.read_pdf({**OPTIONS, **options}, (PDFS / name).read_bytes())
    return [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]


def test_each_page_is_a_line_between_their_number_and_the_end(capfdbinary):
    assert told(capfdbinary, "helloworld-bad.pdf") == [
        {"pages": 1},
        {"text": "Hello, world!", "images": False},
        {"end": True},
    ]


def test_a_page_without_text_says_whether_it_shows_images(capfdbinary):
    assert told(capfdbinary, "images_1bit_grayscale.pdf")[1] == {"text": "", "images": True}
    assert told(capfdbinary, "empty_protected.pdf")[1] == {"text": "", "images": False}


def test_a_page_that_fails_does_not_end_the_others(capfdbinary):
    lines = told(capfdbinary, "Pages-tree-refs.pdf")
    assert {"failed": True} in lines
    assert lines[-1] == {"end": True}


@pytest.mark.parametrize(
    ("name", "options", "error"),
    [
        ("issue6010_1.pdf", {}, "password"),
        ("issue6010_1.pdf", {"password": "no"}, "password"),
        ("bug1020226.pdf", {}, "damaged"),
        ("helloworld-bad.pdf", {"max_pages": 0}, "pages"),
        ("helloworld-bad.pdf", {"max_chars": 5}, "chars"),
    ],
)
def test_what_can_not_be_read_is_one_word(capfdbinary, name, options, error):
    assert told(capfdbinary, name, **options)[-1]["error"] == error


def test_a_library_that_is_not_there_is_told(capfdbinary, monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    assert told(capfdbinary, "helloworld-bad.pdf") == [{"error": "missing"}]


def run_main(monkeypatch, data):
    options = {**OPTIONS, "memory_bytes": 10**9, "cpu_s": 60}
    stdin = io.BytesIO(json.dumps(options).encode() + b"\n" + data)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stdin))
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(child, "limit_process", lambda *given: limits.append(given))
    child.main()
    return limits


def test_the_program_reads_options_and_file_from_stdin(capfdbinary, monkeypatch):
    limits = run_main(monkeypatch, (PDFS / "helloworld-bad.pdf").read_bytes())
    assert limits == [(10**9, 60)]
    assert b"Hello, world!" in capfdbinary.readouterr().out


def test_too_little_memory_is_one_word(capfdbinary, monkeypatch):
    def hungry(options, data):
        raise MemoryError

    monkeypatch.setattr(child, "read_pdf", hungry)
    run_main(monkeypatch, b"")
    assert json.loads(capfdbinary.readouterr().out) == {"error": "memory"}


def test_limits_are_set_where_the_system_has_them(monkeypatch):
    set_limits: dict[str, tuple[int, int]] = {}
    fake = SimpleNamespace(
        RLIMIT_AS="as", RLIMIT_CPU="cpu", RLIMIT_CORE="core", setrlimit=set_limits.__setitem__
    )
    monkeypatch.setitem(sys.modules, "resource", fake)
    child.limit_process(5, 7)
    assert set_limits == {"as": (5, 5), "cpu": (7, 7), "core": (0, 0)}
    monkeypatch.setitem(sys.modules, "resource", None)
    child.limit_process(1, 1)
    assert set_limits["as"] == (5, 5)
