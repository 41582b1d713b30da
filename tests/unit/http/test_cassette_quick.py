"""The quick reader says the same as the YAML parser, or nothing."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tm.http.cassette_file import Interaction, dump, load, pretty
from tm.http.cassette_quick import read_quickly

DATA = Path(__file__).parents[2] / "data"
KIND = {"content-type": "application/json"}
BODY = json.dumps({"invoice_id": "R-1", "note": "it's", "lines": [{"gross": 119.0}] * 4})
ENTRIES = [
    Interaction("GET", "${ERP_URL}/orders?page=1", None, 200, KIND, b'{"a": 1}'),
    Interaction(
        "POST", "https://erp.example/offers", '{"a": 1}', 201, KIND, b"", KIND["content-type"]
    ),
    Interaction(
        "POST",
        "https://erp.example/a",
        "two\nlines\n\n",
        404,
        {},
        b"Gr\xc3\xbc\xc3\x9fe",
        "text/plain",
    ),
    Interaction(
        "GET", "https://erp.example/b", None, 200, KIND, pretty(BODY.encode(), KIND["content-type"])
    ),
    Interaction(
        "GET",
        "https://erp.example/c",
        None,
        200,
        {"x": "", "content-type": "image/png"},
        b"\x89PNG\xff",
    ),
]
TEXT = dump(ENTRIES)


def parsed(text):
    """Return what the parser makes of it; None where it is no cassette."""
    try:
        data = yaml.load(text, Loader=yaml.CBaseLoader)
    except yaml.YAMLError:
        return None
    return data.get("interactions") if isinstance(data, dict) else None


def test_what_tm_writes_is_read_quickly():
    assert read_quickly(TEXT) == parsed(TEXT)
    assert load(TEXT) == load(TEXT.encode()) == ENTRIES


def test_no_yaml_library_is_needed_for_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    assert load(TEXT) == ENTRIES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("version: 1", "version: 2"),
        ("method: GET", "method: GET # as recorded"),
        ("method: GET", "'method': GET"),
        ("code: 200", "code: 200 "),
        ("code: 200", "code:\t200"),
        ("${ERP_URL}/orders?page=1", '"${ERP_URL}/orders?page=1"'),
        ("${ERP_URL}/orders?page=1", "&a orders"),
        ("${ERP_URL}/orders?page=1", "orders: 1"),
        ("${ERP_URL}/orders?page=1", "orders\n      on two lines"),
        ("        two\n", "          two\n"),
        ("|+", "|2+"),
        ("|+", ">+"),
        ("Grüße", "Gr\x85e"),
        ("Grüße", "Gr\u2028e"),
        ("\n- request", "\n\n- request"),
    ],
)
def test_other_forms_are_left_to_the_parser(old, new):
    assert old in TEXT
    assert read_quickly(TEXT.replace(old, new, 1)) is None


@pytest.mark.parametrize("text", ["", "version: 1\ninteractions:\n", TEXT[:-1], TEXT + "...\n"])
def test_parts_of_a_cassette_are_left_to_the_parser(text):
    assert read_quickly(text) is None


def test_every_cassette_of_the_examples_is_read_alike():
    paths = sorted(DATA.rglob("cassettes/*/*.yaml"))
    for text in (path.read_text("utf-8") for path in paths):
        assert read_quickly(text) in (None, parsed(text))


MARKS = "\n :#'\"|>+-&*!%@`{}[],?=~\t\r.0aü\xa0\x85\ufeff\0"
WORDS = ["\n  ", "        ", " #", ": ", "''", "|-", "---", "...", "<<"]
PIECES = st.sampled_from([*MARKS, *WORDS])


CHANGES = st.tuples(st.integers(0, len(TEXT)), st.integers(0, 9), PIECES)


@given(st.lists(CHANGES, min_size=1, max_size=3))
def test_changed_cassette_is_read_as_the_parser_reads_it_or_not_at_all(changes):
    text = TEXT
    for place, cut, piece in changes:
        text = text[:place] + piece + text[place + cut :]
    assert read_quickly(text) in (None, parsed(text))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS, TEXTS | st.none(), TEXTS, TEXTS)
def test_written_texts_are_read_as_the_parser_reads_them(uri, sent, header, content):
    text = dump([Interaction("GET", uri, sent, 200, {"x": header}, content.encode(), "t")])
    assert read_quickly(text) in (None, parsed(text))
