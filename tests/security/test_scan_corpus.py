"""The corpus of bad and good tool files: every bad one is refused for its kind, no good one is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tm.scan import scan_source

DATA = Path(__file__).parent.parent / "data" / "scan"
CODES = {
    "write": "TM301",
    "read": "TM302",
    "process": "TM303",
    "inject": "TM304",
    "network": "TM305",
    "import": "TM306",
    "escape": "TM307",
}


def _manifest(name: str) -> list[dict[str, str]]:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def _siblings(name: str) -> list[tuple[str, str]]:
    text = (DATA / name).read_text(encoding="utf-8")
    cases = text.split("### ")[1:]
    return [(case.partition("\n")[0], case.partition("\n")[2]) for case in cases]


@pytest.mark.parametrize("entry", _manifest("bad.json"), ids=lambda entry: entry["file"])
def test_bad_file_is_refused_for_its_kind(entry: dict[str, str]) -> None:
    scan = scan_source((DATA / "bad" / entry["file"]).read_bytes(), entry["file"])
    assert CODES[entry["kind"]] in {hit.code for hit in scan.hits}


@pytest.mark.parametrize("entry", _manifest("good.json"), ids=lambda entry: entry["file"])
def test_good_file_raises_no_alarm(entry: dict[str, str]) -> None:
    scan = scan_source((DATA / "good" / entry["file"]).read_bytes(), entry["file"])
    assert scan.hits == ()


@pytest.mark.parametrize(("head", "source"), _siblings("siblings_bad.txt"))
def test_sibling_of_a_bad_construct_is_refused_for_its_kind(head: str, source: str) -> None:
    _, code = head.split()
    assert code in {hit.code for hit in scan_source(source.encode(), "case.py").hits}


@pytest.mark.parametrize(("head", "source"), _siblings("siblings_good.txt"))
def test_ordinary_code_raises_no_alarm(head: str, source: str) -> None:
    assert scan_source(source.encode(), f"{head}.py").hits == ()


def test_every_hit_says_where_and_what_to_use_instead() -> None:
    for entry in _manifest("bad.json"):
        for hit in scan_source((DATA / "bad" / entry["file"]).read_bytes(), entry["file"]).hits:
            assert hit.message
            assert hit.help
            assert (hit.line, hit.col) >= (1, 1)
            assert (hit.end_line, hit.end_col) >= (hit.line, hit.col)
