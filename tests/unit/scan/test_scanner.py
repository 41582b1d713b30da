"""Places, families, scopes and messages of the scan's hits."""

from __future__ import annotations

import ast

import pytest

from tm.scan import Hit, scan_source
from tm.scan.report import Report
from tm.scan.rules_flow import check_unknown


def _hits(source: str, depth: int = 0) -> tuple[Hit, ...]:
    return scan_source(source.encode(), "tools/a.py", depth=depth).hits


def _codes(source: str, depth: int = 0) -> list[str]:
    return [hit.code for hit in _hits(source, depth)]


def test_clean_file_gives_the_tree_that_may_be_compiled() -> None:
    scan = scan_source(b"X = 1\n", "a.py")
    assert isinstance(scan.tree, ast.Module)
    assert scan.hits == ()


def test_refused_file_still_gives_its_tree_for_lint() -> None:
    assert scan_source(b"import os\n", "a.py").tree is not None


def test_columns_count_characters_not_bytes() -> None:
    (hit,) = _hits("def f():\n    return 'äöü', open('x')\n")
    assert (hit.line, hit.col, hit.end_line, hit.end_col) == (2, 19, 2, 23)


def test_hits_come_in_the_order_of_the_file() -> None:
    hits = _hits("def f():\n    eval('1')\n    open('x')\nimport os\n")
    assert [hit.line for hit in hits] == [2, 3, 4]


@pytest.mark.parametrize(
    ("use", "code"),
    [
        ("os.remove('x')", "TM301"),
        ("os.environ", "TM302"),
        ("os.path.exists('x')", "TM302"),
        ("os.system('x')", "TM303"),
        ("os", "TM303"),
    ],
)
def test_use_of_a_forbidden_module_is_named_by_what_it_does(use: str, code: str) -> None:
    hits = _hits(f"import os\n\n\ndef f():\n    return {use}\n")
    assert [(hit.code, hit.line) for hit in hits] == [("TM306", 1), (code, 5)]


def test_open_is_reading_or_writing_by_its_mode() -> None:
    assert _codes("def f():\n    open('x')\n") == ["TM302"]
    assert _codes("def f():\n    open('x', 'rb')\n") == ["TM302"]
    assert _codes("def f():\n    open('x', mode='a')\n") == ["TM301"]
    assert _codes("def f(m):\n    open('x', m)\n") == ["TM301"]


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("def f():\n    open('x', 'w')\n", "writeFile"),
        ("def f():\n    open('x')\n", "readFile"),
        ("import requests\ndef f():\n    requests.get('x')\n", 'ctx["http"]'),
        ("import os\n", "from .file import name"),
        ("print('x')\n", "function"),
        ("def f():\n    try: pass\n    except: pass\n", "except Exception"),
    ],
)
def test_help_says_what_to_use_instead(source: str, part: str) -> None:
    assert any(part in hit.help for hit in _hits(source))


def test_misspelt_module_and_name_get_the_nearest() -> None:
    assert "'datetime'" in _hits("import datetim\n")[0].message
    assert "'loads'" in _hits("from json import load5s\n")[0].message
    assert "'sorted'" in _hits("def f(x):\n    return sortd(x)\n")[0].message


@pytest.mark.parametrize("level", [1, 2, 3])
def test_relative_import_may_climb_as_far_as_the_tenant(level: int) -> None:
    source = f"from {'.' * level}helpers import tax\n"
    assert _codes(source, depth=level - 1) == []
    assert _codes(source, depth=level) == []
    if level > 1:
        assert _codes(source, depth=level - 2) == ["TM306"]


def test_import_inside_a_class_body_is_refused_even_if_allowed() -> None:
    assert {"TM306", "TM307"} <= set(_codes("class A:\n    import json\n"))
    assert "TM306" in _codes("class A:\n    from json import loads\n")


def test_package_alone_is_no_module() -> None:
    assert _codes("import urllib\n") == ["TM306"]
    assert "TM305" in _codes("import urllib.parse\ndef f():\n    urllib.request\n")
    assert "TM302" in _codes("from xml import dom\n")


def test_async_is_the_signature_rule_and_says_why() -> None:
    hits = _hits(
        "async def f():\n    await g()\n    async for x in y: pass\ndef g(): pass\ny = []\n"
    )
    assert {hit.code for hit in hits} == {"TM201"}
    assert "async" in hits[0].message
    assert _codes("def f(y):\n    return [x async for x in y]\n") == ["TM201"]


