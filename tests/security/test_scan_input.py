"""Bytes that try to hide code from the scan, or to bring it down."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tm.scan import scan_source


def _codes(source: bytes) -> list[str]:
    return [hit.code for hit in scan_source(source, "a.py").hits]


@pytest.mark.parametrize(
    "line",
    [
        b"# -*- coding: utf-7 -*-\nX = 1\n",
        b"# coding: raw_unicode_escape\nX = 1\n",
        b"# coding: latin-1\nX = 1\n",
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n",
        b"\n# coding=latin-1\n",
        b"\xef\xbb\xbf# coding: utf-16\n",
    ],
)
def test_foreign_coding_line_is_refused(line: bytes) -> None:
    assert _codes(line) == ["TM004"]


@pytest.mark.parametrize(
    "source",
    [
        b"# -*- coding: utf-8 -*-\nX = 1\n",
        b"# coding: UTF_8\n",
        b"\xef\xbb\xbfX = 1\n",
        b"X = 1\r\nY = 2\r\n",
        b"",
        b"X = 1\n# coding: latin-1\n",
        b"# one\n# two\n# coding: latin-1\n",
        "X = 'a\u200d\u2028b'\n".encode(),
        b"X = 1\t# tab\n",
    ],
)
def test_plain_utf8_is_read(source: bytes) -> None:
    assert _codes(source) == []


@pytest.mark.parametrize(
    "char",
    [
        *"\x00\x01\x08\x0b\x0c\x1b\x7f\x85\u200b\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufeff",
        "\rX",
    ],
)
def test_hidden_character_is_refused_at_its_place(char: str) -> None:
    hits = scan_source(f"A = 1\nB = 'ä{char}'\n".encode(), "a.py").hits
    assert [(hit.code, hit.line, hit.col) for hit in hits] == [("TM001", 2, 7)]


def test_second_byte_order_mark_is_refused() -> None:
    assert _codes(b"\xef\xbb\xbf\xef\xbb\xbfX = 1\n") == ["TM001"]


def test_byte_that_is_not_utf8_is_named_with_its_place() -> None:
    (hit,) = scan_source("A = 1\nB = 'ö".encode() + b"\xff'\n", "a.py").hits
    assert (hit.code, hit.line, hit.col) == ("TM004", 2, 7)
    assert "0xff" in hit.message


def test_file_over_the_limit_is_refused_before_it_is_parsed() -> None:
    assert scan_source(b"#" * (256 * 1024), "a.py").hits == ()
    scan = scan_source(b"#" * (256 * 1024 + 1), "a.py")
    assert [hit.code for hit in scan.hits] == ["TM001"]
    assert scan.tree is None


@pytest.mark.parametrize(
    "source",
    [
        b"x = " + b"-" * 100_000 + b"1\n",
        b"x = " + b"lambda: " * 1_000 + b"1\n",
        b"x = " + b"(" * 5_000 + b")" * 5_000 + b"\n",
        b"x = " + b"a." * 20_000 + b"b\n",
        b"x = " + b"1+" * 20_000 + b"1\n",
        b"x = " + b"9" * 10_000 + b"\n",
    ],
)
def test_nesting_and_size_without_end_are_a_finding_not_a_crash(source: bytes) -> None:
    assert "TM001" in _codes(source)


def test_syntax_error_carries_its_place() -> None:
    (hit,) = scan_source(b"X = 1\ndef f(:\n    pass\n", "a.py").hits
    assert (hit.code, hit.line) == ("TM001", 2)


@pytest.mark.parametrize(
    "source",
    [b"def f():\n    break\n", b"def f(a, a):\n    return a\n", b"def f():\n    nonlocal x\n"],
)
def test_what_only_the_compiler_refuses_is_found_too(source: bytes) -> None:
    assert _codes(source) == ["TM001"]


def test_new_syntax_names_the_python_that_reads_it() -> None:
    (hit,) = scan_source(b"type X = int\n", "a.py").hits
    assert hit.code in {"TM001", "TM307"}
    assert "3." in hit.message


def test_warnings_of_the_parser_stay_silent() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert _codes(b"X = '\\d'\nY = 1 is 1\n") == []
    assert seen == []


@pytest.mark.parametrize(
    "comment", ["# noqa", "# nosec", "# type: ignore", "# tm: ignore[TM306] because", "# pragma"]
)
def test_no_comment_switches_the_scan_off(comment: str) -> None:
    assert "TM306" in _codes(f"import os  {comment}\n".encode())


_TEXT = """def class import from as if else for while try except finally with return yield lambda
    global nonlocal del raise match case _ ( ) [ ] { } : , . = == := + - * ** @ ~ < > ! " ' # \\
    open eval x y self ctx json os type getattr format __class__ __init__ 0 1.5 'a' "{0.x}" f"{x}"
    async await True None and or not in is"""
_BREAKS = ["\n", "\n    ", "\n        ", " ", "\n@", "\r\n", "\t"]
_WORDS = st.sampled_from([*_TEXT.split(), *_BREAKS])


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_a_scan(source: bytes) -> None:
    scan_source(source, "a.py")


@settings(max_examples=500, deadline=None)
@given(st.lists(_WORDS, max_size=30), st.integers(0, 3))
def test_any_words_of_python_give_a_scan(words: list[str], depth: int) -> None:
    scan = scan_source(" ".join(words).encode(), "a.py", depth=depth)
    assert scan.tree is not None or scan.hits


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(_WORDS, _WORDS, _WORDS), max_size=6))
def test_any_statements_give_a_scan(lines: list[tuple[str, str, str]]) -> None:
    body = "".join(f"    {' '.join(words).strip()}\n" for words in lines)
    scan_source(f"def f(results, args, ctx):\n{body}    pass\n".encode(), "a.py")
