"""Faults that other chat clients had in public: each is a test here (tests/data/public-bugs).

Where the case's own expectation is not SPEC's, SPEC holds and the reason stands beside the test.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.unit.chat.conftest import PING, SEARCH, ChatBench, says
from tm.chat.cutting import result_text
from tm.chat.failures import refusal
from tm.http.retries import retry_after_s

LINES = (ROOT / "tests/data/public-bugs/chat.jsonl").read_text().splitlines()
CASES: dict[str, dict[str, Any]] = {row["id"]: row for row in map(json.loads, LINES)}
INVOICE = {
    "name": "get_invoice",
    "parameters": {"type": "object", "properties": {"invoice_id": {"type": "string"}}},
}
TESTED: set[str] = set()


def case(name: str) -> dict[str, Any]:
    found: dict[str, Any] = CASES[name]["input"]
    return found


def asked(bench: ChatBench, name: str) -> Any:
    """Ask with the answers of a case, then `done`; returns the transcript."""
    given = case(name)
    if tools := given.get("tools"):
        bench.declare(*(tool["function"] for tool in tools))
    answers = given.get("responses") or [given.get("chunks") or given["response"]]
    if isinstance(answers[0], list) and given.get("stream_end") == "[DONE]":
        answers = [[*answers[0], "[DONE]"]]
    return bench.ask(*answers, says("done"))


RUNS = {
    "chat-args-01": [{}],
    "chat-args-03": [{}],
    "chat-args-05": [{}],
    "chat-args-07": [{}],
    "chat-args-09": [{}],
    "chat-args-13": [{"query": "Graz"}],
    "chat-args-17": [{"limit": 14, "active": True}],
    "chat-args-19": [{"query": 'what is "AI" in C:\\tmp?'}],
    "chat-args-25": [{"query": "a"}, {"query": "c"}],
    "chat-args-29": [{"sheet_name": "1"}],
    "chat-protocol-01": [{"query": "a"}],
    "chat-protocol-05": [{"query": "a"}, {"query": "b"}],
    "chat-protocol-07": [{"query": "a"}, {"query": "b"}],
    "chat-protocol-09": [{"query": "a"}],
    "chat-protocol-17": [{"query": "a"}, {"query": "b"}],
    "chat-protocol-27": [{"query": "a"}],
    "chat-protocol-29": [{"query": "a"}, {"query": "b"}],
    "chat-stream-02": [{"query": "a"}],
    "chat-stream-04": [{"query": "London"}, {}],
    "chat-stream-06": [{"query": "x"}],
    "chat-stream-08": [{"invoice_id": "1"}],
    "chat-stream-10": [{"query": "a"}, {"query": "b"}],
    "chat-stream-14": [{"query": "a"}],
    "chat-fallback-02": [{"query": "install ollama models"}],
}
"""Case -> the arguments with which its tools run."""


@pytest.mark.parametrize("name", RUNS)
def test_calls_run_with_the_arguments_that_were_meant(bench, name):
    if name == "chat-stream-08":
        bench.declare(INVOICE)
    transcript = asked(bench, name)
    assert [run["args"] for run in transcript.runs if run["ok"]] == RUNS[name]
    assert transcript.answer in {"done", "ok"}
    for message in transcript.messages:
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
    ids = [call["id"] for m in transcript.messages for call in m.get("tool_calls", ())]
    results = [m["tool_call_id"] for m in transcript.messages if m["role"] == "tool"]
    assert results == ids
    assert len(set(ids)) == len(ids)


REFUSED = {
    "chat-args-15": "a list, not a JSON object",
    "chat-args-21": "cut off",
    "chat-args-23": "cut off",
    "chat-args-27": "limit",
    "chat-args-31": "limit",
    "chat-fallback-06": "cut off",
    "chat-protocol-21": "get_invoice",
    "chat-protocol-23": "there is no tool",
    "chat-protocol-25": "there is no tool",
}
"""Case -> what the model is told instead of a result; nothing runs."""


@pytest.mark.parametrize("name", REFUSED)
def test_what_can_not_run_is_told_to_the_model(bench, name):
    if name.startswith("chat-protocol"):
        given = [tool["function"] for tool in case(name).get("tools", ())]
        bench.declare(*(given or [INVOICE]))
    transcript = asked(bench, name)
    assert not [run for run in transcript.runs if run["ok"]]
    told = json.loads(bench.told()[0])
    assert REFUSED[name] in told["message"]
    assert told["success"] is False
    assert transcript.answer == "done"


SHOWN = {
    "chat-stream-16": "AB",
    "chat-fallback-04": '{"name": "Ada Lovelace", "arguments": {"x": 1}}',
    "chat-fallback-08": "[write_note(path='/srv/hello.md', content='# Hello, world!')]",
    "chat-fallback-10": '{\n "name": "WebSearch",\n '
    '"arguments": {"query": "repository structure"}\n}',
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_text_that_is_no_call_is_the_answer(bench, name):
    transcript = asked(bench, name)
    assert (transcript.answer, list(transcript.runs)) == (SHOWN[name], [])


ERRORS = {
    "chat-stream-12": "before the answer was complete",
    "chat-errors-10": r"Provider returned error: Too Many Requests (429)",
    "chat-errors-12": "its keys are id, object, output, choices",
}


@pytest.mark.parametrize("name", ERRORS)
def test_what_is_no_answer_is_an_error_in_words(bench, name):
    given = case(name)
    error = bench.ask(given.get("chunks") or given["response"])
    assert (error.code, ERRORS[name] in error.message) == ("TM519", True)
    assert "user_xyz" not in error.message


def test_chat_args_11_the_log_keeps_arguments_as_an_object(bench):
    asked(bench, "chat-args-11")
    assert bench.workspace.log.show(1).args == {"query": "Graz"}


def test_chat_protocol_03_nothing_usable_costs_one_more_request(bench):
    error = bench.ask(case("chat-protocol-03")["response"])
    assert (error.code, len(bench.model.requests)) == ("TM519", 2)
    assert "neither text nor" in error.message


def test_chat_protocol_11_an_empty_answer_is_in_no_later_request(bench):
    with bench.chat(case("chat-protocol-11")["responses"][0]) as chat:
        with pytest.raises(Exception, match="neither text nor"):
            chat.ask("first")
        chat._given_model.answers = [says("yes")]
        chat.ask("again?")
    messages = bench.model.requests[-1]["messages"]
    assert [m["role"] for m in messages] == ["system", "user"]


@pytest.mark.parametrize("name", ["chat-protocol-13", "chat-protocol-15"])
def test_empty_text_beside_calls_is_null(bench, name):
    # `assistant_content: omit` is no setting of SPEC: null is what the protocol itself has.
    asked(bench, name)
    [message] = [m for m in bench.model.requests[-1]["messages"] if m.get("tool_calls")]
    assert message["content"] is None


def test_chat_protocol_19_history_is_never_cut_between_a_call_and_its_result(bench):
    # SPEC has no limit of the history; a question that has no answer is left out whole.
    with bench.chat(*case("chat-protocol-07")["responses"][:2], RuntimeError()) as chat:
        with pytest.raises(RuntimeError):
            chat.ask("first")
        chat._given_model.answers = [says("yes")]
        chat.ask("second")
    assert [m["role"] for m in bench.model.requests[-1]["messages"]] == ["system", "user"]


@pytest.mark.parametrize("name", ["chat-loop-01", "chat-loop-05"])
def test_a_model_that_calls_for_ever_is_stopped(bench, name):
    # SPEC counts rounds, not requests, and ends them at the fifth equal call.
    given = case(name)
    bench.declare(*(tool["function"] for tool in given["tools"]), max_tool_rounds=20)
    error = bench.ask(given["first_response"])
    assert error.code == "TM519"
    assert len(bench.model.requests) == 6
    assert "tools" not in bench.model.requests[-1]
    assert bench.workspace.log.show(3) is None


def test_chat_loop_03_the_order_of_keys_does_not_count(bench):
    given = case("chat-loop-03")
    bench.declare(given["tools"][0]["function"])
    bench.ask(*given["responses"], given["responses"][0], says("done"))
    assert "the same call" in json.loads(bench.told()[2])["message"]


def test_chat_loop_07_two_calls_in_turn_end_too(bench):
    from tests.unit.chat.conftest import calls

    pair = [calls(("ping", {})), calls(("search", {"query": "a"}))]
    transcript = bench.ask(*pair, *pair, *pair, *pair, says("done"))
    assert (transcript.answer, len(transcript.runs)) == ("done", 4)
    # SPEC's default of eight rounds is reached before the fifth ping.
    assert transcript.rounds == 8


def test_chat_request_02_the_last_request_has_no_tools_key(bench):
    bench.declare(SEARCH, max_tool_rounds=0)
    bench.ask(says("x"))
    assert "tools" not in bench.model.requests[0]


@pytest.mark.parametrize(
    ("result", "text"),
    [(None, "null"), (True, "true"), (3.5, "3.5"), ({"a": 1}, '{"a": 1}'), ("text", '"text"')],
)
def test_chat_request_12_every_result_is_text(result, text):
    # A text is JSON text too (SPEC 8: "the result as JSON text"), so it keeps its quotes.
    assert result_text(result, 100) == text


@pytest.mark.parametrize("name", ["chat-request-08", "chat-request-10"])
def test_objects_and_lists_are_sent_as_json_text(name):
    value = case(name).get("tool_result") or case(name)["files"]
    assert json.loads(result_text(value, 1000)) == value


def test_chat_request_04_many_tools_are_sent_and_the_refusal_is_shown(bench):
    # `tm lint` knows token_budget (TM406), not a provider's number of tools.
    bench.declare(*({**PING, "name": f"t{n:03}"} for n in range(150)))
    words = "Invalid 'tools': array too long. Expected an array with maximum length 128"
    bench.ask(refusal(400, {"error": {"message": words}}, ""), says("plain answer"))
    assert len(bench.model.requests[0]["tools"]) == 150
    # It names tools, so that it counts as a rejection: the plan is asked for (SPEC 8).
    assert "tools" not in bench.model.requests[1]


def test_chat_request_06_names_that_providers_refuse_are_lints_business():
    # SPEC's TM115 allows [A-Za-z0-9_-]{1,64}: a digit may come first.
    from tm.schema.function_tool import exported_name

    assert len(exported_name(case("chat-request-06")["tool_names"][1])) == 64


@pytest.mark.parametrize("name", ["chat-request-14", "chat-errors-06"])
def test_a_refusal_is_told_in_the_servers_words(name):
    # tm sends no tool_choice; with `tools` in its words a 4xx is a rejection of tools (SPEC 8).
    server = case(name)["server"]
    error = refusal(server["status"], server["body"], json.dumps(server["body"]))
    assert server["body"]["error"]["message"] in error.message
    assert not error.may_retry
    assert error.rejects_tools is (name == "chat-request-14")


@pytest.mark.parametrize(("name", "wait_s"), [("chat-errors-02", None), ("chat-errors-04", 0.0)])
def test_a_retry_after_that_means_nothing_is_no_wait_of_its_own(name, wait_s):
    header = case(name)["server"][0]["headers"]["Retry-After"]
    assert retry_after_s(header, 1.8e9) == wait_s


def test_chat_errors_08_the_limit_itself_stays_whole():
    cap = case("chat-errors-08")["cap"]
    whole = "x" * (cap - 2)  # two quotes come on top
    assert result_text(whole, cap) == json.dumps(whole)
    assert "_truncated" in result_text(f"{whole}x", cap)


def test_raw_streams_are_tested_with_the_server():
    """The cases that are bytes on a wire: tests/unit/chat/test_server.py reads them."""
    assert {"chat-stream-18", "chat-stream-20", "chat-stream-22"} <= CASES.keys()


def test_every_case_is_a_test():
    text = (ROOT / "tests/unit/chat/test_public_bugs.py").read_text()
    listed = {*RUNS, *REFUSED, *SHOWN, *ERRORS}
    missing = [
        name for name in CASES
        if name not in listed and name not in text and name.replace("-", "_") not in text
    ]  # fmt: skip
    assert missing == []
