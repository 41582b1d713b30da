"""The loop: rounds, failures, repeats, the plan, and what is told on the way."""

from __future__ import annotations

import json

import pytest

from tests.conftest import write_tree
from tests.unit.chat.conftest import PING, SEARCH, calls, says
from tm.chat.events import CallBegan, CallEnded, Noted, TextEnded, TextShown
from tm.chat.failures import refusal
from tm.chat.repeats import Repeats

A = ("search", {"query": "a"})
NO_TOOLS = refusal(400, {"error": {"message": "m does not support tools"}}, "")


def failures(bench):
    return [json.loads(content) for content in bench.told()]


def test_a_call_and_an_answer(bench):
    transcript = bench.ask(calls(A, text="Let me see."), says("Found."))
    assert transcript.to_json()["answer"] == "Found."
    assert (transcript.rounds, transcript.protocol) == (1, "tools")
    assert transcript.usage == {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}
    assert [m["role"] for m in transcript.messages] == [
        "system", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    kinds = [
        type(e)
        for e in bench.events
        if isinstance(e, TextShown | TextEnded | CallBegan | CallEnded)
    ]
    assert kinds == [TextShown, TextEnded, CallBegan, CallEnded, TextShown, TextEnded]
    assert [e.is_answer for e in bench.events if isinstance(e, TextEnded)] == [False, True]
    row = bench.workspace.log.show(1)
    assert (row.entry_type, row.assistant, row.chat_id is not None) == ("chat", "desk", True)


def test_settings_of_the_assistant_go_along_and_an_empty_prompt_does_not(bench):
    bench.declare(temperature=0.5, max_tokens=10, system_prompt="")
    bench.ask(says("Hi"))
    assert bench.model.requests == [
        {"model": "m", "temperature": 0.5, "max_tokens": 10,
         "messages": [{"role": "user", "content": "Hello?"}]}
    ]  # fmt: skip


def test_unknown_and_unlisted_tools_are_told_with_the_assistants_own_names(bench):
    bench.declare(SEARCH, PING, tools=["search"])
    transcript = bench.ask(calls(("serch", {}), ("ping", {}), ("", {})), says("ok"))
    assert [f["code"] for f in failures(bench)] == ["TM502"] * 3
    assert "did you mean 'search'" in failures(bench)[0]["message"]
    assert failures(bench)[1]["message"].endswith("there are: search")
    assert (list(transcript.runs), list(transcript.calls)) == ([], ["serch", "ping", ""])


def test_a_failing_call_among_others_is_told_in_its_place(bench):
    bench.ask(calls(A, ("search", {}), ("search", "[1]"), ("search", '{"query": "b')), says("ok"))
    first, *rest = failures(bench)
    assert first["ok"] is True
    assert [(f["code"], f["retryable"]) for f in rest] == [("TM501", True)] * 3


def test_a_tool_whose_file_is_broken_is_missing_and_the_chat_goes_on(bench):
    write_tree(bench.root, {"tenants/acme/broken.yaml": "tools:\n  bad: {description: x, api: ["})
    bench.declare(SEARCH, tools=["search", "bad"])
    assert bench.ask(says("Hi")).answer == "Hi"
    assert any(isinstance(e, Noted) and "'bad' is missing" in e.text for e in bench.events)
    assert [t["function"]["name"] for t in bench.model.requests[0]["tools"]] == ["search"]


def test_rounds_end_with_a_request_without_tools(bench):
    bench.declare(SEARCH, max_tool_rounds=2)
    answers = [calls(("search", {"query": str(n)})) for n in range(2)]
    transcript = bench.ask(*answers, calls(A, text="Enough."))
    assert (transcript.rounds, transcript.answer) == (2, "Enough.")
    assert "tools" not in bench.model.requests[2]
    assert "tool_calls" not in transcript.messages[-1]


def test_the_third_equal_call_is_not_run_and_the_fifth_ends_the_rounds(bench):
    bench.declare(SEARCH, max_tool_rounds=20)
    transcript = bench.ask(*[calls(A)] * 5, says("Once and for all."))
    assert (len(transcript.runs), len(transcript.calls)) == (2, 5)
    assert transcript.answer == "Once and for all."
    assert "the same call" in failures(bench)[2]["message"]
    assert "tools" not in bench.model.requests[5]


def test_equal_calls_of_one_answer_count_too(bench):
    transcript = bench.ask(calls(A, A, A), says("ok"))
    assert len(transcript.runs) == 2


def test_a_call_whose_result_changes_is_run_again():
    repeats = Repeats()
    from tm.chat.calls import make_call

    call = make_call("state", "{}")
    for result in ('"new"', '"busy"', '"busy"'):
        assert not repeats.is_known(call)
        repeats.note_result(call, result)
    assert repeats.is_known(call)


def test_an_answer_without_words_or_calls_is_asked_for_as_a_plan_once(bench):
    plan = says('{"action": {"name": "none", "args": {}}, "reply": "From 8 to 5."}')
    transcript = bench.ask(says(""), plan)
    assert (transcript.answer, transcript.protocol) == ("From 8 to 5.", "json-plan")


def test_an_answer_without_words_after_a_call_gets_one_more_request(bench):
    assert bench.ask(calls(A), says(""), says("Done.")).answer == "Done."
    assert "after 1 rounds" in bench.ask(calls(A), says("")).message


def test_a_server_that_rejects_tools_gets_the_plan_and_is_not_asked_again(bench):
    plan = says('```json\n{"action": {"name": "search", "args": {"query": "a"}}, "reply": ""}\n```')
    with bench.chat(NO_TOOLS, plan, says("Found.")) as chat:
        first = chat.ask("one")
        chat._given_model.answers += [says('{"action": {"name": "none"}, "reply": "Bye"}')]
        assert chat.ask("two").answer == "Bye"
    assert (first.answer, first.protocol, first.rounds) == ("Found.", "json-plan", 1)
    assert first.runs[0]["args"] == {"query": "a"}
    second, third, fourth = bench.model.requests[1:]
    assert "search" in second["messages"][0]["content"]
    assert [m["role"] for m in third["messages"]] == ["system", "user", "assistant", "user"]
    assert "Result of search" in third["messages"][-1]["content"]
    assert "tools" not in fourth
    assert all("tool_calls" not in m for m in fourth["messages"])


def test_with_protocol_tools_a_rejection_is_an_error(bench):
    assert bench.ask(NO_TOOLS, choice="tools").code == "TM519"


def test_a_rejection_in_a_later_round_is_an_error(bench):
    assert bench.ask(calls(A), NO_TOOLS).code == "TM519"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"action": {"name": "none", "args": {}}, "reply": "Hi"}', "Hi"),
        ('Sure: {"action": {"name": "none"}, "reply": "Hi"} ok?', "Hi"),
        ("{'action': {'name': 'None'}, 'reply': 'Hi',}", "Hi"),
        ('{"action": "none", "reply": "Hi"}', "Hi"),
        ('{"reply": "Hi"}', "Hi"),
        ("Just words.", "Just words."),
        ("Words with {braces} in them.", "Words with {braces} in them."),
    ],
)
def test_a_plan_without_a_tool_is_an_answer(bench, text, answer):
    transcript = bench.ask(says(text), choice="json-plan")
    assert (transcript.answer, list(transcript.runs)) == (answer, [])
    assert len(bench.model.requests) == 1


