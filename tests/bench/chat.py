"""What tm adds to a model's first token: an assistant with all tools of a tenant of 200."""

import json
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.bench.workspaces import make_workspace
from tm.chat.completion import Completion, read_completion
from tm.chat.conversation import Chat
from tm.runner.workspace import Workspace

_TOOLS = 200
_QUESTIONS = 40
_ANSWER = {"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}


class _Instant:
    """A model that answers at once, after the request was written as JSON."""

    def complete(self, request: Mapping[str, Any], on_text: Callable[[str], None]) -> Completion:
        json.dumps(request)
        on_text("Yes.")
        return read_completion(_ANSWER)

    def close(self) -> None:
        """Nothing is open."""


def measure_chat(folder: Path) -> None:
    """Show the milliseconds of CPU from the question to the first token, less the model's."""
    root = make_workspace(folder, "http://127.0.0.1:9", _TOOLS)
    names = [f"getInvoice{number}" for number in range(_TOOLS)]
    assistant = {"desk": {"system_prompt": "Help. {{date}}", "tools": names}}
    (root / "tenants/kontor/desk.yaml").write_text(json.dumps({"assistants": assistant}))
    # As a chat service runs: TM_ENV=production trusts the index, whatever the files' age.
    for what, aim_ms in (("files not read yet", None), ("with the index", 20)):
        with Workspace(root, cache_dir=folder / "cache", production=True) as workspace:
            times = _first_tokens(workspace, _QUESTIONS)
        _tell(f"first question, {what}", times[0], aim_ms)
    _tell("each later question", statistics.median(times[1:]), 20)


def _tell(what: str, seconds: float, aim_ms: float | None) -> None:
    ms = seconds * 1000
    mark = "    " if aim_ms is None else "ok  " if ms <= aim_ms else "over"
    aim = "" if aim_ms is None else f"aim {aim_ms:5.0f}"
    print(f"{mark} {f'chat, {_TOOLS} tools: {what}':<58} {ms:6.1f} ms CPU   {aim}", flush=True)


def _first_tokens(workspace: Workspace, questions: int) -> list[float]:
    """Return the CPU seconds of this thread from each question to its first token."""
    times: list[float] = []
    began = 0.0

    def show(_event: object) -> None:
        if len(times) < asked:
            times.append(time.thread_time() - began)

    for asked in range(1, questions + 1):  # noqa: B007  the closure reads it
        with Chat(workspace, "kontor", "desk", model=_Instant(), sink=show) as chat:
            began = time.thread_time()
            chat.ask("Is it paid?")
    return times
