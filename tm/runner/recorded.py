"""What of a tool is recorded, and how to record the rest: for runs that a replay can't answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Final

from tm.model import Json, Tool
from tm.runner.cases import DEFAULT_CASE, Case, named_cases

_MOST: Final = 5
_MOST_CHARS: Final = 200


def replay_advice(root: Path, tenant: str, tool: Tool, case: Case) -> str:
    """Return what can be replayed of a tool, and the command that records this case, in lines."""
    command = f"tm test-tool {tool.name} -t {tenant}"
    folder = root / "tenants" / tenant / "cassettes" / tool.name
    found = list(_recorded(folder, tool, command))
    more = [f"and {len(found) - _MOST} more"] if len(found) > _MOST else []
    record = f"record it, with the server at hand: {command}{_words(case)} --record"
    return "\n".join([*found[:_MOST], *more, record])


def _recorded(folder: Path, tool: Tool, command: str) -> Iterator[str]:
    """Yield a line for each case that has a cassette, with its arguments."""
    for case in named_cases(tool):
        if (folder / f"{case.cassette}.yaml").is_file():
            yield f"recorded: {command}{_words(case)}, with {_json(case.args)}"


def _words(case: Case) -> str:
    if case.name is None:
        return f" --args {quote(json.dumps(case.args, ensure_ascii=False))}"
    return "" if case.name == DEFAULT_CASE else f" --case {quote(case.name)}"


def _json(args: Json) -> str:
    text = json.dumps(args, ensure_ascii=False)
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}..."
