"""Chats that were recorded elsewhere, replayed through tenants made from their tools.

The recordings (tests/data/recorded-chats) hold what a model answered and which calls it
made. With those answers as a script, the same calls are made with the same arguments.
"""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT
from tests.tool_definitions import flat, read_definitions, write_tenants
from tests.unit.chat.conftest import says
from tm.chat.conversation import Chat
from tm.chat.script import ScriptedModel
from tm.runner.workspace import Workspace

FOLDER = ROOT / "tests/data/tool-definitions/tau-bench"
RECORDED = ROOT / "tests/data/recorded-chats/airline_recorded_chats_gpt-4o.json"
CHATS = json.loads(RECORDED.read_text())


def questions(messages):
    """Return each text of the user with the model's answers to it, up to words."""
    found = []
    for message in messages:
        if message["role"] == "user":
            found.append((message["content"], []))
        elif message["role"] == "assistant" and found:
            kept = {key: message[key] for key in ("content", "tool_calls") if message.get(key)}
            found[-1][1].append(kept)
    return found


def wanted_calls(answers):
    """Return names and arguments of the calls in some answers."""
    functions = [call["function"] for a in answers for call in a.get("tool_calls", ())]
    return [(f["name"], json.loads(f["arguments"])) for f in functions]


@pytest.fixture
def airline(tmp_path):
    """Return a workspace with the airline's tools and an assistant that lists them."""
    tools = [flat(definition) for definition in read_definitions(FOLDER / "airline_tools.json")]
    write_tenants(tmp_path, tools)
    desk = {"system_prompt": "Help.", "tools": [name for name, _ in tools], "max_tool_rounds": 50}
    place = tmp_path / "tenants/set1/desk.yaml"
    place.write_text(json.dumps({"assistants": {"desk": desk}}))
    with Workspace(tmp_path, environ={}, cache_dir=tmp_path / "cache") as workspace:
        yield workspace


@pytest.mark.parametrize("recorded", CHATS, ids=lambda chat: f"task {chat['task_id']}")
def test_a_recorded_chat_makes_the_same_calls_with_the_same_arguments(airline, recorded):
    asked = questions(recorded["messages"])
    script = []
    for _, answers in asked:
        script += [says(**{"text": a.pop("content", None), **a}) for a in map(dict, answers)]
        if not answers or answers[-1].get("tool_calls"):
            script.append(says("The recording ends here."))
    model = ScriptedModel(script, "recorded")
    with Chat(airline, "set1", "desk", model=model) as chat:
        for text, answers in asked:
            transcript = chat.ask(text)
            wanted = wanted_calls(answers)
            assert list(transcript.calls) == [name for name, _ in wanted]
            ran = [(run["tool"], run["args"]) for run in transcript.runs]
            assert ran == wanted
