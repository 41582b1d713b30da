from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.lint.fixing import mend, mended, reasons, workspace
from tm.lint.engine import lint
from tm.lint.fix import fix_files, write_fixes

TOOLS = '\n\ntools = {{"stock": {{"description": "x", "{role}": {value}}}}}\n'


def one(function: str, role: str = "handler") -> str:
    """Return a file with one tool and its function."""
    return function + TOOLS.format(role=role, value="stock")


@pytest.mark.parametrize(
    ("role", "before", "after"),
    [
        ("handler", "def stock(args, ctx):", "def stock(results, args, ctx):"),
        ("handler", "def stock():", "def stock(results, args, ctx):"),
        ("handler", "def stock( ):", "def stock(results, args, ctx ):"),
        ("handler", "def stock(results, ctx):", "def stock(results, args, ctx):"),
        ("handler", "def stock(args) -> dict:", "def stock(results, args, ctx) -> dict:"),
        ("handler", "def stock(args, ctx=None):", "def stock(results, args, ctx=None):"),
        ("handler", "def stock(args, context):", "def stock(results, args, context):"),
        ("handler", "def stock(args: dict, /):", "def stock(results, args: dict, ctx, /):"),
        ("preprocess", "def stock(args: dict) -> dict:", "def stock(args: dict, ctx) -> dict:"),
        ("preprocess", "def stock(ctx):", "def stock(args, ctx):"),
        ("postprocess", "def stock(result):", "def stock(result, args, ctx):"),
        ("postprocess", "def stock(result, ctx, **m):", "def stock(result, args, ctx, **m):"),
        (
            "handler",
            "def stock(\n    args: dict,  # all\n):",
            "def stock(\n    results,\n    args: dict,\n    ctx,  # all\n):",
        ),
    ],
)
def test_a_function_gets_the_parameters_of_its_role(
    tmp_path: Path, role: str, before: str, after: str
) -> None:
    body = "\n    # stays\n    return {}"
    assert mended(tmp_path, "a.py", one(before + body, role)) == one(after + body, role)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("def stock(ctx, args):", "another order"),
        ("def stock(rows, args):", "another order"),
        ("def stock(rows, kind):", "'rows'"),
        ("def stock(args, *, ctx):", "`*` parameters"),
        ("def stock(args={}):", "a parameter with a default"),
        ("async def stock(args, ctx):", "awaits"),
        ("def stock(args):\n    return stock(1)\n\n\ndef other():", "line 2 calls it"),
    ],
)
def test_parameters_that_are_not_clear_are_left_and_said(
    tmp_path: Path, function: str, why: str
) -> None:
    text = one(function + "\n    return {}")
    fixes = mend(tmp_path, {"a.py": text})
    assert fixes.files == {}
    assert [left for left in fixes.left if why in left.why], fixes.left


def test_a_function_that_another_file_calls_is_left(tmp_path: Path) -> None:
    text = one("def stock(args, ctx):\n    return {}")
    other = "from .a import stock as s\n\n\ndef twice(args, ctx):\n    return s(args, ctx)\n"
    fixes = mend(tmp_path, {"a.py": text, "b.py": other})
    assert fixes.files == {}
    assert [left.why for left in fixes.left] == [
        "tenants/shop/b.py:5 calls it, and would have to change as well"
    ]


