"""`tm chat` against real model servers: one that really calls tools, and one with faults."""

from __future__ import annotations

import json

import httpx
import pytest

ASSISTANT = """
assistants:
  desk:
    system_prompt: You help customers of a shop.
    model: smollm2
    provider: real
    tools: [getInvoice]
    max_tool_rounds: 1
settings:
  providers:
    real: {base_url: "BASE/v1", stream: STREAM}
"""


def desk(demo, base, *, stream=True):
    """Let the demo tenant have an assistant at a server."""
    text = ASSISTANT.replace("BASE", base).replace("STREAM", str(stream).lower())
    (demo / "tenants/demo/desk.yaml").write_text(text)


@pytest.mark.parametrize("stream", [True, False])
def test_a_small_model_calls_the_right_tool_and_answers_in_words(tm_command, demo, llama, stream):
    desk(demo, llama.removesuffix("/v1"), stream=stream)
    words = ("-m", "Show me the invoice INV-2026-001.", "-t", "demo", "--json")
    done = tm_command("chat", "-a", "desk", *words, cwd=demo, timeout_s=120)
    assert done.code == 0, done.output
    transcript = done.json
    [run] = transcript["runs"]
    assert (run["tool"], run["args"], run["ok"]) == ("getInvoice", {"id": "INV-2026-001"}, True)
    assert run["result"]["invoice"] == "INV-2026-001"
    assert transcript["protocol"] == "tools"
    assert transcript["answer"].strip()
    assert not transcript["answer"].lstrip().startswith(("{", "<tool_call>"))


def scenario(address, **fields):
    """Let llmock play a fault."""
    httpx.post(f"{address}/_llmock/scenario", json=fields, timeout=10).raise_for_status()


CALL = {
    "type": "reply",
    "tool_calls": [{"name": "getInvoice", "arguments": {"id": "INV-2026-001"}}],
}
WORDS = {"type": "reply", "text": "It is paid.", "finish_reason": "stop"}


@pytest.fixture
def ask(tm_command, demo, llmock):
    """Return a function that lets llmock behave in some ways, and asks once."""
    desk(demo, llmock)

    def run(*behaviors):
        scenario(llmock, behaviors=list(behaviors))
        words = ("chat", "-a", "desk", "-m", "Is it paid?", "-t", "demo", "--json")
        return tm_command(*words, cwd=demo, timeout_s=60)

    return run


def test_a_streamed_call_and_an_answer(ask):
    transcript = ask(CALL, WORDS).json
    assert transcript["answer"] == "It is paid."
    assert [(run["tool"], run["ok"]) for run in transcript["runs"]] == [("getInvoice", True)]


@pytest.mark.parametrize(
    ("kind", "code"), [("malformed_arguments", "TM501"), ("unknown_tool", "TM502")]
)
def test_a_broken_call_is_told_to_the_model(ask, kind, code):
    transcript = ask({"type": "tool_fault", "kind": kind}, CALL, WORDS).json
    told = [m["content"] for m in transcript["messages"] if m["role"] == "tool"]
    assert json.loads(told[0])["code"] == code
    assert transcript["answer"]
    assert not [run for run in transcript["runs"] if run["ok"]]


def test_a_429_with_retry_after_is_waited_out(ask):
    done = ask({"type": "fail", "status": 429, "retry_after": 1}, WORDS)
    assert (done.code, done.json["answer"]) == (0, "It is paid.")


def test_a_stream_that_is_cut_is_an_error_and_runs_nothing(ask):
    fault = {"type": "stream_fault", "kind": "disconnect", "after_chunks": 2, "times": 9}
    done = ask(fault, {**WORDS, "times": 9})
    assert (done.code, done.json["error"]["code"]) == (1, "TM519")
