"""A tree that is said to compile does; each refusal of the compiler is left to the compiler."""

import ast

import pytest

from tm.scan import scan_source
from tm.scan.collect import Collector
from tm.scan.compiled import surely_compiles

SURE = [
    "x = 1\n",
    "def f(a, *, b=1, **c):\n    return g(a, b=b, **c)\n",
    "def f():\n try:\n  return 1\n except ValueError:\n  raise\n except:\n  pass\n",
    "from math import sqrt\nf = lambda a, b: [x for x in a if x]\n",
]

REFUSED = [
    "def f():\n    break\n",
    "def f():\n    continue\n",
    "def f():\n    x = 1\n    global x\n",
    "def f():\n    nonlocal x\n",
    "def f():\n    await g()\n",
    "def f():\n    *a, *b = c\n",
    "def f():\n    a = *b\n",
    "def f(a, a):\n    pass\n",
    "f = lambda a, a: a\n",
    "def f():\n    g(a=1, a=2)\n",
    "def f(__debug__):\n    pass\n",
    "def f():\n    from math import *\n",
    "from __future__ import nothing\n",
    "class A:\n    return 1\n",
    "class A:\n    x = [y := 1 for z in ()]\n",
    "def f():\n try:\n  pass\n except:\n  pass\n except ValueError:\n  pass\n",
    "def f(x):\n match x:\n  case y:\n   pass\n  case 1:\n   pass\n",
    "def f(\N{KELVIN SIGN}, K):\n    pass\n",
    "def f():\n" + "".join(" " * n + "if 1:\n" for n in range(1, 3)) + "   yield\n return\nyield\n",
    "def f():\n" + "".join(" " * n + "while x:\n" for n in range(1, 23)) + " " * 23 + "pass\n",
]


def _is_sure(text: str) -> bool:
    return surely_compiles(Collector(ast.parse(text)).facts, text)


@pytest.mark.parametrize("text", SURE)
def test_usual_file_surely_compiles(text: str) -> None:
    assert _is_sure(text)
    compile(text, "x.py", "exec", dont_inherit=True)


@pytest.mark.parametrize("text", REFUSED)
def test_what_only_the_compiler_refuses_is_left_to_it(text: str) -> None:
    assert not _is_sure(text)
    with pytest.raises(SyntaxError):
        compile(text, "x.py", "exec", dont_inherit=True)
    assert scan_source(text.encode(), "x.py").hits
