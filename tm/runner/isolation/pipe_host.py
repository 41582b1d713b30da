"""The host of a worker's functions: what their ctx can cause, asked for over the pipe."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol

from tm.http.decoding import decode_json, decode_text
from tm.model import Json
from tm.runner.context import HttpAnswer, HttpRequest, plain
from tm.runner.events import Level
from tm.runner.isolation.frames import HEADER_BYTES, decode, encode, length_of
from tm.runner.isolation.messages import read_error, unpacked


class Pipe(Protocol):
    """The worker's end of the pipe."""

    def send(self, message: Json) -> None:
        """Send a message."""
        ...

    def receive(self) -> Any:
        """Wait for a message."""
        ...


class DescriptorPipe:
    """A pipe by its descriptor: the lock allows `read` and `write` and no socket calls."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def send(self, message: Json) -> None:
        """Send a message.

        Raises:
            FrameError: it is too large.
        """
        data = memoryview(encode(message))
        while data:
            data = data[os.write(self._descriptor, data) :]

    def receive(self) -> Any:
        """Wait for a message.

        Raises:
            EOFError: the other side is gone.
        """
        return decode(self._read(length_of(self._read(HEADER_BYTES))))

    def _read(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            part = os.read(self._descriptor, min(size - len(parts), 1 << 20))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)


class PipeHost:
    """Implements `Host` for one call of a function.

    Attributes:
        session: the dict that the function sees; nested tools change it too.
    """

    def __init__(self, pipe: Pipe, call: int, session: dict[str, Any]) -> None:
        self._pipe = pipe
        self._call = call
        self.session = session

    def tell(self, kind: str, **content: Json) -> None:
        """Send a message of this call."""
        self._pipe.send({"call": self._call, "kind": kind, **content})

    def log(self, level: Level, message: str, context: Mapping[str, Any]) -> None:
        """Write a line into the run's log."""
        self.tell("log", level=level, message=message, context=dict(context))

    def print(self, text: str) -> None:
        """Write what the function prints to the command's stderr."""
        self.tell("print", text=text)

    def _ask(self, kind: str, **content: Json) -> Any:
        self.tell(kind, **content)
        reply = self._pipe.receive()
        if reply.get("session") is not None:  # a nested tool has changed it
            self.session.clear()
            self.session.update(reply["session"])
        if "error" in reply:
            raise read_error(reply["error"])
        return reply["answer"]

    def config(self) -> dict[str, Any]:
        """Return a fresh copy of the tenant's merged config, secrets masked."""
        found: dict[str, Any] = self._ask("config")
        return found

    def zone(self, key: str) -> bytes | None:
        """Return the data of a time zone; None for an unknown one."""
        found = self._ask("zone", key=key)
        return None if found is None else unpacked(found)

    def call_tool(self, name: str, args: Json) -> Json:
        """Run another tool of the tenant and return its result, or raise ToolError."""
        session = plain(self.session, 'ctx["session"]')
        result: Json = self._ask("tool", name=name, args=args, session=session)
        return result

    def request(self, request: HttpRequest) -> HttpAnswer:
        """Send a request with the limits, log and dry run of the request step."""
        names = ("method", "url", "params", "json", "data", "headers")
        found = self._ask("request", request={name: getattr(request, name) for name in names})
        content, kind = unpacked(found["content"]), found["headers"].get("content-type", "")

        def read_json() -> Json:
            return decode_json(content, kind, of=found["url"]) if content else {}

        text = decode_text(content, kind)
        return HttpAnswer(found["status"], found["headers"], content, text, read_json, found["url"])