def test_method_hints_are_given_only_beside_forbidden_modules() -> None:
    assert _codes("def f(x):\n    x.write('a')\n    x.unlink()\n") == []
    assert "TM301" in _codes("from pathlib import Path\ndef f(x):\n    x.unlink()\n")
    assert "TM301" not in _codes("import sys\ndef f(x):\n    sys.stdout.write('a')\n")


@pytest.mark.parametrize(
    "source",
    [
        "def compile(x): return x\ndef f(): return compile(1)\n",
        "def f(): return compile(1)\ndef compile(x): return x\n",
        "from .helpers import compile\ndef f(): return compile(1)\n",
        "class A:\n    def open(self): return 1\n    def f(self): return self.open()\n",
        "def f():\n  open = 1\n  def g():\n    nonlocal open\n    open = 2\n  return g\n",
    ],
)
def test_own_name_hides_a_builtin(source: str) -> None:
    assert _codes(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "X = [compile]\ndef compile(x): return x\n",
        "def deco(f): return compile\n@deco\ndef g(): pass\ndef compile(x): return x\n",
        "class A:\n    compile = compile\n",
        "def f():\n    global compile\n    compile = 1\ndef g(): return compile\n",
        "compile = 1\ndef f():\n    global compile\n    del compile\ndef g(): return compile\n",
        "(compile := 1) if 0 else 2\nX = compile\n",
        "X = 0 and (compile := 1)\ndef g(): return compile\n",
    ],
)
def test_builtin_that_may_shine_through_is_refused(source: str) -> None:
    assert "TM304" in _codes(source)


def test_dotted_use_before_and_after_the_allowed_member() -> None:
    assert _codes("import datetime as dt\nX = dt.datetime.max.year\n") == []
    assert _codes("import collections\ndef f(x):\n    return collections.abc.Mapping\n") == []
    assert _codes("import dataclasses as d\n@d.dataclass\nclass A: pass\n") == []


def test_config_mapping_is_written_once_and_literally() -> None:
    assert _codes("tools = {}\ntools = {}\n") == ["TM308"]
    assert _codes("tools = {}\ntools |= {}\n") == ["TM308"]
    assert _codes("apis = {}\napis['x'] = {}\n") == ["TM308"]
    assert _codes("tools = {'x': len('a')}\n") == ["TM308"]
    assert _codes("a = b = {}\nx, y = 1, 2\nother = {}\nother['x'] = 1\n") == []


def test_type_checking_block_may_hold_imports_only() -> None:
    head = "import typing\nfrom typing import TYPE_CHECKING\n"
    assert _codes(head + "if TYPE_CHECKING:\n    from tm import Ctx\n") == []
    assert _codes(head + "if typing.TYPE_CHECKING:\n    from tm import Ctx\n") == []
    assert _codes(head + "if TYPE_CHECKING:\n    X = 1\n") == ["TM308"]
    assert _codes(head + "if TYPE_CHECKING:\n    pass\nelse:\n    X = 1\n") == ["TM308"]


