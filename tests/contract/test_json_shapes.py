"""The documents of `--json`: keys and kinds that other people's scripts hold on to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TmCommand, Workspace

FILES = {
    "tenants/acme/tools.py": """
        def outer(results, args, ctx):
            ctx["logger"].info("starts")
            found = ctx["tool"]("inner", {"n": 1})
            ctx["logger"].success("ends", {"found": found})
            return found


        def inner(results, args, ctx):
            ctx["logger"].info("starts")
            ctx["logger"].success("ends")
            return {"n": args["n"]}


        N = {
            "type": "object",
            "properties": {"n": {"type": "integer", "description": "N."}},
            "required": ["n"],
        }
        tools = {
            "outer": {"description": "Outer.", "handler": outer, "args_fixture": {}},
            "inner": {"description": "Inner.", "parameters": N, "handler": inner},
        }
        """,
}
NUMBER = (int, float)
RUN = {
    "tool": str, "tenant": str, "case": str, "ok": bool, "dry_run": bool, "mode": str,
    "args": dict, "result": dict, "error": type(None), "steps": list, "http": list, "log": list,
    "duration_ms": NUMBER, "log_id": int,
}  # fmt: skip
ROW = {
    "id": int, "started_at": str, "tenant": str, "tool_name": str, "entry_type": str,
    "state": str, "args": dict, "result": dict, "error": type(None), "duration_ms": NUMBER,
    "http_status": type(None), "request_url": type(None), "response_bytes": type(None),
    "parent_id": (int, type(None)), "chat_id": type(None), "user_id": type(None),
    "assistant": type(None), "dry_run": bool,
}  # fmt: skip
ERROR = {"code": str, "message": str, "hint": (str, type(None)), "details": list}


def assert_shape(value: dict[str, Any], shape: dict[str, Any]) -> None:
    assert set(value) == set(shape)
    wrong = {key: value[key] for key, kind in shape.items() if not isinstance(value[key], kind)}
    assert wrong == {}


@pytest.fixture
def shop(workspace: Workspace) -> Path:
    return workspace(FILES)


def test_one_run(shop: Path, tm_command: TmCommand) -> None:
    run = tm_command("test-tool", "outer", "--json", cwd=shop).json
    assert_shape(run, RUN)
    assert_shape(run["steps"][0], {"name": str, "status": str, "ms": NUMBER})
    line = {"time": str, "level": str, "tool": str, "depth": int, "message": str, "context": dict}
    assert_shape(run["log"][0], line)
    assert [step["name"] for step in run["steps"]] == [
        "validate", "placeholders", "preprocess", "request", "mapping", "postprocess", "handler",
    ]  # fmt: skip


def test_a_run_that_failed(shop: Path, tm_command: TmCommand) -> None:
    run = tm_command("test-tool", "inner", "--arg", "n=x", "--json", cwd=shop).json
    assert_shape(run, {**RUN, "case": type(None), "result": type(None), "error": dict})
    assert_shape(run["error"], ERROR)
    assert_shape(run["error"]["details"][0], {"path": str, "message": str})


def test_several_runs(shop: Path, tm_command: TmCommand) -> None:
    several = tm_command("test-tool", "--all", "--json", cwd=shop).json
    assert_shape(several, {"ok": bool, "results": list, "summary": dict})
    counts = {"passed": int, "failed": int, "skipped": int, "duration_ms": NUMBER}
    assert_shape(several["summary"], counts)
    skipped, run = several["results"]
    assert_shape(skipped, {"tool": str, "tenant": str, "ok": type(None), "skipped": str})
    assert_shape(run, RUN)


def test_an_error_before_anything_runs(shop: Path, tm_command: TmCommand) -> None:
    wrong = tm_command("test-tool", "otuer", "--json", cwd=shop).json
    assert_shape(wrong, {"ok": bool, "error": dict})
    assert_shape(wrong["error"], ERROR)


def test_tools_and_one_tool(shop: Path, tm_command: TmCommand) -> None:
    listed = tm_command("list", "--json", cwd=shop).json
    assert_shape(listed, {"tools": list})
    row = {"name": str, "tenant": str, "description": str, "path": str}
    assert_shape(listed["tools"][0], row)
    shown = tm_command("show", "inner", "--json", cwd=shop).json
    assert_shape(shown, {"name": str, "tenant": str, "fields": dict})
    assert set(shown["fields"]["handler"]) == {"value", "path", "line"}


def test_past_runs(shop: Path, tm_command: TmCommand) -> None:
    tm_command("test-tool", "outer", "-q", cwd=shop)
    listed = tm_command("log", "--json", cwd=shop).json
    assert_shape(listed, {"entries": list})
    assert_shape(listed["entries"][0], ROW)
    detail = {"steps": list, "log": list, "children": list}
    shown = tm_command("log", "show", "1", "--json", cwd=shop).json
    assert_shape(shown, {**ROW, **detail})
    assert_shape(shown["children"][0], {**ROW, **detail})