@pytest.mark.parametrize("text", ["", '{"action": {"name": "search", "args": {"query": "a'])
def test_a_plan_that_is_empty_or_cut_off_is_an_error_and_never_run(bench, text):
    assert bench.ask(says(text), choice="json-plan").code == "TM519"


def test_a_plan_with_an_unknown_tool_gets_the_failure_in_its_last_request(bench):
    plan = says('{"action": {"name": "serch", "args": {"query": "a"}}, "reply": ""}')
    transcript = bench.ask(plan, says("I can't."), choice="json-plan")
    assert transcript.answer == "I can't."
    assert "TM502" in bench.model.requests[1]["messages"][-1]["content"]


def test_a_plan_may_come_as_a_proper_call_and_may_name_the_action_alone(bench):
    assert bench.ask(calls(A), says("ok"), choice="json-plan").runs[0]["ok"]
    flat = says('{"action": "search", "args": {"query": "b"}}')
    assert bench.ask(flat, says("ok"), choice="json-plan").runs[0]["args"] == {"query": "b"}


def test_a_plan_is_followed_by_words_or_by_an_error(bench):
    plan = says('{"action": {"name": "search", "args": {"query": "a"}}, "reply": ""}')
    assert "no text after its plan" in bench.ask(plan, says(""), choice="json-plan").message


def test_an_answer_that_its_limit_cut_off_is_told(bench):
    assert bench.ask(says("Half an ans", finish_reason="length")).answer == "Half an ans"
    assert any(isinstance(e, Noted) and "cut off" in e.text for e in bench.events)


def test_confirm_asks_before_what_may_write_and_no_is_told(bench):
    pay = {"description": "Pay.", "api": "erp", "method": "POST", "path": "/p"}
    writer = {"tools": {"pay": pay}, "apis": {"erp": {"base_url": "http://127.0.0.1:9"}}}
    write_tree(bench.root, {"tenants/acme/pay.yaml": json.dumps(writer)})
    bench.declare(SEARCH, tools=["search", "pay"])
    asked = []

    def no(tool, args):
        asked.append((tool, args))
        return False

    bench.ask(calls(A, ("pay", {})), says("ok"), confirm=no)
    assert asked == [("pay", {})]
    assert failures(bench)[1]["code"] == "TM517"


@pytest.mark.parametrize(
    ("body", "asks"),
    [
        ('ctx["http"].get("/x")', False),
        ('ctx["http"].post("/x")', True),
        ("ctx['tool'](args['name'], {})", True),
        ('ctx["tool"]("ping", {})', False),
        ('ctx["tool"]("writeFile", {})', True),
        ('ctx["tool"]("gone", {})', True),
    ],
)
def test_confirm_looks_at_what_a_handler_does(bench, body, asks):
    source = f'def work(results, args, ctx):\n    ctx["logger"].info("x")\n    return {body}\n'
    tool = {"tools": {"deed": {"description": "Do.", "handler": "deed.py:work"}}}
    write_tree(
        bench.root, {"tenants/acme/deed.py": source, "tenants/acme/d.yaml": json.dumps(tool)}
    )
    bench.declare(PING, tools=["ping", "deed"])
    asked = []
    bench.ask(calls(("deed", {})), says("ok"), confirm=lambda *words: asked.append(words) or False)
    assert bool(asked) is asks
