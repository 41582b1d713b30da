"""What is seen at a glance of a function is what following its names and ways finds."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.config.discover import Listing
from tm.lint.code.frames import frame_of
from tm.lint.code.home_code import HomeCode
from tm.lint.code.log_ways import log_ways
from tm.lint.code.plain import Plain, plain_of
from tm.lint.code.roles import RoleFunction
from tm.lint.code.uses import uses_of
from tm.lint.code.values import CTX_KEYS, Known
from tm.lint.collect import lint_file
from tm.lint.rules.handler_logs import _why
from tm.lint.subjects import LintHome

LOG = 'ctx["logger"].info("x")'


def _home(text: str) -> LintHome:
    file = lint_file("tenants/shop/a.py", "shop", text.encode())
    return LintHome("shop", Listing(), [file], None)


def _plain(text: str, ctx: str | None = "ctx") -> Plain:
    node = ast.parse(dedent(text)).body[0]
    assert isinstance(node, ast.FunctionDef)
    code = HomeCode(_home("x = 1\n"))
    assert plain_of(code, node, ctx) is plain_of(code, node, ctx)
    return plain_of(code, node, ctx)


def _function(body: str) -> str:
    return "def f(results, args, ctx):\n" + indent(dedent(body), "    ")


RIGHT = [
    f"'''Doc.'''\n{LOG}\nx = work(args)\n{LOG}\nreturn x\n",
    'log = ctx["logger"]\nlog.info("x")\nx = ctx["http"].get("/")\nlog.error(x)\nreturn {**x}\n',
    f"{LOG}\nif args:\n    {LOG}\n    return 1\nfor x in args:\n    y = x\n{LOG}\nreturn y\n",
    f"{LOG}\ntry:\n    x = 1\nexcept ValueError as error:\n    {LOG}\n    raise\n{LOG}\n",
    f"{LOG}\nraise ValueError(1)\n",
]


@pytest.mark.parametrize("body", RIGHT)
def test_log_lines_at_start_and_end_are_seen(body: str) -> None:
    assert _plain(_function(body)).logs


WRONG = [
    f"x = 1\n{LOG}\nreturn x\n",
    f"{LOG}\nreturn 1\n",
    f"{LOG}\n",
    f"{LOG}\nx = 1\n",
    f"{LOG}\n{LOG}\nreturn work(args)\n",
    f"{LOG}\nif args:\n    return 1\n{LOG}\nreturn 2\n",
    f"{LOG}\nwhile True:\n    {LOG}\n{LOG}\nreturn 1\n",
    f"{LOG}\ntry:\n    {LOG}\n    return 1\nfinally:\n    work()\n",
    'ctx["logger"].info(work(args))\n' + f"{LOG}\nreturn 1\n",
    'ctx["logger"].shout("x")\n' + f"{LOG}\nreturn 1\n",
    f'log = ctx["logger"]\nlog = args\nlog.info(1)\n{LOG}\nreturn 1\n',
    f'a.b = ctx["logger"]\n{LOG}\n{LOG}\nreturn 1\n',
    "'''Doc.'''\n",
    "print('x')\nreturn 1\n",
]


@pytest.mark.parametrize("body", WRONG)
def test_other_ways_to_log_take_a_closer_look(body: str) -> None:
    assert not _plain(_function(body)).logs


@pytest.mark.parametrize(
    "body",
    [
        "helper(ctx)",
        "x = ctx",
        "ctx = args",
        'ctx["loger"].info(1)',
        'ctx[args]["x"]',
        "ctx.tenant",
        "def inner(): pass",
        "x = lambda: ctx",
        "import json",
        "try:\n    pass\nexcept ValueError as ctx:\n    pass",
        "global x",
    ],
)
def test_other_uses_of_ctx_take_a_closer_look(body: str) -> None:
    assert _plain(_function(body)) == Plain() or _plain(_function(body)).keys is None


def test_keys_of_ctx_are_gathered() -> None:
    found = _plain(_function('x = ctx["http"].get(ctx["tenant"])\nreturn {**x, "a": [x]}\n'))
    assert found == Plain(keys=frozenset({"http", "tenant"}), returns=True, logs=False)


def test_function_without_a_ctx_is_not_judged() -> None:
    assert _plain(_function("return 1\n"), None) == Plain()


def test_bare_return_is_no_result() -> None:
    assert not _plain(_function("if args:\n    return\nreturn 1\n")).returns


_SIMPLE = st.sampled_from(
    [
        *(LOG, LOG, LOG, "return 1", "return work(1)", "return", "raise KeyError(1)", "x = 1"),
        *('ctx["tool"]("a", {})', 'x = ctx["http"].get("/")', "log.info(1)", 'log = ctx["logger"]'),
        *('ctx["logger"].info(ctx["http"].get("/"))', "help(ctx)", 'y = ctx["odd"]', "'''Doc.'''"),
    ]
)


def _block(statements: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(statements, min_size=1, max_size=4).map("\n".join)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = _block(inner).map(lambda text: indent(text, "    "))
    heads = st.sampled_from(["if x:", "for y in x:", "while x:", "while True:", "with x:"])
    return st.one_of(
        st.builds(lambda head, one: f"{head}\n{one}", heads, body),
        st.builds(lambda one, two: f"if x:\n{one}\nelse:\n{two}", body, body),
        st.builds(lambda one, two: f"try:\n{one}\nexcept KeyError as e:\n{two}", body, body),
        st.builds(lambda one, two: f"try:\n{one}\nfinally:\n{two}", body, body),
    )


@given(_block(st.recursive(_SIMPLE, _compound, max_leaves=8)), st.booleans())
def test_a_glance_agrees_with_a_closer_look(body: str, framed: bool) -> None:
    text = f"{LOG}\n{body}\n{LOG}\nreturn 1" if framed else body
    home = _home(_function(text) + "\n")
    code, file = HomeCode(home), home.files[0]
    if "f" not in file.functions:
        return
    function = RoleFunction(file, file.functions["f"], "handler", "t")
    plain = plain_of(code, function.node, "ctx")
    frame = frame_of(code, file, function.node, {"ctx": Known(())})
    if plain.logs:
        assert _why(function, log_ways(frame)) is None
    if plain.returns:
        assert not {way.kind for way in code.ways(file, function.node)} & {"next", "bare"}
    if plain.keys is not None:
        uses = uses_of(frame)
        assert plain.keys >= {use.name for use in uses if use.kind == "key"}
        assert all(use.kind == "key" and use.name in CTX_KEYS for use in uses if use.kind != "tool")
        assert "tool" in plain.keys or all(use.kind != "tool" for use in uses)
