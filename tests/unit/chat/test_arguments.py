"""Arguments as servers really send them."""

from __future__ import annotations

import pytest

from tm.chat.arguments import arguments_text, read_arguments, unfenced
from tm.chat.lenient import UnreadableError, read_lenient
from tm.errors import ToolError

READ = [
    ('{"q": "Graz"}', {"q": "Graz"}),
    ("", {}),
    (" \n", {}),
    (None, {}),
    ("null", {}),
    ('"null"', {}),
    ('""', {}),
    ({"q": 1}, {"q": 1}),
    ('"{\\"q\\": \\"a \\\\\\"b\\\\\\"\\"}"', {"q": 'a "b"'}),
    ('```json\n{"q": "`x`"}\n```', {"q": "`x`"}),
    ('```\n{"q": 1}', {"q": 1}),
    ('{"q": [1, 2,],}', {"q": [1, 2]}),
    ("{'limit': 14, 'active': True, 'x': None, 'y': False}",
     {"limit": 14, "active": True, "x": None, "y": False}),
    ('{"a": True, "b": null, \'c\': "it\'s"}', {"a": True, "b": None, "c": "it's"}),
    ("{'a': 'it\\'s \\x41 \\n \\u00fc'}", {"a": "it's A \n ü"}),
    ("{'a': '\\ud83d\\ude00'}", {"a": "😀"}),
    ('{"a": "two\nlines"}', {"a": "two\nlines"}),
    ('{"a": -1.5e3, "b": 0}', {"a": -1500.0, "b": 0}),
    ('\ufeff{"a": 1}', {"a": 1}),
    ("{}", {}),
    ("{'a': {}, 'b': [],}", {"a": {}, "b": []}),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "args"), READ)
def test_arguments_are_read(raw, args):
    assert read_arguments(raw) == args


@pytest.mark.parametrize(
    "raw",
    [
        '{"query": "gra',
        '{"query": ',
        '{"query"',
        '{"commands": ["npm install", "npm test"',
        '{"a": tr',
        "{'a': 'b",
        '{"a": 1,',
        '```json\n{"a": ',
        '"{\\"a\\": "',
        "{",
    ],
)
def test_what_stops_in_the_middle_is_cut_off_and_never_completed(raw):
    with pytest.raises(ToolError, match="cut off") as failure:
        read_arguments(raw)
    assert failure.value.code == "TM501"


def test_an_answer_that_its_length_ended_gives_no_arguments():
    with pytest.raises(ToolError, match="cut off"):
        read_arguments('{"a": 1}', is_cut=True)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ('["Graz"]', "a list, not a JSON object"),
        ("7", "a number"),
        ("true", "true or false"),
        ('"\\"x\\""', "a text"),
        ("Graz", "no JSON"),
        ('{"a": 1}{"b": 2}', "something stands behind"),
        ('{"a": 1} please', "something stands behind"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ("{'a': 1, 'a': 2}", "stands twice"),
        ('{"a": NaN}', "NaN is no JSON"),
        ("{'a': -}", "a number can't be read"),
        ("{'a': 1e999}", "too large"),
        ("{'a' 1}", "':' is missing"),
        ("{'a': 1 'b': 2}", "',' is missing"),
        ("{a: 1}", "a key in quotes is missing"),
        ("[" * 200 + "]" * 200 + "x", "nested too deep"),
    ],
)
def test_what_is_no_object_is_told_and_not_guessed(raw, why):
    with pytest.raises(ToolError, match=why) as failure:
        read_arguments(raw)
    assert failure.value.code == "TM501"


def test_very_deep_text_is_no_crash():
    with pytest.raises(UnreadableError, match="nested too deep"):
        read_lenient("[" * 100_000)


@pytest.mark.parametrize(
    ("raw", "args", "text"),
    [
        ('{"b":1,  "a":2}', {"b": 1, "a": 2}, '{"b":1,  "a":2}'),
        ("{'a': True}", {"a": True}, '{"a": true}'),
        ("", {}, "{}"),
        ({"a": "ü"}, {"a": "ü"}, '{"a": "ü"}'),
        ('{"a": "b', None, "{}"),
    ],
)
def test_arguments_go_back_as_the_text_of_an_object(raw, args, text):
    assert arguments_text(raw, args) == text


def test_a_fence_is_taken_off_and_other_text_stays():
    assert unfenced("```\nx\n```") == "x"
    assert unfenced(" a ``` b ") == "a ``` b"
