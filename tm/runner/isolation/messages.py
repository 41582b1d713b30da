"""What the messages of the pipe say: errors, answers and function references as plain data.

What lives here: data to objects and back, with checks of everything that comes from a worker.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Final

from tm.errors import ConfigError, Detail, Location, SecurityError, TmError, ToolError
from tm.model import FunctionRef, Json
from tm.runner.context import HttpAnswer
from tm.runner.isolation.frames import FrameError, fields

EXIT_NO_MEMORY: Final = 77
"""Exit code of a worker that could not even tell that its memory was used up."""

MAX_TEXT: Final = 20_000
MAX_DETAILS: Final = 200
_CODE: Final = re.compile(r"TM\d{3}")
_KINDS: Final[dict[str, type[TmError]]] = {
    kind.__name__: kind for kind in (ToolError, SecurityError, ConfigError)
}


def error_data(error: TmError) -> dict[str, Any]:
    """Return an error as data; kinds that a function can't cause become ToolError."""
    kind = type(error).__name__
    return {
        "kind": kind if kind in _KINDS else "ToolError",
        "message": error.message[:MAX_TEXT],
        "code": error.code,
        "hint": error.hint,
        "at": None if error.at is None else [error.at.path, error.at.line, error.at.col],
        "details": [[one.path, one.message] for one in error.details[:MAX_DETAILS]],
    }


def read_error(data: Json) -> TmError:
    """Return the error of a message.

    Raises:
        FrameError: it is none.
    """
    kind, message, code, hint, at, details = fields(
        data, kind=str, message=str, code=str, hint=object, at=object, details=list
    )
    if kind not in _KINDS or not _CODE.fullmatch(code):
        raise FrameError("the message has an unknown kind of error")
    if hint is not None and type(hint) is not str:
        raise FrameError("the hint of an error is no text")
    return _KINDS[kind](
        message[:MAX_TEXT],
        code=code,
        hint=None if hint is None else hint[:MAX_TEXT],
        at=read_place(at),
        details=[_detail(one) for one in details[:MAX_DETAILS]],
    )


def read_place(data: Json) -> Location | None:
    """Return the place of an error: a path of the workspace, with line and column."""
    if data is None:
        return None
    if type(data) is not list or len(data) != 3 or type(data[0]) is not str:
        raise FrameError("the place of an error is none")
    path, *numbers = data
    if any(number is not None and type(number) is not int for number in numbers):
        raise FrameError("the line of an error is no number")
    # Editors and terminals make links of it.
    if not path.startswith("tenants/") or ".." in path.split("/") or not path.isprintable():
        raise FrameError("the place of an error is outside the workspace")
    return Location(path, *numbers)


def _detail(data: Json) -> Detail:
    if type(data) is not list or len(data) != 2 or any(type(text) is not str for text in data):
        raise FrameError("a detail of an error is no pair of texts")
    return Detail(str(data[0])[:MAX_TEXT], str(data[1])[:MAX_TEXT])


def answer_data(answer: HttpAnswer) -> dict[str, Any]:
    """Return an HTTP answer as data."""
    return {
        "status": answer.status,
        "headers": dict(answer.headers),
        "content": base64.b64encode(answer.content).decode(),
        "url": answer.url,
    }


def unpacked(text: str) -> bytes:
    """Return the bytes that a message holds as base64.

    Raises:
        FrameError: it is none.
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FrameError("the message has bytes that are no base64") from error


def packed(data: bytes) -> str:
    """Return bytes as a message holds them."""
    return base64.b64encode(data).decode()


def ref_data(ref: FunctionRef) -> list[Any]:
    """Return a function reference as data."""
    return [ref.home, ref.path, ref.name, ref.at.path, ref.at.line, ref.at.col]


def read_ref(data: Any) -> FunctionRef:
    """Return the reference of a message that comes from tm itself."""
    home, path, name, *at = data
    return FunctionRef(home, path, name, Location(*at))
