"""The JSON plan: how a model without tool calls is served (SPEC 8).

It is asked for one JSON object that names a tool or none. What lives here: the words of that
request, reading the plan, and a history that holds no tool calls.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from tm.chat.arguments import unfenced
from tm.chat.calls import Call, make_call
from tm.chat.completion import Completion
from tm.chat.failures import shown
from tm.chat.lenient import UnreadableError, read_lenient, read_prefix
from tm.errors import ChatError
from tm.model import Json
from tm.records import record

_ORDER: Final = """\
You can use one of the tools below. Reply with one JSON object and nothing else:
{"action": {"name": NAME or "none", "args": {...}}, "reply": TEXT}
To use a tool, give its name and its arguments by its schema, and leave "reply" empty; you will get
its result. If no tool is needed, the name is "none" and "reply" is your answer.
Tools:
"""


@record
class Plan:
    """What a model wants: a call, or to answer at once.

    Attributes:
        call: None: `reply` is the answer.
    """

    call: Call | None
    reply: str = ""


def plan_request(
    messages: Sequence[dict[str, Any]], definitions: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the messages that ask for a plan; the order stands in the system prompt."""
    tools = [json.dumps(entry["function"], ensure_ascii=False) for entry in definitions]
    order = _ORDER + "\n".join(tools or ["(there are none)"])
    first, *rest = messages
    if first.get("role") == "system":
        return [{"role": "system", "content": f"{first['content']}\n\n{order}"}, *rest]
    return [{"role": "system", "content": order}, first, *rest]


def flattened(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with calls and results as plain texts, for servers without tools."""
    flat: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    for message in messages:
        if message.get("tool_calls"):
            for call in message["tool_calls"]:
                names[call["id"]] = call["function"]["name"]
            flat.append({"role": "assistant", "content": _as_plans(message["tool_calls"])})
        elif message.get("role") == "tool":
            name = names.get(message["tool_call_id"], "the tool")
            text = f"Result of {name}: {message['content']}\nNow answer my question in words."
            flat.append({"role": "user", "content": text})
        else:
            flat.append({"role": message["role"], "content": message.get("content") or ""})
    return flat


def _as_plans(calls: Sequence[dict[str, Any]]) -> str:
    plans = []
    for call in calls:
        function = call["function"]
        action = {"name": function["name"], "args": json.loads(function["arguments"])}
        plans.append(json.dumps({"action": action, "reply": ""}, ensure_ascii=False))
    return "\n".join(plans)


def read_plan(completion: Completion) -> Plan:
    """Return the plan of an answer; words that are no plan are the answer itself.

    Raises:
        ChatError: TM519, the answer is empty, or a plan that can't be read.
    """
    text = completion.text.strip()
    if not text and completion.calls:
        return Plan(completion.calls[0])
    if not text:
        raise ChatError("the model returned neither text nor a plan", code="TM519")
    value = _object_in(text)
    if value is None:
        if unfenced(text).startswith("{"):
            raise ChatError(
                f"the model's plan can't be read: {shown(text)}",
                code="TM519",
                hint="ask again, or try another model",
            )
        return Plan(None, text)
    return _plan_of(value, completion, text)


def _plan_of(value: dict[str, Any], completion: Completion, text: str) -> Plan:
    action = value.get("action")
    if isinstance(action, str):
        action = {"name": action, "args": value.get("args")}
    name = action.get("name") if isinstance(action, dict) else None
    reply = value.get("reply")
    if isinstance(action, dict) and isinstance(name, str) and name.lower() not in {"none", ""}:
        args = action.get("args", action.get("arguments"))
        return Plan(make_call(name, args, is_cut=completion.is_cut))
    return Plan(None, reply if isinstance(reply, str) and reply else text)


def _object_in(text: str) -> Json:
    """Return the JSON object of a text, also one with words around it; None: there is none."""
    try:
        value = read_lenient(unfenced(text))
        return value if isinstance(value, dict) else None
    except UnreadableError:
        pass
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = read_prefix(text, start)
        except UnreadableError:
            value = None
        if isinstance(value, dict) and "action" in value:
            return value
        start = text.find("{", start + 1)
    return None
