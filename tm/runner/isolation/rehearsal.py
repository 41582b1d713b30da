"""One call in the fork server itself, so that no worker pays for what happens a first time.

Records compile their `__init__`, the builtins of tenant files are put together, modules get their
facades: 10 ms that all workers share when they happen before the fork.
"""

from __future__ import annotations

import marshal
from typing import Any, Final

from tm.model import Json
from tm.runner.isolation.messages import packed
from tm.runner.isolation.worker import Worker

_PATH: Final = "tenants/rehearsal/rehearsal.py"
_SOURCE: Final = b"""
import re
from datetime import datetime

def rehearse(results, args, ctx):
    ctx["logger"].info("begin", {"at": datetime(2026, 1, 1), "found": bool(re.match("a", "a"))})
    ctx["session"]["seen"] = True
    return args["missing"]
"""


class _Script:
    """A pipe on which a fixed conversation comes in, and what is sent is dropped."""

    def __init__(self, messages: list[Json]) -> None:
        self._messages = messages

    def send(self, message: Json) -> None:
        """Drop a message."""

    def receive(self) -> Any:
        """Return the next message.

        Raises:
            EOFError: after the last one.
        """
        if not self._messages:
            raise EOFError
        return self._messages.pop(0)


def rehearse() -> None:
    """Load a file and call its function once; it fails, which is rehearsed too."""
    code = packed(marshal.dumps(compile(_SOURCE, _PATH, "exec")))
    facts: dict[str, Json] = {
        "tenant": "rehearsal",
        "chat_id": None,
        "user_id": None,
        "session": {},
        "api_config": None,
        "files_path": "",
    }
    ref: list[Json] = ["rehearsal", _PATH, "rehearse", _PATH, 1, 1]
    load: Json = {
        "tenant": "rehearsal",
        "files": {_PATH: {"source": packed(_SOURCE), "code": code}},
        "functions": {"handler": ref},
    }
    call: Json = {"call": 1, "role": "handler", "values": [{}, {}], "facts": facts}
    Worker(_Script([load, call])).serve()
