"""Arguments of a call as servers really send them (SPEC 8, "Reading what servers really send")."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from tm.chat.lenient import UnreadableError, read_lenient
from tm.errors import ToolError
from tm.model import Json

_FENCE: Final = re.compile(r"\s*```[\w+-]*[ \t]*\n?(.*?)(?:```\s*)?\Z", re.DOTALL)
_KINDS: Final = {list: "a list", str: "a text", bool: "true or false", int: "a number",
                 float: "a number"}  # fmt: skip
_AGAIN: Final = "nothing was run: send the whole call again, in smaller parts if it was too long"


def read_arguments(raw: Json, *, is_cut: bool = False) -> dict[str, Any]:
    """Return the arguments that a server sent.

    Args:
        raw: text, an object, or nothing.
        is_cut: the answer ended with `finish_reason: length`, so that no call of it is whole.

    Raises:
        ToolError: TM501, in words for the model.
    """
    if is_cut:
        raise _fault(f"the answer was cut off by its length limit; {_AGAIN}")
    value = _unpacked(raw)
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    kind = _KINDS.get(type(value), "something else")
    raise _fault(f"the arguments are {kind}, not a JSON object; nothing was run")


def unfenced(text: str) -> str:
    """Return the text inside a code fence, or the text itself, without blanks around it."""
    hit = _FENCE.fullmatch(text) if "```" in text[:200] else None
    return (hit[1] if hit else text).removeprefix("\ufeff").strip()


def _unpacked(raw: Json) -> Json:
    """Return the value that a text holds; JSON text inside JSON text is unpacked once."""
    value = _read(raw)
    if isinstance(value, str):
        value = _read(value)
    return value


def _read(raw: Json) -> Json:
    if not isinstance(raw, str):
        return raw
    text = unfenced(raw)
    if not text:
        return None
    try:
        return read_lenient(text)
    except UnreadableError as error:
        if error.is_cut:
            raise _fault(f"the arguments were cut off ({error}); {_AGAIN}") from error
        raise _fault(f"the arguments are no JSON: {error}; nothing was run") from error


def _fault(message: str) -> ToolError:
    return ToolError(message, code="TM501")


def arguments_text(raw: Json, args: Json) -> str:
    """Return the arguments as they go back to the server: always the text of a JSON object.

    Args:
        raw: as they came; kept letter by letter where they are in order.
        args: as they were read; None where they could not be.
    """
    if args is None:
        return "{}"
    if isinstance(raw, str):
        try:
            if json.loads(raw) == args:
                return raw
        except (ValueError, RecursionError):
            pass
    return json.dumps(args, ensure_ascii=False)
