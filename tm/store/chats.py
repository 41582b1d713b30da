"""The messages and the session of each chat.

What lives here: keeping and finding them. What must not: what a message means to a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from tm.store.encoding import from_text, plain, to_text
from tm.store.tables import Tables
from tm.store.times import iso, utc_now

_OF_CHAT = "tenant = ? AND chat_id = ?"


class Chats:
    """The chats of a workspace. Nothing here crosses from one tenant to another.

    Args:
        tables: the open database.
        clock: the time.
    """

    def __init__(self, tables: Tables, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._tables = tables
        self._clock = clock

    def begin_question(self, tenant: str, chat_id: str, assistant: str) -> int:
        """Return the number of the chat's next question; a new chat begins with 1."""
        now = iso(self._clock())
        values = (plain(tenant), plain(chat_id), plain(assistant), now, now)
        rows = self._tables.execute(
            "INSERT INTO chats"
            " (tenant, chat_id, assistant, started_at, used_at, questions, session)"
            " VALUES (?, ?, ?, ?, ?, 1, '{}') ON CONFLICT (tenant, chat_id) DO UPDATE SET"
            " questions = chats.questions + 1, used_at = excluded.used_at,"
            " assistant = excluded.assistant RETURNING questions",
            values,
        )
        number: int = rows[0][0]
        return number

    def keep(self, tenant: str, chat_id: str, question: int, message: Mapping[str, Any]) -> None:
        """Keep a message of a question."""
        self._tables.execute(
            "INSERT INTO chat_messages (tenant, chat_id, question, role, message, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                plain(tenant),
                plain(chat_id),
                question,
                message["role"],
                to_text(dict(message)),
                iso(self._clock()),
            ),
        )

    def history(self, tenant: str, chat_id: str) -> list[dict[str, Any]]:
        """Return the messages of all questions that were answered, in order.

        What belongs to a question that failed is kept and left out here: a call without its
        result would make every later request invalid.
        """
        rows = self._tables.execute(
            f"SELECT question, message FROM chat_messages WHERE {_OF_CHAT} ORDER BY id",  # noqa: S608  our own words
            (plain(tenant), plain(chat_id)),
        )
        questions: dict[int, list[dict[str, Any]]] = {}
        for number, text in rows:
            questions.setdefault(number, []).append(from_text(text))
        answered = [group for group in questions.values() if _is_answered(group)]
        return [message for group in answered for message in group]

    def session(self, tenant: str, chat_id: str) -> dict[str, Any]:
        """Return the chat's session; empty for a new one."""
        rows = self._tables.execute(
            f"SELECT session FROM chats WHERE {_OF_CHAT}",  # noqa: S608  as above
            (plain(tenant), plain(chat_id)),
        )
        value = from_text(rows[0][0]) if rows else {}
        return value if isinstance(value, dict) else {}

    def keep_session(self, tenant: str, chat_id: str, session: Mapping[str, Any]) -> None:
        """Keep the chat's session."""
        self._tables.execute(
            f"UPDATE chats SET session = ? WHERE {_OF_CHAT}",  # noqa: S608  as above
            (to_text(dict(session)), plain(tenant), plain(chat_id)),
        )


def _is_answered(group: list[dict[str, Any]]) -> bool:
    last = group[-1]
    return last.get("role") == "assistant" and not last.get("tool_calls")
