"""Puts the chunks of a streamed answer together, in all the ways in which servers cut them."""

from __future__ import annotations

from typing import Any

from tm.chat.completion import Completion, completion_of, counts, text_of
from tm.chat.failures import cut_stream, error_in
from tm.model import Json


class Deltas:
    """One answer in the making.

    Attributes:
        text: so far.
        is_finished: a `finish_reason` came.
    """

    def __init__(self) -> None:
        self.text = ""
        self._reasoning = ""
        self._kept: dict[str, Json] = {}
        self._calls: list[dict[str, Any]] = []
        self._reason: str | None = None
        self._usage: Json = None

    @property
    def is_finished(self) -> bool:
        """Whether a `finish_reason` came."""
        return self._reason is not None

    def feed(self, chunk: Json) -> str:
        """Take a chunk; return the text that it adds.

        Raises:
            ChatError: TM519, the chunk is an error.
        """
        if not isinstance(chunk, dict):
            return ""
        if chunk.get("error"):
            raise error_in(chunk)
        self._usage = chunk.get("usage") or self._usage
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or choice.get("index") not in {0, None}:
            return ""  # annotations and counts come in chunks without a choice
        if isinstance(reason := choice.get("finish_reason"), str) and reason:
            self._reason = reason
        delta = choice.get("delta") or choice.get("message")
        return self._take(delta) if isinstance(delta, dict) else ""

    def _take(self, delta: dict[str, Any]) -> str:
        reasoning = delta.get("reasoning_content")
        self._reasoning += reasoning if isinstance(reasoning, str) else ""
        if isinstance(details := delta.get("reasoning_details"), list):
            self._kept.setdefault("reasoning_details", []).extend(details)
        calls = delta.get("tool_calls")
        for piece in calls if isinstance(calls, list) else []:
            if isinstance(piece, dict):
                self._take_call(piece)
        added = text_of(delta.get("content"))
        self.text += added
        return added

    def _take_call(self, piece: dict[str, Any]) -> None:
        """Add a piece to the call that it belongs to: by index, else by id, else the last one."""
        raw = piece.get("function")
        function: dict[str, Any] = raw if isinstance(raw, dict) else piece
        name = function.get("name")
        call = self._call_of(piece, name if isinstance(name, str) else "")
        own = call["function"]
        if isinstance(name, str) and name != own["name"]:  # some repeat it, some cut it up
            own["name"] += name
        own["arguments"] = _joined(own["arguments"], function.get("arguments"))
        if not call["id"] and isinstance(piece.get("id"), str):
            call["id"] = piece["id"]
        for key, value in piece.items():
            if key not in {"id", "index", "type", "function", "name", "arguments"}:
                call[key] = value

    def _call_of(self, piece: dict[str, Any], name: str) -> dict[str, Any]:
        index, own_id = piece.get("index"), piece.get("id") or ""
        found: dict[str, Any] | None
        if isinstance(index, int):
            found = next((c for c in reversed(self._calls) if c["index"] == index), None)
            if found and name and own_id and found["id"] and own_id != found["id"]:
                found = None  # a server that numbers every call 0
        elif own_id:
            found = next((call for call in self._calls if call["id"] == own_id), None)
            found = found or (None if name or not self._calls else self._calls[-1])
        else:
            found = None if name or not self._calls else self._calls[-1]
        return found or self._begin(index)

    def _begin(self, index: Json) -> dict[str, Any]:
        call = {"id": "", "index": index, "function": {"name": "", "arguments": None}}
        self._calls.append(call)
        return call

    def completion(self) -> Completion:
        """Return the whole answer."""
        message: dict[str, Any] = {"content": self.text, "tool_calls": self._calls, **self._kept}
        if self._reasoning:
            message["reasoning_content"] = self._reasoning
        return completion_of(message, self._reason, usage=counts(self._usage))


def _joined(before: Json, piece: Json) -> Json:
    """Return arguments with a piece of text at their end; objects come whole."""
    if piece is None or piece == "":
        return before
    return before + piece if isinstance(before, str) and isinstance(piece, str) else piece


def joined_chunks(chunks: list[Json], *, on_text: Any) -> Completion:
    """Return the completion of a whole list of chunks, as a script holds it.

    Raises:
        ChatError: TM519, the list ends before the answer does.
    """
    deltas = Deltas()
    for chunk in chunks:
        if chunk == "[DONE]":
            return deltas.completion()
        if added := deltas.feed(chunk):
            on_text(added)
    if not deltas.is_finished:
        raise cut_stream(after_text=bool(deltas.text))
    return deltas.completion()
