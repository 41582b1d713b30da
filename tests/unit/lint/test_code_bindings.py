"""Names of tools that reach a call over loops, tables, imports and parameters (TM205)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.lint.fixing import workspace
from tm.lint.engine import lint

LOG = '    ctx["logger"].info("x")\n'
TOOLS = '\ntools = {"stock": {"description": "x", "handler": stock, "args_fixture": {}}}\n'
OTHER = """\
FIRST = "stocks"
NAMES = [FIRST, "stock"]
TABLE = {FIRST: "stockk"}
SAME = NAMES


def lost():
    return FIRST


def call(ctx, *, tool=FIRST):
    return ctx["tool"](tool, {})
"""


def unknown_tools(tmp_path: Path, body: str, before: str = "") -> list[str]:
    """Return the names that TM205 tells in a handler with a body."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{before}\n\ndef stock(results, args, ctx):\n{LOG}{lines}{LOG}    return {{}}\n"
    findings = lint(workspace(tmp_path, {"a.py": text + TOOLS, "b.py": OTHER}))
    codes = {found.code for found in findings}
    # It may also call itself, and import what the other file does not have.
    assert codes <= {"TM117", "TM205", "TM207"}, findings
    return sorted({one.message.split("'")[1] for one in findings if one.code == "TM205"})


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ('for n in {"stocks": 1, **args}:\n    ctx["tool"](n, {})', ["stocks"]),
        ('for n in {"a": "stocks", **args}.values():\n    ctx["tool"](n, {})', ["stocks"]),
        ('for n, _ in {"stocks": 1}.items():\n    ctx["tool"](n, {})', ["stocks"]),
        ('for n in {"stocks": 1}.copy():\n    ctx["tool"](n, {})', []),
        ('for i, n in enumerate(("stocks", "x")):\n    ctx["tool"](n, {})', ["stocks"]),
        ('for n in sorted({"stocks"}):\n    ctx["tool"](n, {})', ["stocks"]),
        ('for a, b in [("stocks", "x", 1)]:\n    ctx["tool"](a, {})', []),
        ('for args["n"] in ["stocks"]:\n    ctx["tool"](args["n"], {})', []),
        ('a, b = "stocks", "stock"\nctx["tool"](a, {})\nctx["tool"](b, {})', ["stocks"]),
        ('class Caller:\n    def go(self):\n        return ctx["tool"]("stocks", {})', ["stocks"]),
        ('def go():\n    return [ctx["tool"](n, {}) for n in names]\nnames = ["stocks"]\ngo()',
         ["stocks"]),
        ('from .b import call\ncall(ctx, tool="stockk")', ["stockk"]),
        ("from .b import call\ncall(ctx)", ["stocks"]),
        ("from .b import nothing\nnothing(ctx)", []),
    ],
)  # fmt: skip
def test_a_tool_that_is_named_in_the_function_is_looked_up(
    tmp_path: Path, body: str, names: list[str]
) -> None:
    assert unknown_tools(tmp_path, body) == names


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ('for n in NAMES:\n    ctx["tool"](n, {})', ["stocks"]),
        ('for n in SAME:\n    ctx["tool"](n, {})', []),
        ('for k, v in TABLE.items():\n    ctx["tool"](k, {})\n    ctx["tool"](v, {})',
         ["stockk", "stocks"]),
        ('ctx["tool"](FIRST, {})', ["stocks"]),
        ('ctx["tool"](lost(), {})', ["stocks"]),
        ("call(*args)", []),
        ('call(ctx, **{"tool": "stocks"})', ["stocks"]),
    ],
)  # fmt: skip
def test_a_tool_that_another_file_names_is_looked_up(
    tmp_path: Path, body: str, names: list[str]
) -> None:
    before = "from .b import FIRST, NAMES, SAME, TABLE, call, lost\n"
    assert unknown_tools(tmp_path, body, before) == names
