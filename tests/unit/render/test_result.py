from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.render.result import compact_json, json_text

ANSI = re.compile(r"\x1b\[[0-9;]*m")
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)  # fmt: skip


@given(values)
def test_text_reads_back_as_the_same_value_and_is_always_utf8(value: Any) -> None:
    text = json_text(value)
    text.encode("utf-8")
    assert json.loads(text) == value


@given(values)
def test_colour_only_adds_escape_sequences(value: Any) -> None:
    assert ANSI.sub("", json_text(value, colour=True)) == json_text(value)


def test_text_is_indented_and_keeps_letters_and_digits() -> None:
    value = {"name": "Süd 世界", "id": 738529527931269425, "eur": 12.0, "ok": True, "no": None}
    assert json_text(value) == (
        "{\n"
        '  "name": "Süd 世界",\n'
        '  "id": 738529527931269425,\n'
        '  "eur": 12.0,\n'
        '  "ok": true,\n'
        '  "no": null\n'
        "}"
    )


@pytest.mark.parametrize(
    ("char", "escaped"),
    [("\x1b", r"\u001b"), ("\x9b", r"\u009b"), ("\ud800", r"\ud800"), ("\u202e", r"\u202e"),
     ("\x7f", r"\u007f")],
)  # fmt: skip
def test_what_a_terminal_would_obey_is_escaped(char: str, escaped: str) -> None:
    assert json_text(f"a{char}b") == f'"a{escaped}b"'
    assert json_text(f"ä{char}b") == f'"ä{escaped}b"'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_json_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        json_text([value])


def test_keys_texts_numbers_and_words_have_their_own_colours() -> None:
    text = json_text({"k": ["t", 1, None]}, colour=True)
    assert '\x1b[34m"k"\x1b[0m: ' in text
    assert '\x1b[32m"t"\x1b[0m' in text
    assert "\x1b[36m1\x1b[0m" in text
    assert "\x1b[35mnull\x1b[0m" in text


def test_compact_json_shows_what_json_can_not_hold_as_python_does() -> None:
    assert compact_json({"a": {1}}) == '{"a":"{1}"}'
