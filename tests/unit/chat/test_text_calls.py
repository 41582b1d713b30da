"""Calls that a model writes into its text, and text that is held back because it may be one."""

from __future__ import annotations

import pytest

from tm.chat.completion import Completion
from tm.chat.text_calls import HeldText, with_text_calls

NAMES = {"search", "write_note"}

FOUND = [
    ('<tool_call>\n{"name": "search", "arguments": {"q": "a"}}\n</tool_call>', "",
     [("search", {"q": "a"})]),
    ('One moment.\n<tool_call>{"name": "search", "arguments": {}}', "One moment.",
     [("search", {})]),
    ('<tool_call>{"name": "serch", "arguments": {}}</tool_call>', "", [("serch", {})]),
    ('```json\n{"name": "search", "parameters": {"q": "a"}}\n```', "", [("search", {"q": "a"})]),
    ('I look.\n```\n{"name": "search", "arguments": "{\\"q\\": 1}"}\n```\nWait.',
     "I look.\n\nWait.", [("search", {"q": 1})]),
    ('{"name": "search", "arguments": {"q": "a"}}', "", [("search", {"q": "a"})]),
    ("{'name': 'search', 'arguments': {'q': True}}", "", [("search", {"q": True})]),
    ('[{"name": "search", "arguments": {}}, {"name": "write_note", "arguments": {"a": 1}}]', "",
     [("search", {}), ("write_note", {"a": 1})]),
    ('{"name": "search", "arguments": {}}\n{"name": "search", "arguments": {"q": 2}}', "",
     [("search", {}), ("search", {"q": 2})]),
    ('{"type": "function", "function": {"name": "search", "arguments": "{}"}}', "",
     [("search", {})]),
    ('{"name": "functions.search", "arguments": {}}', "", [("search", {})]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "left", "calls"), FOUND)
def test_a_call_in_the_text_is_a_call(text, left, calls):
    completion = with_text_calls(Completion(text, finish_reason="stop"), NAMES)
    assert [(call.name, call.args) for call in completion.calls] == calls
    assert completion.text == left


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Ada Lovelace", "arguments": {"x": 1}}',
        '{"name": "WebSearch", "arguments": {"q": "x"}}',
        '{"name": "search"}',
        'Write {"name": "search", "arguments": {}} to search.',
        '{"name": "search", "arguments": {}} is an example.',
        "[write_note(path='/srv/x', content='# Hello, world!')]",
        '```json\n{"name": "search", "argu',
        '{"name": "search", "argu',
        "[1, 2]",
        "[]",
        "Plain words.",
        "```python\nprint(1)\n```",
    ],
)
def test_what_is_no_call_stays_text(text):
    completion = Completion(text)
    assert with_text_calls(completion, NAMES) == completion


def test_proper_calls_and_assistants_without_tools_are_left_alone():
    text = '{"name": "search", "arguments": {}}'
    assert with_text_calls(Completion(text), set()).calls == ()
    proper = with_text_calls(Completion(text), NAMES).calls
    assert with_text_calls(Completion(text, proper), NAMES).text == text


def test_tags_of_an_answer_that_was_cut_off_are_not_run_and_not_shown():
    text = (
        '<tool_call>\n{"name":"search","arguments":{"q":"a"}}\n</tool_call>\n'
        '<tool_call>\n{"name":"search","argum'
    )
    completion = with_text_calls(Completion(text, finish_reason="length"), NAMES)
    assert completion.text == ""
    assert [(call.name, call.args) for call in completion.calls] == [("search", None)] * 2
    assert all("cut off" in str(call.fault) for call in completion.calls)


def held(*pieces, whole=None, active=True):
    shown: list[str] = []
    text = HeldText(shown.append, is_active=active)
    for part in pieces:
        text.feed(part)
    before_end = "".join(shown)
    text.end("".join(pieces) if whole is None else whole)
    return before_end, "".join(shown)


@pytest.mark.parametrize(
    ("pieces", "whole", "before", "after"),
    [
        (["Hal", "lo"], None, "Hallo", "Hallo"),
        (["Look. <tool", '_call>{"name"'], "Look.", "Look. ", "Look. "),
        (['{"name": "search"', "}"], "", "", ""),
        (["a < b"], None, "a < b", "a < b"),
        (["x <"], None, "x ", "x <"),
        (["Code:\n``", "`py\n1\n```\nEnd"], None, "Code:\n```py\n1\n```\nEnd", None),
        (["{not a call}"], None, "{not a call}", None),
        (["[a link]", "(x)\nmore"], None, "[a link](x)\nmore", None),
        (['```json\n{"name"', ': "Ada"}\n```'], None, "", '```json\n{"name": "Ada"}\n```'),
    ],
)
def test_what_may_be_a_call_is_held_back_until_it_is_known(pieces, whole, before, after):
    assert held(*pieces, whole=whole) == (before, before if after is None else after)


def test_without_tools_nothing_is_held_back():
    assert held('{"name"', active=False) == ('{"name"', '{"name"')


def test_what_follows_a_call_in_the_text_is_shown_too():
    text = 'I look.\n```json\n{"name": "search", "arguments": {}}\n```\nWait.'
    whole = with_text_calls(Completion(text), NAMES).text
    assert held(text, whole=whole) == ("I look.", "I look.\n\nWait.")


def test_text_that_turned_out_to_be_another_one_is_not_repeated():
    assert held("\nLook.", whole="Look.") == ("\nLook.", "\nLook.")
