"""Code that leads into itself, or grows without end, is followed up to a limit and no further."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.lint.fixing import workspace
from tm.lint.engine import lint

LOG = '    ctx["logger"].info("x")\n'
TOOLS = '\ntools = {"f0": {"description": "x", "handler": f0, "args_fixture": {}}}\n'
HEAD = "def f0(results, args, ctx):\n" + LOG


def fan(width: int, depth: int) -> str:
    """Return functions that each call the next one several times, in other ways."""
    text = ""
    for number in range(depth):
        calls = ", ".join(f"f{number + 1}(results, '{n}', ctx)" for n in range(width))
        text += f"def f{number}(results, args, ctx):\n{LOG}    found = [{calls}]\n{LOG}"
        text += "    return found\n"
    return text + f'def f{depth}(results, args, ctx):\n{LOG}    return ctx["tool"](args)\n'


def chain(length: int) -> str:
    """Return functions that each call the next one."""
    text = ""
    for number in range(length):
        call = f"    x = f{number + 1}(results, args, ctx)\n"
        text += f"def f{number}(results, args, ctx):\n{LOG}{call}{LOG}    return x\n"
    return text + f"def f{length}(results, args, ctx):\n    raise KeyError(1)\n"


CASES = {
    "it calls itself": HEAD + "    y = f0(results, f0(1, 2, ctx), ctx)\n" + LOG + "    return y\n",
    "two call each other": HEAD
    + "    return g(ctx, g(ctx, 1))\ndef g(c, x):\n    return f0(g(c, x), h(c), c)\n"
    + "def h(c):\n    return g(c, h(c))\n",
    "a fan of calls": fan(6, 10),
    "a long chain": chain(300),
    "constants that grow": "".join(f"A{n} = {' + '.join([f'A{n + 1}'] * 10)}\n" for n in range(30))
    + 'A30 = "x"\n'
    + HEAD
    + LOG
    + '    return ctx["tool"](A0)\n',
    "constants in a circle": 'A = f"{B}"\nB = f"{A}"\nC = list(D)\nD = sorted(C)\n'
    + HEAD
    + LOG
    + '    for x in C:\n        ctx["tool"](x)\n'
    + '    return ctx["tool"](A)\n',
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_code_that_leads_far_is_linted_without_a_crash(tmp_path: Path, text: str) -> None:
    findings = lint(workspace(tmp_path, {"a.py": text + TOOLS}))
    assert [found for found in findings if found.code in {"TM902", "TM001"}] == []


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    text = "from .b import A, f\n" + HEAD + LOG + '    f(ctx)\n    return ctx["tool"](A)\n' + TOOLS
    findings = lint(workspace(tmp_path, {"a.py": text, "b.py": "from .a import A, f\n"}))
    assert [found for found in findings if found.code == "TM902"] == []