_REFUSED = [
    "def f():\n    def g():\n        nonlocal_ = 1\n    x: int\n    del x\n    open('a')\n",
    "class A:\n    def open(self): pass\n    del open\n    x = open\n",
    "class A:\n    def __exit__(self, *a): return not False\n",
    "class A:\n    def __exit__(self, *a): return False or True\n",
    "class A:\n    def __exit__(self, *a): return bool(a)\n",
    "class A:\n    def __exit__(self, *a): return a\n",
    "class A:\n    def __eq__(self, o):\n        KEPT.append(o)\n        return True\nKEPT = []\n",
    "class A:\n    def __eq__(self, o):\n        (k := o)\n        return True\n",
    "class A:\n    def __eq__(self, o): return o\n",
    "class A:\n    gi_frame: int\n    a.b = 1\na = 1\n",
    "from collections import namedtuple\nP = namedtuple('P', 'x, gi_frame')\n",
    "def f(k, kind): return kind('X', (), {'a': lambda s: 1})\n",
    "def f(x):\n try: pass\n finally:\n   try: pass\n   except ValueError: return 1\n",
    "def f(x):\n    try: pass\n    finally:\n        match x:\n            case 1: return 1\n",
    "def f(x):\n    k = type(x) if x else None\n    k.a = 1\n",
    "def f(x):\n    k = type(x) or None\n    k.a = 1\n",
    "def f(x):\n    (k := (y := type(x))).a\n    k.a = 1\n",
    "def f(x): (y := type(x)).a = 1\n",
    "import datetime\ndef f(x): x.__init__(1)\n",
    "def f(x): (x + x).__init__(1)\n",
    "def f(): type.__init__(1)\n",
    "def f(x): object.__setattr__(x, 'a', 1)\n",
    "def f(x): return object.__setattr__\n",
    "def show(x): return x\n@show.register\ndef g(x): return x\n",
    "from abc import ABC\nclass A(ABC):\n    def register(self): pass\nA.register(int)\n",
    "from json import JSONEncoder\ndef f(): JSONEncoder.register(int)\n",
    "from typing import Generic\nclass B: pass\nclass A(B):\n    pass\ndef f(): A.register(int)\n",
    "from os import path\ndef f(): return path.exists('x')\n",
    "from importlib import nothing\ndef f(): return nothing.x\n",
    "from nowhere import *\ndef f(): return thing\n",
    "def own(): return 1\nX = (lambda: own)().x()\n",
    "class A: pass\na = A()\nX = a.b.c()\n",
    "def f(x): return super\n",
    "import json\njson = 1\njson = 2\ndef f(): return json.codecs\n",
    "from collections import namedtuple\nclass A(namedtuple('A', 'x')): pass\nA.register(int)\n",
    "from functools import cache\nclass A(cache()): pass\ndef f(x): x.register(int)\n",
    "from pathlib import Path\ndef f(x): return 'a'.write(x), Path\n",
    "def f(x): return (type(x), 1).index(type)\n",
    "def f(x): return '{}'.join.format(x)\n",
    "def f(x): return (x)(1).format(1)\n",
    "def f(x): return (b'{}' or x).format(1)\n",
    "def f(x): return ('{}' - x).format(1)\n",
    "def f(x): return x()[0].format(1)\n",
    "def f(x): return [x, '{}'][0].format(1)\n",
    "class A:\n    T: str\n    def f(self): return self.T.format(1)\n",
    "def f(x):\n    t = x\n    return [t][0].format(1), ({'a': x} | {})['a'].format(1)\n",
    "X = {}\nX['a'].format(1)\n",
    "def f(y):\n    T = {'a': y}\n    return T['a']['b'].format(1)\n",
]


@pytest.mark.parametrize("source", _REFUSED)
def test_odd_way_round_a_rule_is_refused(source: str) -> None:
    assert _codes(source)


_REFUSED += [
    "from functools import wraps\ndef f(o, k): return list(map(wraps(o), [k]))\n",
    "from functools import wraps\ndef f(o, g): return g(wraps(o), o)\n",
    "from functools import wraps\ndef f(o):\n    w = wraps(o)\n    return w\n",
    "from abc import abstractmethod\nfrom json import dumps\ndef f(): abstractmethod(dumps)\n",
    "class A:\n    __slots__ = ('__class__', 'x')\n",
    "from types import SimpleNamespace as N\ndef f(): return N(**{'__class__': int})\n",
    "from types import SimpleNamespace\ndef f(): return SimpleNamespace(__class__=int)\n",
    (
        "from collections import ChainMap\ndef f(results, args, ctx):\n"
        "    c = ChainMap({}, ctx)\n    c.maps[1]['tenant'] = 'x'\n"
    ),
]
_FINE = [
    "from functools import wraps\ndef d(f):\n  @wraps(f)\n  def w(): return f()\n  return w\n",
    "from functools import wraps\ndef d(f, g): return wraps(f)(g)\n",
    "from abc import ABC, abstractmethod\nclass A(ABC):\n  @abstractmethod\n  def f(self): pass\n",
    "class A:\n    __slots__ = ('x', '__dict__', '__weakref__')\n",
    "from types import SimpleNamespace\ndef f(row): return SimpleNamespace(a=1, **row)\n",
    (
        "from collections import ChainMap\ndef f(results, args, ctx):\n"
        "    return dict(ChainMap(args, ctx['config']))\n"
    ),
    "def f():\n x = 1\n def g():\n  def h():\n   nonlocal x\n   x = 2\n  h()\n return g\n",
    "def f(x):\n    x: int = 1\n    y: int\n    del x\n    return 1\n",
    "def f(x): return [a + b for a in x for b in a if b]\n",
    "class A:\n    def __exit__(self, *a): return not a\n",
    "class A:\n    def __exit__(self, *a): return a[0] is KeyError or False\n",
    "X = {1} | {2}\nY = (X | {3}).union([4])\nZ = {1}.union([2])\nW = [c for c in X].copy()\n",
    "def f(x): return (x + x).name\n",
    "def f(x): return type(x) in (int, str), (1, type(x))\n",
    "T = '{}'.strip()\ndef f(x): return '{} '.rstrip().format(x)\n",
    "class A:\n  def format(self, x): return x\ndef f(x):\n  a = A()\n  return a.format(x)\n",
    "def f(x): return x == type or x == (type, 1)\n",
    "S = {'a': '{}'}\nT = {'b': '{}'}\ndef f(x): return S['a'].format(x) + T['b'].format(x)\n",
    "def f(x): return x.obj.obj\n",
    "class A:\n    pass\nclass R(A):\n    def register(self): pass\ndef f(r): r.register(1)\n",
    "x: int\nX = Y = 1\nZ: dict = {}\n",
]


