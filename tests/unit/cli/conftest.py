"""The command line in this process, so that its branches are seen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Finished
from tm.cli.boundary import run

InProcess = Callable[..., Finished]

HANDLERS = '''
"""Tools that need no API."""


def echo(results, args, ctx):
    """Return the arguments."""
    ctx["logger"].debug("looking closely")
    ctx["logger"].info("echo starts", {"n": args.get("n")})
    ctx["logger"].success("echo done")
    return {"args": args, "chat": ctx["chat_id"], "session": ctx["session"]}


def fail(results, args, ctx):
    """Fail."""
    ctx["logger"].warning("about to fail")
    raise ValueError("[/srv/run.sh] failed")


PARAMETERS = {
    "type": "object",
    "properties": {"n": {"type": "integer", "description": "A number."}},
}
REQUIRED = {**PARAMETERS, "required": ["n"]}
tools = {
    "echo": {"description": "Echo.", "parameters": PARAMETERS, "handler": echo,
             "args_fixture": {"n": 1}, "fixtures": [{"name": "two", "args": {"n": 2}}]},
    "fail": {"description": "Fail.", "handler": fail, "args_fixture": {}},
    "bare": {"description": "Bare.", "parameters": REQUIRED, "handler": echo},
}
'''


@pytest.fixture
def shop(workspace: Callable[..., Path]) -> Path:
    return workspace({"tenants/acme/tools.py": HANDLERS.replace("PARAMETERS}", "PARAMETERS}")})


@pytest.fixture
def tm(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> InProcess:
    """Return a function that runs a command line in the shop's folder, in this process."""
    monkeypatch.chdir(shop)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(shop.parent / "cache"))

    def call(*words: str) -> Finished:
        code = run(words)
        shown = capsys.readouterr()
        return Finished(code, shown.out, shown.err)

    return call


@pytest.fixture(autouse=True)
def barred_modules() -> Iterator[None]:
    """Let later tests import again what a command has barred in this process."""
    yield
    barred: list[Any] = [name for name, module in sys.modules.items() if module is None]
    for name in barred:
        del sys.modules[name]
