"""A chat across questions: history, session, prompt, and what is kept."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from tests.conftest import write_tree
from tests.unit.chat.conftest import SEARCH, calls, says
from tm.chat.prompt import PromptFacts, fill_prompt
from tm.chat.runs import take_changes
from tm.errors import ConfigError, Location, TmError
from tm.runner.scope import RunOptions
from tm.runner.workspace import Workspace

A = ("search", {"query": "a"})
IN_CHAT = {"options": RunOptions(chat_id="c-1", user_id="u-1")}
AT = Location("tenants/acme/desk.yaml", 2)
NOW = datetime(2026, 5, 4, 22, 30, tzinfo=UTC)


def facts(**fields):
    named = {"tenant": "acme", "assistant": "desk", "user_id": None, "chat_id": "c-1"}
    return PromptFacts(now=NOW, **{**named, **fields})


def test_a_chat_goes_on_after_a_restart_and_another_knows_nothing(bench):
    bench.ask(calls(A), says("Found."), text="one", **IN_CHAT)
    bench.workspace.close()
    bench.workspace = Workspace(bench.root, environ={}, cache_dir=bench.root / "cache")
    bench.ask(says("Again."), text="two", **IN_CHAT)
    [request] = bench.model.requests
    assert [m["role"] for m in request["messages"]] == [
        "system", "user", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip
    bench.ask(says("Who?"), text="three", options=RunOptions(chat_id="c-2"))
    assert len(bench.model.requests[0]["messages"]) == 2


def test_the_session_lasts_for_the_chat_and_fills_the_prompt(bench):
    bench.declare(SEARCH, system_prompt="Asked {{session.asked}} times by {{user_id}}.")
    for times in ("", "1", "2"):
        bench.ask(calls(A), says("ok"), **IN_CHAT)
        prompt = bench.model.requests[0]["messages"][0]["content"]
        assert prompt == f"Asked {times} times by u-1."


def test_an_answer_that_was_stopped_is_kept_as_far_as_it_was_shown(bench):
    from tests.unit.chat.conftest import GivenModel

    class Stopped(GivenModel):
        def complete(self, request, on_text):
            on_text("As I was say")
            raise KeyboardInterrupt

    with bench.chat(says("x"), **IN_CHAT) as chat:
        chat._given_model = Stopped([])
        with pytest.raises(KeyboardInterrupt):
            chat.ask("one")
    bench.ask(says("ok"), text="two", **IN_CHAT)
    contents = [m["content"] for m in bench.model.requests[0]["messages"]]
    assert contents == ["Help.", "one", "As I was say", "two"]


def test_secrets_are_masked_in_the_transcript_and_in_the_database(bench):
    write_tree(bench.root, {"tenants/acme/.env": "ERP_KEY=sesame-4711\n"})
    transcript = bench.ask(calls(("search", {"query": "sesame-4711"})), says("It is sesame-4711."),
                           text="What is sesame-4711?", **IN_CHAT)  # fmt: skip
    assert "sesame" not in json.dumps(transcript.to_json())
    assert b"sesame" not in (bench.root / ".tm/tm.sqlite3").read_bytes()
    assert "sesame-4711" not in bench.ask(QuotingError("key sesame-4711 is wrong")).message


class QuotingError(TmError):
    """An error of a server that quotes the key."""


def test_parallel_results_change_one_session():
    session = {"a": 1, "b": 2, "c": 3}
    take_changes(session, {"a": 1, "b": 2, "c": 3}, {"a": 9, "c": 3, "d": 4})
    assert session == {"a": 9, "c": 3, "d": 4}
    take_changes(session, session, "no session")
    assert session == {"a": 9, "c": 3, "d": 4}


@pytest.mark.parametrize(
    ("assistant", "code"),
    [
        ({"model": None}, "TM519"),
        ({"provider": "nowhere"}, "TM519"),
        ({}, "TM519"),
        ({"system_prompt": "{{datum}}"}, "TM523"),
    ],
)
def test_what_an_assistant_lacks_is_told_with_its_place(bench, assistant, code):
    bench.declare(SEARCH, **assistant)
    with bench.chat() as chat:
        chat._given_model = None
        with pytest.raises(TmError) as failure:
            chat.ask("Hello?")
    assert (failure.value.code, failure.value.at.path) == (code, "tenants/acme/desk.yaml")


def test_an_unknown_assistant_is_told_with_the_nearest(bench):
    with bench.chat() as chat:
        chat.assistant = "dask"
        with pytest.raises(TmError, match="did you mean 'desk'") as failure:
            chat.ask("Hello?")
    assert failure.value.code == "TM524"


def test_a_new_chat_goes_on_where_nothing_can_be_kept_and_an_old_one_does_not(bench):
    (bench.root / ".tm").write_text("a file where the folder should be")
    assert bench.ask(says("Hi")).answer == "Hi"
    assert any("not kept" in getattr(event, "text", "") for event in bench.events)
    assert bench.ask(says("Hi"), **IN_CHAT).code == "TM500"


PROMPTS = [
    ("{{date}} {{time}} {{datetime}}", "2026-05-05 00:30 2026-05-05 00:30"),
    ("{{weekday}}", "Dienstag"),
    ("{{tenant}}/{{assistant}}/{{ chat_id }}/{{user_id}}", "acme/desk/c-1/"),
    ("{{vars.shop}} {{vars.open}} {{vars.days}}", "{{date}} true [1]"),
    ("{{session.name}}|{{session.gone}}|", "Ada||"),
    ("{date} <PDF:pdf-1> {{{tenant}}}", "{date} <PDF:pdf-1> {acme}"),
]


@pytest.mark.parametrize(("prompt", "filled"), PROMPTS)
def test_placeholders_are_filled_in_one_pass(prompt, filled):
    settings = {
        "vars": {"shop": "{{date}}", "open": True, "days": [1]},
        "timezone": "Europe/Vienna",
        "language": "de-AT",
    }
    assert fill_prompt(prompt, facts(settings=settings, session={"name": "Ada"}), AT) == filled


def test_without_settings_it_is_utc_and_english():
    assert fill_prompt("{{weekday}} {{time}}", facts(), AT) == "Monday 22:30"
    assert fill_prompt("{{weekday}}", facts(settings={"language": "xx"}), AT) == "Monday"


def test_the_tools_are_listed_with_their_descriptions(bench):
    bench.declare(SEARCH, system_prompt="Tools:\n{{tools}}")
    bench.ask(says("ok"))
    assert bench.model.requests[0]["messages"][0]["content"] == "Tools:\n- search: Search."


def test_a_zone_that_is_none_is_told():
    with pytest.raises(ConfigError, match="no time zone") as failure:
        fill_prompt("{{time}}", facts(settings={"timezone": "Berlin/../x"}), AT)
    assert failure.value.code == "TM405"
