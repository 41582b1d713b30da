"""The tool calls of an answer: their names and ids, and how they go back to the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from tm.chat.arguments import arguments_text, read_arguments
from tm.errors import ToolError
from tm.model import Json
from tm.records import field, record, replace
from tm.schema.function_tool import exported_name

_PREFIX: Final = "functions."
_OWN_KEYS: Final = frozenset({"id", "type", "function", "index", "name", "arguments"})


@record
class Call:
    """One call that a model asks for.

    Attributes:
        id: as the server gave it; empty: it gave none.
        name: without the prefix `functions.`.
        raw: the arguments as they came.
        args: the arguments; None where they can't be read.
        fault: why not; None where they can.
        extra: what else the server wrote beside the call and wants to see again.
    """

    id: str
    name: str
    raw: Json = None
    args: Mapping[str, Any] | None = None
    fault: ToolError | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the call as part of the assistant's message in the next request."""
        function = {
            "name": exported_name(self.name) or "unknown",
            "arguments": arguments_text(self.raw, self.args),
        }
        return {"id": self.id, "type": "function", "function": function, **self.extra}


def make_call(name: Json, raw: Json, *, call_id: Json = "", is_cut: bool = False) -> Call:
    """Return a call with its arguments read, or with why they can't be."""
    text = name if isinstance(name, str) else ""
    own_id = call_id if isinstance(call_id, str) else ""
    call = Call(own_id, text.strip().removeprefix(_PREFIX), raw)
    try:
        return replace(call, args=read_arguments(raw, is_cut=is_cut))
    except ToolError as error:
        return replace(call, fault=error)


def read_calls(raw: Json, *, is_cut: bool = False) -> list[Call]:
    """Return the calls of `tool_calls`; what is no call is passed over.

    Args:
        raw: the value of the key; some servers put name and arguments beside the id.
        is_cut: `finish_reason` was `length`.
    """
    entries = raw if isinstance(raw, list) else []
    return [_read_call(entry, is_cut=is_cut) for entry in entries if isinstance(entry, dict)]


def _read_call(entry: dict[str, Any], *, is_cut: bool) -> Call:
    function = entry.get("function")
    inner = function if isinstance(function, dict) else entry
    call = make_call(
        inner.get("name"), inner.get("arguments"), call_id=entry.get("id"), is_cut=is_cut
    )
    extra = {key: value for key, value in entry.items() if key not in _OWN_KEYS}
    return replace(call, extra=extra)


def with_ids(calls: Iterable[Call], taken: set[str], fresh: Callable[[], str]) -> list[Call]:
    """Return the calls with ids that are nowhere else in the chat.

    Args:
        calls: of one answer, in order.
        taken: the chat's ids; the new ones are added.
        fresh: makes an id.
    """
    result = []
    for call in calls:
        own = call.id
        while not own or own in taken:
            own = fresh()
        taken.add(own)
        result.append(replace(call, id=own))
    return result


def fresh_id() -> str:
    """Return nine letters and digits, the one form that every known server takes."""
    from secrets import token_hex  # noqa: PLC0415  most servers give ids

    return token_hex(5)[:9]
