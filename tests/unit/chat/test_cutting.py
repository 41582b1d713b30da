"""Results that are too long for a model."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.chat.cutting import NOTE, result_text

ROWS = [{"tour": n, "note": "Ramp 4, bulky"} for n in range(400)]


def cut(value, longest):
    return json.loads(result_text(value, longest))


def test_a_list_loses_its_tail_and_what_stands_beside_it_stays():
    got = cut({"rows": ROWS, "total": 400, "unit": "tours"}, 2000)
    assert (got["total"], got["unit"]) == (400, "tours")
    assert got["rows"] == ROWS[: len(got["rows"])]
    assert 20 < len(got["rows"]) < 100
    assert got[NOTE] == [f"rows: {len(got['rows'])} of 400 entries"]


def test_a_list_stays_a_list_and_a_text_gets_an_object():
    got = cut(ROWS, 1000)
    assert got[0] == ROWS[0]
    assert list(got[-1]) == [NOTE]
    text = cut("x" * 5000, 1000)
    assert text["text"].startswith("xxx")
    assert text[NOTE] == [f"the result: {len(text['text']) - 1:,} of 5,000 characters"]


def test_long_texts_lose_their_ends_wherever_they_stand():
    got = cut({"a": ["kept", {"b": "é\n" * 2000}], "c": 1}, 500)
    assert got["c"] == 1
    assert got["a"][0] == "kept"


def test_the_room_is_shared_between_what_is_large():
    got = cut({"one": ["a" * 10] * 500, "two": ["b" * 10] * 500, "three": "c"}, 2000)
    assert abs(len(got["one"]) - len(got["two"])) <= 1
    assert got["three"] == "c"


def test_an_object_with_very_many_keys_loses_the_last_ones():
    got = cut({f"key{n}": n for n in range(5000)}, 1000)
    assert list(got)[:2] == ["key0", "key1"]
    assert "of 5,000 keys" in got[NOTE][0]


def test_a_first_entry_that_is_too_long_is_cut_itself():
    got = cut([{"text": "x" * 5000, "id": 7}], 500)
    assert got[0]["id"] == 7


def test_only_some_places_are_named():
    got = cut({f"k{n}": "x" * 1000 for n in range(20)}, 2000)
    assert len(got[NOTE]) == 6
    assert "more places" in got[NOTE][-1]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=60,
)


@given(values, st.integers(200, 900))
def test_what_is_left_is_json_and_no_longer_than_allowed(value, longest):
    whole = json.dumps(value, ensure_ascii=False)
    text = result_text(value, longest)
    got = json.loads(text)
    if len(whole) <= longest:
        assert text == whole
        return
    note = got.pop(NOTE) if isinstance(got, dict) else got.pop()
    assert note
    left = json.dumps(got, ensure_ascii=False)
    assert len(left) <= longest + 200


@pytest.mark.parametrize("value", [123456, None, True])
def test_short_values_are_never_cut(value):
    assert result_text(value, 3) == result_text(value, 100) or NOTE in result_text(value, 3)