@pytest.mark.parametrize("source", _FINE)
def test_near_miss_of_a_rule_is_fine(source: str) -> None:
    assert _codes(source) == []


@pytest.mark.parametrize("count", [2_000])
def test_many_aliases_of_one_name_end_quickly(count: int) -> None:
    assert _codes("def f(ctx):\n    x = ctx\n" + "    x = x.a\n" * count) == []


def test_syntax_of_a_newer_python_is_refused_until_the_policy_knows_it() -> None:
    report = Report(["x"])
    check_unknown([ast.Interactive([])], report)
    (hit,) = report.hits()
    assert hit.code == "TM307"
    assert "Interactive" in hit.message


def test_path_that_the_parser_refuses_is_a_finding() -> None:
    assert [hit.code for hit in scan_source(b"X = 1\n", "a\0.py").hits] == ["TM001"]


_TANGLED = {
    "calls": "def f(c):\n    f(c)\n    c.x = 1\n" * 400,
    "results": "def f():\n    return f()\n" * 300 + "def g():\n    f().x = 1\n" * 300,
    "names": "def f():\n" + "    t = {'a': t['a']}\n    t['a'].x = 1\n" * 300,
}


@pytest.mark.parametrize("name", _TANGLED)
def test_file_whose_values_cannot_be_followed_is_refused(name: str) -> None:
    messages = [hit.message for hit in scan_source(_TANGLED[name].encode(), "a.py").hits]
    assert any("too tangled" in message for message in messages)


_FOLLOWED = [
    "def f(c):\n    return (c.a, lambda: c)\ndef g(x): f(x).b = 1\n",
    "def f(): return f()\ndef g(): f().x = 1\n",
    "class A:\n    def __init__(self): self.b = 1\ndef g(): A.b.c = 2\n",
    "class A:\n    b = {}\n    def g(self): self.b.c = self.b\n",
    "class A:\n    x = A.x\n    def g(self): self.x.y = 2\n",
    "class A:\n    def g(self):\n        self.x = self.x\n        self.x.y = 2\n",
    "class A:\n    def f(self): pass\n    f = 3\ndef g(a): A().f(a)\ndef h(c): c['x'] = 1\n",
    "def f(x, *, k=1): x.y = k\ndef g(a): f(a, **a)\n",
    "import functools\nfrom functools import wraps\ndef f(x): x.y = 1\ndef g(a): wraps(f, a)\n",
    "tools = {'a': {'handler': f, 'x': 1}}\ndef f(a): a['x'] = 1\n",
    "def f(a): return {'handler': f, 'preprocess': g}\ndef g(a, k): k['x'] = 1\n",
    "tools = {'a': {'handler': print}}\n",
    "f = g = None\ntools = {'a': {'handler': f}}\ndef h(c): c['x'] = 1\n",
]


@pytest.mark.parametrize("source", _FOLLOWED)
def test_following_values_ends_and_raises_no_false_alarm(source: str) -> None:
    assert "too tangled" not in str([hit.message for hit in scan_source(source.encode(), "a").hits])


_FOUND = [
    "g = lambda c: c.update(http=1)\ndef handler(results, args, ctx): g(ctx)\n",
    "x = print\ndef f(): x.y = 1\n",
    "def f(x): x.y = 1\ndef g(): f(print)\n",
    "def f(results, args, context): context['http'] = None\n",
]


@pytest.mark.parametrize("source", _FOUND)
def test_change_of_ctx_or_of_what_is_shared_is_found_at_the_end_of_the_way(source: str) -> None:
    assert _codes(source) == ["TM307"]


def test_a_name_that_the_role_passes_in_is_explained_as_a_parameter() -> None:
    hits = scan_source(b"def f(args):\n    return ctx, amonut\n", "t.py").hits
    assert [hit.message for hit in hits] == [
        "the name 'ctx' is not defined in this file",
        "the name 'amonut' is not defined in this file",
    ]
    assert "it is a parameter: preprocess takes (args, ctx)" in hits[0].help
    assert hits[1].help == "correct the name, import it, or define it in this file"
