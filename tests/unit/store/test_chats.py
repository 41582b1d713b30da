"""Messages and sessions of chats, in both databases."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tm.store.chats import Chats
from tm.store.tables import Tables

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ASKED = {"role": "user", "content": "Größe L?\0"}
ANSWER = {"role": "assistant", "content": "Ja.", "reasoning_content": "r"}
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]}


@pytest.fixture
def tables(place):
    tables = Tables(place, lambda: NOON)
    yield tables
    tables.close()


@pytest.fixture
def chats(tables):
    return Chats(tables, clock=lambda: NOON)


def ask(chats, *messages, tenant="acme", chat="c-1"):
    number = chats.begin_question(tenant, chat, "desk")
    for message in messages:
        chats.keep(tenant, chat, number, message)
    return number


def test_questions_are_numbered_and_their_messages_come_back_as_they_were(chats):
    assert [ask(chats, ASKED, ANSWER), ask(chats, ASKED, ANSWER)] == [1, 2]
    assert chats.history("acme", "c-1") == [ASKED, ANSWER] * 2


@pytest.mark.parametrize("unanswered", [[ASKED], [ASKED, CALL], [ASKED, CALL, {"role": "tool"}]])
def test_a_question_without_an_answer_is_in_no_history(chats, tables, unanswered):
    ask(chats, *unanswered)
    ask(chats, ASKED, ANSWER)
    assert chats.history("acme", "c-1") == [ASKED, ANSWER]
    [(count,)] = tables.execute("SELECT count(*) FROM chat_messages")
    assert count == len(unanswered) + 2


def test_chats_and_tenants_are_apart(chats):
    ask(chats, ASKED, ANSWER)
    chats.keep_session("acme", "c-1", {"cart": [1], "name": "Ä"})
    for tenant, chat in (("acme", "c-2"), ("other", "c-1")):
        assert chats.history(tenant, chat) == []
        assert chats.session(tenant, chat) == {}
    assert chats.session("acme", "c-1") == {"cart": [1], "name": "Ä"}


def test_a_session_that_is_no_object_is_an_empty_one(chats, tables):
    ask(chats, ASKED)
    tables.execute("UPDATE chats SET session = '[1]'")
    assert chats.session("acme", "c-1") == {}
