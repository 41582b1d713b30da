"""One message on the pipe between tm and a worker: four bytes of length, then JSON.

What lives here: bytes to JSON and back, with limits on both sides. What must not: what a message
means (`messages`), sockets and descriptors.
"""

from __future__ import annotations

import json
import re
import struct
from typing import Any, Final, NoReturn

from tm.errors import ToolError
from tm.model import Json
from tm.runner.results import to_json

MAX_FRAME_BYTES: Final = 64 * 1024 * 1024
HEADER_BYTES: Final = 4
# More values than a result may have, with room for what stands around it.
MAX_MARKS: Final = 5_000_000

_LENGTH: Final = struct.Struct(">I")
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


class FrameError(Exception):
    """What came over the pipe is no message."""


def encode(message: Json) -> bytes:
    """Return a message as it goes over the pipe.

    Raises:
        FrameError: it is larger than 64 MB.
    """
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > MAX_FRAME_BYTES:
        raise FrameError(f"the message has {len(data):,} bytes; {MAX_FRAME_BYTES:,} are allowed")
    return _LENGTH.pack(len(data)) + data


def length_of(header: bytes) -> int:
    """Return the number of bytes that follow a header.

    Raises:
        FrameError: more than 64 MB.
    """
    length: int = _LENGTH.unpack(header)[0]
    if length > MAX_FRAME_BYTES:
        raise FrameError(f"a message of {length:,} bytes is announced")
    return length


def decode(data: bytes) -> Json:
    """Return the message of a frame, in data that tm itself knows how to walk.

    Raises:
        FrameError: no strict JSON, or too deep or with too many values for a result.
    """
    _check_size(data)
    try:
        text = data.decode("utf-8", "surrogatepass")
        return to_json(json.loads(text, parse_constant=_refuse))
    except (ValueError, RecursionError, ToolError) as error:
        raise FrameError("the message is no JSON of a size that tm reads") from error


def _check_size(data: bytes) -> None:
    """Refuse many small values before they become a hundred times as large in memory."""
    if _marks(data) > MAX_MARKS and _marks(_STRING.sub(b"", data)) > MAX_MARKS:
        raise FrameError("the message has too many values")


def _marks(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def fields(message: Any, /, **kinds: type) -> list[Any]:
    """Return the fields of a mapping, each of the exact type that is asked for.

    Args:
        message: as it was decoded.
        **kinds: name to type; `object` takes any JSON value.

    Raises:
        FrameError: no mapping, a missing field, another type.
    """
    if type(message) is not dict:
        raise FrameError("a part of the message is no mapping")
    values = []
    for name, kind in kinds.items():
        if name not in message or (kind is not object and type(message[name]) is not kind):
            raise FrameError(f"the message has no {name} of type {kind.__name__}")
        values.append(message[name])
    return values
