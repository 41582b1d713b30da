"""Which libraries a command loads: start-up is guarded by names, not by times."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Workspace, command_environment

# Runs the command line in a fresh interpreter, and tells on stderr what it has imported.
PROBE = """
import json, sys
sys.argv = ["tm", *sys.argv[1:]]
from tm.cli.entry import main
code = main()
print(json.dumps([code, [name for name, module in sys.modules.items() if module is not None]]),
      file=sys.stderr)
"""

HEAVY = {
    "asyncio", "anyio", "click", "email", "http.client", "httpx", "jmespath", "jsonschema",
    "logging", "mcp", "openai", "pydantic", "pypdfium2", "referencing", "rich", "ssl", "trio",
    "urllib.request",
}  # fmt: skip
HTTP = {"email", "http.client", "httpx", "logging", "ssl", "urllib.request"}
"""What httpx itself imports."""

FILES = {
    "tenants/acme/tools.yaml": """
        apis:
          erp: {base_url: "http://127.0.0.1:9/api"}
        tools:
          ping:
            description: Handler only.
            parameters:
              type: object
              properties: {n: {type: integer, description: Number.}}
              required: [n]
            handler: ping.py:ping
            args_fixture: {n: 1}
          getItem:
            description: Reads.
            api: erp
            method: GET
            path: /items
            mapping: {id: item.id}
            args_fixture: {}
          addItem:
            description: Writes.
            api: erp
            method: POST
            path: /items
            args_fixture: {}
        """,
    "tenants/acme/ping.py": """
        def ping(results, args, ctx):
            ctx["logger"].info("ping")
            ctx["logger"].success("pong")
            return {"n": args["n"]}
        """,
}


def loaded(root: Path, *words: str, code: int = 0) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *words],
        cwd=root,
        env=command_environment(root.parent, {}),
        capture_output=True,
        check=True,
    )
    got, names = json.loads(done.stderr.decode().splitlines()[-1])
    assert got == code, done.stderr.decode()
    return set(names)


@pytest.fixture
def shop(workspace: Workspace) -> Path:
    return workspace(FILES)


@pytest.mark.parametrize("words", [["--version"], ["--help"]])
def test_small_answers_load_nothing(shop: Path, words: list[str]) -> None:
    forbidden = HEAVY | {"typer", "yaml", "sqlite3", "dataclasses", "inspect", "json.decoder"}
    assert loaded(shop, *words) & (forbidden - {"json.decoder"}) == set()


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["show", "getItem"],
        ["explain", "TM504"],
        ["log"],
        ["cache", "clear"],
        ["test-tool", "--help"],
        ["chat", "--help"],
    ],
)
def test_reading_commands_load_no_heavy_library(shop: Path, words: list[str]) -> None:
    assert loaded(shop, *words) & HEAVY == set()


@pytest.mark.parametrize("words", [["list"], ["show", "getItem"], ["explain", "--all"]])
def test_reading_config_loads_neither_runner_nor_database(shop: Path, words: list[str]) -> None:
    assert loaded(shop, *words) & {"tm.runner.pipeline", "tm.http.client", "sqlite3"} == set()


def test_the_log_is_listed_without_typer_config_and_runner(shop: Path) -> None:
    names = loaded(shop, "log", "--failed", "--limit", "5", "--search", "a")
    assert names & (HEAVY | {"typer", "tm.config.loader", "tm.runner", "yaml"}) == set()


def test_a_handler_loads_no_http_and_no_validator(shop: Path) -> None:
    assert loaded(shop, "test-tool", "ping") & (HEAVY | {"typer"}) == set()


def test_a_stubbed_write_loads_no_http(shop: Path) -> None:
    assert loaded(shop, "test-tool", "addItem", "--dry-run") & (HEAVY | {"typer"}) == set()


def test_a_replay_loads_no_http(shop: Path) -> None:
    assert loaded(shop, "test-tool", "getItem", "--replay", code=1) & (HEAVY | {"typer"}) == set()


def test_a_live_run_loads_httpx_without_its_command_line(shop: Path) -> None:
    names = loaded(shop, "test-tool", "getItem", code=1)
    assert "httpx" in names
    assert names & (HEAVY - HTTP | {"typer"}) == set()
    assert "httpx._main" not in names


def test_a_scripted_chat_loads_no_http(shop: Path) -> None:
    (shop / "tenants/acme/desk.yaml").write_text("assistants: {desk: {tools: [ping]}}\n")
    answer = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}
    (shop / "a.jsonl").write_text(json.dumps(answer) + "\n")
    names = loaded(shop, "chat", "-a", "desk", "-m", "Hi", "--script", "a.jsonl")
    assert names & (HEAVY - {"click"}) == set()


RARE = {
    "difflib", "hashlib", "shlex", "shutil", "tm.http.cassettes", "tm.http.curl", "tm.http.hosts",
    "tm.http.pagination", "tm.runner.context", "tm.runner.expectations", "tm.runner.functions",
    "tm.runner.guard", "tm.runner.host", "tm.scan", "unittest", "uuid",
}  # fmt: skip
"""What a plain request of a tool without functions has no use for."""


def test_a_stubbed_write_loads_nothing_that_it_does_not_use(shop: Path) -> None:
    names = loaded(shop, "test-tool", "addItem", "--dry-run")
    own = {"ast", "dataclasses", "inspect", "random", "tm.http.network", "tm.http.oauth"}
    assert names & (RARE | own) == set()


def test_a_live_run_loads_nothing_that_it_does_not_use(shop: Path) -> None:
    # Nothing listens there, so the run fails, and a failure names the command that repeats it;
    # httpx needs hashlib.
    needed = {"shlex", "shutil", "hashlib", "tm.http.hosts"}
    assert loaded(shop, "test-tool", "getItem", code=1) & (RARE - needed) == set()


def test_lint_loads_no_http_and_no_database(shop: Path) -> None:
    assert loaded(shop, "lint") & (HTTP | {"asyncio", "rich", "sqlite3", "typer"}) == set()


def test_lint_of_an_unchanged_workspace_runs_no_rule_and_parses_nothing(shop: Path) -> None:
    for path in shop.rglob("*.*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    (shop / "tenants/acme/ping.py").unlink()
    (shop / "tenants/acme/tools.yaml").write_text("apis: {}\n")
    os.utime(shop / "tenants/acme/tools.yaml", (1_700_000_000, 1_700_000_000))
    parsers = {"ast", "inspect", "jsonschema", "tm.codes", "tm.lint.catalog", "tm.scan", "yaml"}
    assert loaded(shop, "lint") & parsers != set()
    assert loaded(shop, "lint") & (parsers | HEAVY) == set()
