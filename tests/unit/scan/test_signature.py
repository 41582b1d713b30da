"""Which functions fit which role (TM201)."""

from __future__ import annotations

import ast

import pytest

from tm.scan import check_signature
from tm.scan.signature import Role


def _function(source: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return node


@pytest.mark.parametrize(
    ("role", "parameters"),
    [
        ("handler", "results, args, ctx"),
        ("handler", "r, a, c"),
        ("handler", "results: dict, args: dict, ctx: dict"),
        ("handler", "results, args, ctx, extra=1"),
        ("handler", "results, args, ctx=None"),
        ("handler", "*everything"),
        ("handler", "results, *rest"),
        ("handler", "results, args, ctx, *, flag=True, **more"),
        ("handler", "results, args, /, ctx"),
        ("postprocess", "result, args, ctx"),
        ("preprocess", "args, ctx"),
        ("preprocess", "args, ctx, depth=0"),
    ],
)
def test_function_that_its_role_can_call_is_fine(role: Role, parameters: str) -> None:
    assert check_signature(_function(f"def f({parameters}): pass"), role) is None


@pytest.mark.parametrize(
    ("role", "parameters"),
    [
        ("handler", ""),
        ("handler", "args, ctx"),
        ("handler", "results, args, ctx, extra"),
        ("handler", "results, args, *, ctx"),
        ("handler", "results, args, ctx, *, flag"),
        ("handler", "a, b, c, d, *rest"),
        ("postprocess", "args, ctx"),
        ("preprocess", "args"),
        ("preprocess", "results, args, ctx"),
    ],
)
def test_function_that_its_role_can_not_call_is_named_with_the_right_shape(
    role: Role, parameters: str
) -> None:
    hit = check_signature(_function(f"\n\ndef total({parameters}): pass"), role)
    assert hit is not None
    assert (hit.code, hit.line, hit.col) == ("TM201", 3, 1)
    assert "total" in hit.message
    assert role in hit.message
    assert "def total(" in hit.help


def test_async_function_is_refused_with_the_reason() -> None:
    hit = check_signature(_function("async def f(results, args, ctx): pass"), "handler")
    assert hit is not None
    assert hit.code == "TM201"
    assert "async" in hit.message
    assert "await" in hit.message
