"""Runs, rows and tools as the renderers get them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tm.errors import Detail, Location, TmError, ToolError
from tm.model import Field, Tenant, Tool
from tm.records import replace
from tm.render.lines import Line, plain
from tm.runner.events import HttpCall, LogLine, Report, Step
from tm.store.rows import Row, RunDetail, RunError

STAMP = "2026-05-04T14:30:05.123Z"


def texts(lines: list[Line]) -> list[str]:
    return [plain(found) for found in lines]


def log_line(message: str = "tax starts", **changes: Any) -> LogLine:
    return replace(LogLine(STAMP, "info", "calculateTax", 0, message), **changes)


def http_call(**changes: Any) -> HttpCall:
    call = HttpCall("GET", "http://erp.example/items?x=1", 200, 107, 12.3, False, 1, "curl 'x'")
    return replace(call, **changes)


def report(**changes: Any) -> Report:
    steps = (
        Step("validate", "ok", 0.31),
        Step("request", "ok", 12.7),
        Step("mapping", "skipped", 0),
    )
    base = Report(
        tool="getItem", tenant="acme", case="default", ok=True, dry_run=False, mode="live",
        args={"id": 1}, result={"id": 1}, error=None, steps=steps, http=(http_call(),), log=(),
        duration_ms=15.2, log_id=7,
    )  # fmt: skip
    return replace(base, **changes)


def failed_report(error: TmError | None = None) -> Report:
    steps = (Step("validate", "failed", 0.3), Step("request", "skipped", 0))
    return report(ok=False, result=None, error=error or argument_error(), steps=steps, http=())


def argument_error() -> ToolError:
    return ToolError(
        "2 arguments of 'getItem' are wrong",
        code="TM501",
        hint="see tm show getItem",
        at=Location("tenants/acme/tools.yaml", 3, 5),
        details=(Detail("lines.0.qty", "must be at least 1"), Detail("", "is no object")),
    )


def row(number: int = 7, **changes: Any) -> Row:
    base = Row(
        id=number, started_at="2026-05-04T14:30:05.123456Z", tenant="acme", tool_name="getItem",
        entry_type="cli", state="ok", args={"id": 1}, result={"ok": True}, error=None,
        duration_ms=15.2, http_status=200, request_url="http://erp.example/items", parent_id=None,
        response_bytes=107, chat_id=None, user_id=None, assistant=None, dry_run=False,
    )  # fmt: skip
    return replace(base, **changes)


def failed_row(number: int = 8, **changes: Any) -> Row:
    error = RunError("TM504", "the API answered 404")
    return row(number, state="failed", result=None, error=error, **changes)


def detail(**changes: Any) -> RunDetail:
    base = RunDetail(
        steps=[Step("validate", "ok", 0.31).to_json()],
        log=[log_line().to_json()],
        children=(),
    )
    return replace(base, **changes)


def tool(name: str = "getItem", **changes: Any) -> Tool:
    at = Location("tenants/acme/tools.yaml", 2, 3)
    base = Tool(
        name=name, tenant="acme", home="acme", at=at, description="Fetch\n an item.",
        parameters={"type": "object"},
        fields={"description": Field("acme", Location(at.path, 3, 5)),
                "parameters": Field("_shared", Location("tenants/_shared/base.yaml", 4, 5))},
        declared={"description": "Fetch\n an item.\n", "parameters": {"type": "object"}},
    )  # fmt: skip
    return replace(base, **changes)


def tenant(code: str = "acme", *names: str, **changes: Any) -> Tenant:
    tools = {name: tool(name, tenant=code) for name in names or ("getItem",)}
    return replace(Tenant(code, Path("/w/tenants") / code, tools=tools), **changes)
