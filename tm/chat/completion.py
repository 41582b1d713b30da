"""An answer of a model's server, read: text, calls, and what has to go back as it came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tm.chat.calls import Call, read_calls
from tm.chat.failures import error_in, no_completion
from tm.model import Json
from tm.records import field, record

_KEPT: Final = ("reasoning_content", "reasoning_details")
"""Keys of a message that thinking models want to see again."""


@record
class Completion:
    """What a model answered.

    Attributes:
        text: empty where there is none.
        kept: goes back to the server beside the text, as it came.
        finish_reason: None where the server gave none.
        usage: token counts; empty where the server gave none.
    """

    text: str
    calls: Sequence[Call] = ()
    kept: Mapping[str, Json] = field(default_factory=dict)
    finish_reason: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_cut(self) -> bool:
        """Whether the length limit ended it."""
        return self.finish_reason == "length"

    def to_message(self) -> dict[str, Any]:
        """Return the assistant's message; text that is empty beside calls is null."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None, **self.kept}
        if self.calls:
            message["tool_calls"] = [call.to_json() for call in self.calls]
        return message


def read_completion(body: Json) -> Completion:
    """Return the completion that a body without streaming holds.

    Raises:
        ChatError: TM519, the body is an error or no completion.
    """
    if isinstance(body, dict) and body.get("error"):
        raise error_in(body)
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise no_completion(body)
    reason = choice.get("finish_reason")
    return completion_of(message, reason, usage=body.get("usage"))


def completion_of(message: Mapping[str, Any], reason: Json, *, usage: Json) -> Completion:
    """Return the completion of a message as servers write it."""
    calls = read_calls(message.get("tool_calls"), is_cut=reason == "length")
    return Completion(
        text=text_of(message.get("content")),
        calls=calls,
        kept={key: message[key] for key in _KEPT if message.get(key) is not None},
        finish_reason=reason if isinstance(reason, str) else None,
        usage=counts(usage),
    )


def text_of(content: Json) -> str:
    """Return a message's text; some servers send it as a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def counts(usage: Json) -> dict[str, int]:
    """Return the token counts of a usage object; details below them are left out."""
    pairs = usage.items() if isinstance(usage, dict) else ()
    return {key: value for key, value in pairs if type(value) is int}
