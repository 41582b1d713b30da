"""A chat without a server: a model whose answers are given, and tools that need no API."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import write_tree
from tm.chat.completion import Completion, read_completion
from tm.chat.conversation import Chat
from tm.chat.deltas import joined_chunks
from tm.errors import TmError
from tm.runner.workspace import Workspace

HANDLERS = """
def echo(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["session"]["asked"] = ctx["session"].get("asked", 0) + 1
    ctx["logger"].success("ends")
    return {"ok": True, "args": args}
"""
SEARCH = {
    "name": "search",
    "description": "Search.",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
    },
}
PING = {"name": "ping", "description": "Ping.", "parameters": {"type": "object"}}


class GivenModel:
    """Answers with bodies, lists of chunks or errors in turn, and remembers the requests."""

    def __init__(self, answers: list[Any]) -> None:
        self.answers = answers
        self.requests: list[dict[str, Any]] = []

    def complete(self, request: dict[str, Any], on_text: Callable[[str], None]) -> Completion:
        self.requests.append(deepcopy(request))
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, list):
            return joined_chunks(answer, on_text=on_text)
        completion = read_completion(answer)
        if completion.text:
            on_text(completion.text)
        return completion

    def close(self) -> None:
        """Nothing is open."""


def says(text: str | None = None, **fields: Any) -> dict[str, Any]:
    """Return a completion."""
    reason = fields.pop("finish_reason", "stop")
    message = {"role": "assistant", "content": text, **fields}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {"choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage}


def calls(*wanted: tuple[str, Any], text: str | None = None, **fields: Any) -> dict[str, Any]:
    """Return a completion with calls; arguments that are no text are written as JSON."""
    entries = []
    for number, (name, args) in enumerate(wanted):
        raw = args if isinstance(args, str) else json.dumps(args)
        function = {"name": name, "arguments": raw}
        entries.append({"id": f"call_{number}", "type": "function", "function": function})
    return says(text, tool_calls=entries, **fields)


class ChatBench:
    """One assistant, asked as a test likes.

    Attributes:
        events: everything that was told.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = Workspace(root, environ={"HOME": str(root)}, cache_dir=root / "cache")
        self.events: list[Any] = []
        self.model = GivenModel([])

    def declare(self, *tools: dict[str, Any], **assistant: Any) -> None:
        """Write the tools, and an assistant `desk` that lists them."""
        declared = {
            tool["name"]: {
                "description": tool.get("description", "A tool."),
                "parameters": tool["parameters"],
                "handler": "work.py:echo",
            }
            for tool in tools
        }
        desk = {"system_prompt": "Help.", "model": "m", "tools": list(declared), **assistant}
        files = {
            "tenants/acme/work.py": HANDLERS,
            "tenants/acme/desk.yaml": json.dumps({"assistants": {"desk": desk}}),
        }
        if declared:
            files["tenants/acme/tools.yaml"] = json.dumps({"tools": declared})
        write_tree(self.root, files)

    def chat(self, *answers: Any, **options: Any) -> Chat:
        """Return a chat with a model that gives these answers; the last one again and again."""
        self.model = GivenModel(list(answers))
        return Chat(
            self.workspace, "acme", "desk", model=self.model, sink=self.events.append, **options
        )

    def ask(self, *answers: Any, text: str = "Hello?", **options: Any) -> Any:
        """Ask once and return the transcript, or the error."""
        with self.chat(*answers, **options) as chat:
            try:
                return chat.ask(text)
            except TmError as error:
                return error

    def told(self) -> list[str]:
        """Return the contents of the tool messages of the last request."""
        messages = self.model.requests[-1]["messages"]
        return [message["content"] for message in messages if message["role"] == "tool"]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[ChatBench]:
    """Return a bench whose assistant has the tools `search` and `ping`."""
    made = ChatBench(tmp_path)
    made.declare(SEARCH, PING)
    yield made
    made.workspace.close()