def test_a_function_with_two_roles_is_left(tmp_path: Path) -> None:
    value = 'stock, "preprocess": stock'
    text = "def stock(args):\n    return {}" + TOOLS.format(role="handler", value=value)
    assert "tools use it in several roles, with different parameters" in reasons(
        tmp_path, "a.py", text
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('ctx.tool("x", {})', 'ctx["tool"]("x", {})'),
        ("(ctx).tenant", '(ctx)["tenant"]'),
        ("(ctx\n     .tenant)", '(ctx\n     ["tenant"])'),
        ('"ä" + ctx.tenant, "ctx.tool"  # ctx.tool', '"ä" + ctx["tenant"], "ctx.tool"  # ctx.tool'),
        ('f"{ctx.tenant} ctx.a {{ctx.a}}"', "f\"{ctx['tenant']} ctx.a {{ctx.a}}\""),
        ("f'{ctx.tenant}'", "f'{ctx[\"tenant\"]}'"),
        ('f"""{ctx.tenant}"""', "f\"\"\"{ctx['tenant']}\"\"\""),
        ("ctx.session[ctx.user_id]", 'ctx["session"][ctx["user_id"]]'),
        ("[ctx.tenant for _ in args]", '[ctx["tenant"] for _ in args]'),
    ],
)  # fmt: skip
def test_an_attribute_of_ctx_becomes_a_key(tmp_path: Path, before: str, after: str) -> None:
    line = "def stock(results, args, ctx):\n    return VALUE"
    text = one(line.replace("VALUE", before))
    assert mended(tmp_path, "a.py", text) == one(line.replace("VALUE", after))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("ctx.shop", "ctx has no key 'shop'"),
        ('f"{ctx . tenant}"', "f-string"),
        ("(c := ctx).tenant", "only a plain"),
    ],
)
def test_an_attribute_that_is_not_clear_is_left(tmp_path: Path, value: str, why: str) -> None:
    fixes = mend(tmp_path, {"a.py": one(f"def stock(results, args, ctx):\n    return {value}")})
    assert fixes.files == {}
    assert [left for left in fixes.left if why in left.why], fixes.left


SCHEMA = "parameters: {type: object, properties: {number: {type: string}, name: {}}, required: "


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.yaml", "[nmber]", "[number]"),
        ("a.yaml", "['ü', 'numbr']", "['ü', 'number']"),
        ("a.py", '["nmber"]', '["number"]'),
    ],
)
def test_a_misspelt_required_name_is_put_right(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    def text(names: str) -> str:
        if name == "a.yaml":
            return f"tools:\n  t:\n    {SCHEMA}{names}}}\n"
        properties = '{"number": {"type": "string"}, "name": {}}'
        schema = f'{{"properties": {properties}, "required": {names}}}'
        return f'tools = {{"t": {{"parameters": {schema}}}}}\n'

    assert mended(tmp_path, name, text(before)) == text(after)


@pytest.mark.parametrize("names", ["[colour]", "[number, numbr]"])
def test_a_required_name_with_no_clear_meaning_is_left(tmp_path: Path, names: str) -> None:
    text = f"tools:\n  t:\n    {SCHEMA}{names}}}\n"
    assert mend(tmp_path, {"a.yaml": text}).files == {}


def test_only_the_given_findings_are_mended(tmp_path: Path) -> None:
    read = workspace(tmp_path, {"a.py": one("def stock(args, ctx):\n    return ctx.tenant")})
    chosen = [finding for finding in lint(read) if finding.code == "TM204"]
    files = fix_files(read, chosen).files
    assert b'def stock(args, ctx):\n    return ctx["tenant"]' in files["tenants/shop/a.py"]


def test_mended_files_are_written_with_their_mode(tmp_path: Path) -> None:
    read = workspace(tmp_path, {"sub/a.py": "x = 1\n"})
    path = tmp_path / "tenants/shop/sub/a.py"
    path.chmod(0o600)
    assert write_fixes(read, {"tenants/shop/sub/a.py": b"y = 2\n"}) == []
    assert path.read_bytes() == b"y = 2\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_gone_is_said(tmp_path: Path) -> None:
    read = workspace(tmp_path, {"a.py": "x = 1\n"})
    failed = write_fixes(read, {"tenants/shop/b.py": b"y = 2\n"})
    assert failed == ["tenants/shop/b.py is not written: No such file or directory"]


NAMES = ["ctx.tenant", 'ctx["tenant"]', 'f"{ctx.user_id}"', '"ctx.tool"', "ctx.session", "ctx.shop"]
PARAMETERS = ["args, ctx", "", "args", "results, args, ctx", "ctx", "a, b", "args, *more"]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(PARAMETERS), st.lists(st.sampled_from(NAMES), min_size=1, max_size=4))
def test_mending_twice_changes_nothing_more(
    tmp_path: Path, parameters: str, values: list[str]
) -> None:
    text = one(f"def stock({parameters}):\n    return [{', '.join(values)}]  # ctx.tenant")
    once = mended(tmp_path, "a.py", text)
    ast.parse(once)
    assert once.endswith(text[text.index("  # ctx.tenant") :])
    assert mended(tmp_path, "a.py", once) == once
