"""Completions, whole and in chunks, as servers really send them."""

from __future__ import annotations

import itertools

import pytest

from tm.chat.calls import fresh_id, make_call, read_calls, with_ids
from tm.chat.completion import read_completion, text_of
from tm.chat.deltas import Deltas, joined_chunks
from tm.chat.failures import ServerError
from tm.errors import ChatError


def message(**fields):
    return {"choices": [{"message": {"role": "assistant", **fields}, "finish_reason": "stop"}]}


def entry(name="search", arguments='{"q": "a"}', **fields):
    return {"function": {"name": name, "arguments": arguments}, **fields}


def piece(*calls, reason=None, **delta):
    if calls:
        delta["tool_calls"] = list(calls)
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def joined(*chunks):
    return joined_chunks([*chunks, piece(reason="tool_calls")], on_text=lambda _: None)


def test_calls_count_whatever_the_finish_reason_says():
    completion = read_completion(message(content=None, tool_calls=[entry(id="c1")]))
    assert [(call.id, call.name, call.args) for call in completion.calls] == [
        ("c1", "search", {"q": "a"})
    ]


def test_an_answer_goes_back_as_it_came():
    call = entry(id="c1", type="function", extra_content={"google": {"thought_signature": "E=="}})
    body = message(content="", tool_calls=[call], reasoning_content="r\n 1")
    assert read_completion(body).to_message() == {
        "role": "assistant",
        "content": None,
        "reasoning_content": "r\n 1",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "search", "arguments": '{"q": "a"}'},
                "extra_content": {"google": {"thought_signature": "E=="}},
            }
        ],
    }


def test_text_in_parts_is_joined():
    parts = [{"type": "text", "text": "A"}, {"type": "image"}, "x", {"text": "B"}]
    assert text_of(parts) == "AB"
    assert text_of(None) == ""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"choices": None, "error": {"message": "Provider returned error", "code": 429,
          "metadata": {"raw": "Too Many Requests"}}},
         r"Provider returned error: Too Many Requests \(429\)"),
        ({"error": "model not loaded"}, "model not loaded"),
        ({"id": "r1", "object": "response", "output": [], "choices": None},
         "not a chat completion: its keys are id, object, output, choices"),
        ({"choices": []}, "`choices` is empty"),
        ({}, "its keys are none"),
        ([1], "not a chat completion"),
        ({"choices": [{"text": "old"}]}, "not a chat completion"),
        (None, "not a chat completion"),
    ],
)  # fmt: skip
def test_what_is_no_completion_is_told_with_what_came(body, words):
    with pytest.raises(ChatError, match=words) as failure:
        read_completion(body)
    assert failure.value.code == "TM519"


def test_names_lose_one_prefix_and_nothing_else_is_guessed():
    names = ["functions.search", "default_api:search", "searchsearch", None, 7]
    assert [make_call(name, "{}").name for name in names] == [
        "search", "default_api:search", "searchsearch", "", "",
    ]  # fmt: skip


def test_a_name_that_servers_refuse_goes_back_in_letters_that_they_take():
    assert make_call("default_api:x", "{}").to_json()["function"]["name"] == "default_api_x"
    assert make_call("", "{}").to_json()["function"]["name"] == "unknown"


def test_calls_without_a_function_object_and_entries_that_are_none():
    calls = read_calls([{"name": "search", "arguments": {"q": 1}}, None, "x"])
    assert [(call.name, call.args) for call in calls] == [("search", {"q": 1})]
    assert read_calls({"name": "search"}) == []


def test_missing_and_repeated_ids_get_fresh_ones():
    numbers = itertools.count(1)
    calls = read_calls([entry(), entry(id=""), entry(id="a"), entry(id="a"), entry(id="old")])
    given = with_ids(calls, {"old", "n1"}, lambda: f"n{next(numbers)}")
    assert [call.id for call in given] == ["n2", "n3", "a", "n4", "n5"]


def test_a_fresh_id_has_the_form_that_every_server_takes():
    assert fresh_id().isalnum()
    assert len(fresh_id()) == 9


STREAMS = {
    "by index, interleaved": (
        [piece(entry("a", "", index=0, id="x")), piece(entry("b", '{"n"', index=1, id="y")),
         piece({"index": 0, "function": {"arguments": '{"m": 1}'}}),
         piece({"index": 1, "function": {"arguments": ": 2}"}})],
        [("x", "a", {"m": 1}), ("y", "b", {"n": 2})],
    ),
    "neither index nor id follows": (
        [piece(entry("search", '{"que', id="c1")), piece({"function": {"arguments": 'ry":"a"}'}})],
        [("c1", "search", {"query": "a"})],
    ),
    "every index is 0": (
        [piece(entry("search", '{"q":"L"}', index=0, id="c1"),
               entry("ping", "{}", index=0, id="c2"))],
        [("c1", "search", {"q": "L"}), ("c2", "ping", {})],
    ),
    "index begins at 1": (
        [piece(entry("search", "", index=1, id="t")),
         piece({"index": 1, "function": {"arguments": '{"q":"x"}'}})],
        [("t", "search", {"q": "x"})],
    ),
    "name in pieces": (
        [piece(entry("get_inv", "", index=0, id="c1")), piece(entry("oice", "{}", index=0))],
        [("c1", "get_invoice", {})],
    ),
    "name repeated": (
        [piece(entry("ping", "", index=0, id="c1")), piece(entry("ping", "{}", index=0, id="c1"))],
        [("c1", "ping", {})],
    ),
    "first without index": (
        [piece(entry("s", '{"q":1}', id="c1")), piece(entry("s", '{"q":2}', id="c2", index=1))],
        [("c1", "s", {"q": 1}), ("c2", "s", {"q": 2})],
    ),
    "by id": (
        [piece(entry("s", '{"q"', id="c1")), piece(entry("t", "", id="c2")),
         piece({"id": "c1", "function": {"arguments": ":1}"}}),
         piece({"id": "c2", "function": {"arguments": "{}"}})],
        [("c1", "s", {"q": 1}), ("c2", "t", {})],
    ),
    "a name begins a call": (
        [piece(entry("s", "{}")), piece(entry("t", "{}"))],
        [("", "s", {}), ("", "t", {})],
    ),
    "an object instead of text": (
        [piece(entry("s", {"q": 1}, index=0, id="c1"))], [("c1", "s", {"q": 1})],
    ),
    "id comes later": (
        [piece(entry("s", None, index=0)),
         piece({"index": 0, "id": "c1", "function": {"arguments": "{}"}})],
        [("c1", "s", {})],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STREAMS)
def test_pieces_of_calls_are_put_together(name):
    chunks, calls = STREAMS[name]
    completion = joined(*chunks)
    assert [(call.id, call.name, call.args) for call in completion.calls] == calls


def test_text_reasoning_counts_and_odd_chunks():
    shown: list[str] = []
    completion = joined_chunks(
        [
            {"choices": [], "prompt_filter_results": []},
            piece(content="A", reasoning_content="r1 "),
            {"id": "", "choices": [{"index": 0, "finish_reason": None}]},
            "noise",
            piece(content="B", reasoning_content="r2", reasoning_details=[{"t": 1}]),
            {"choices": [{"index": 1, "delta": {"content": "other"}}]},
            piece(reason="stop"),
            {"choices": [], "usage": {"total_tokens": 9, "details": {"x": 1}}},
        ],
        on_text=shown.append,
    )
    assert (completion.text, shown) == ("AB", ["A", "B"])
    assert completion.kept == {"reasoning_content": "r1 r2", "reasoning_details": [{"t": 1}]}
    assert completion.usage == {"total_tokens": 9}


def test_done_ends_a_stream_without_a_finish_reason():
    assert joined_chunks([piece(content="x"), "[DONE]"], on_text=lambda _: None).text == "x"


@pytest.mark.parametrize(("text", "may_retry"), [("", True), ("x", False)])
def test_a_stream_that_just_ends_was_cut(text, may_retry):
    with pytest.raises(ServerError, match="before the answer was complete") as failure:
        joined_chunks([piece(content=text)], on_text=lambda _: None)
    assert failure.value.may_retry is may_retry


def test_an_error_inside_a_stream_is_told():
    with pytest.raises(ServerError, match=r"upstream overloaded \(503\)"):
        Deltas().feed({"error": {"message": "upstream overloaded", "code": 503}})


def test_pieces_that_are_none_are_passed_over():
    completion = joined(piece("x", entry("s", "{}", index=0, id="c1", extra_content={"k": 1})))
    assert [call.extra for call in completion.calls] == [{"extra_content": {"k": 1}}]
