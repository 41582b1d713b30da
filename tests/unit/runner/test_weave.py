"""The checks that tenant code carries with it, where the scan is fooled: here it is off."""

import ast

import pytest

from tests.tenant_functions import Workshop, handler, parse_only
from tm.errors import SecurityError
from tm.runner.weave import is_plain


@pytest.fixture
def shop(tmp_path):
    return Workshop(tmp_path, parse_only)


CLASSES = "import json\n"
REFUSED = {
    "library class": ("cls = json.JSONEncoder\ncls.default = len\nreturn 1", CLASSES),
    "by a match capture": (
        "match json.JSONEncoder:\n    case kind:\n        kind.default = len",
        CLASSES,
    ),
    "by a loop": ("for kind in (json.JSONEncoder,):\n    kind.default = len", CLASSES),
    "by next and iter": ("next(iter((json.JSONEncoder,))).default = len", CLASSES),
    "by a returned value": ("give().default = 1", CLASSES + "def give(): return json.JSONEncoder"),
    "by a default": ("patch()", CLASSES + "def patch(k=json.JSONEncoder): k.default = len"),
    "by partial": ("partial(type, json.JSONEncoder())().default = len",
                   CLASSES + "from functools import partial"),
    "library function": ("f = json.dumps\nf.__doc__ = 'x'", CLASSES),
    "deleted": ("cls = json.JSONEncoder\ndel cls.default", CLASSES),
    "member of an enum": ("HTTPStatus.OK.extra = 1", "from http import HTTPStatus"),
    "shared object": ("calendar.day_name.extra = 1", "import calendar"),
    "dataclass on it": (
        "dataclass(json.JSONEncoder)", CLASSES + "from dataclasses import dataclass"),
    "dataclass with options": (
        "dataclass(order=True)(json.JSONEncoder)", CLASSES + "from dataclasses import dataclass"),
    "wraps on it": ("wraps(len)(json.dumps)", CLASSES + "from functools import wraps"),
    "wraps with more": ("wraps(len, updated=('x',))", "from functools import wraps"),
    "field of a dataclass": ("g = [x for x in fields(A)][0]\ng.name = '1'",
        "from dataclasses import dataclass, fields\n@dataclass\nclass A:\n    x: int = 1"),
    "member by a loop": ("m = [s for s in HTTPStatus][0]\nm.phrase = 'x'",
        "from http import HTTPStatus"),
    "class by a comprehension": ("k = [k for k in (Fraction,)][0]\nk.limit_denominator = 1",
        "from fractions import Fraction"),
    "globals": ("return f.__globals__", ""),
    "subclasses": ("return ().__class__.__base__.__subclasses__()", ""),
    "frame": ("g = (i for i in ())\nreturn g.gi_frame", ""),
    "format of an attribute": ("t = '{0.x}'\nreturn t.format(1)", ""),
    "format unbound": ("g = str.format\nreturn g('{0.x}', 1)", ""),
    "class pattern": ("match 'a':\n    case str(format=g):\n        return g", ""),
    "match args": ("return 1", "class A:\n    __match_args__ = ('gi_frame',)"),
    "match args of a made class": (
        ("X = make('X', {'__match_args__': ('__dict__',), 'A': 1})\nmatch X.A:\n"
        "    case X(d):\n        return d"), "from enum import Enum\nmake = Enum"),
    "match args of an attribute": (
        ("K.X = make('X', {'__match_args__': ('__class__',), 'A': 1})\nmatch [K.X.A]:\n"
        "    case [K.X(d)]:\n        return d"),
        "from enum import Enum\nmake = Enum\nclass K: pass"),
    "computed slot": ("return 1", "n = '__cl' + 'ass__'\nclass A:\n    __slots__ = iter((n,))"),
    "metaclass": ("return 1", "class A(metaclass=str):\n    pass"),
    "metaclass as base": ("return 1", "class A(type):\n    pass"),
    "class hook": ("return 1", "class A:\n    def __init_subclass__(cls): pass"),
    "builtins": ("return __builtins__", ""),
    "own attribute of the interpreter": ("f.__code__ = 1", ""),
    "register": ("M = Mapping\nM.register(int)", "from collections.abc import Mapping"),
    "init of a shared object": ("calendar.day_name.__init__('%x')", "import calendar"),
    "dict of a library class": ("x = json.JSONEncoder\nreturn x.__dict__", CLASSES),
    "member table": ("e = HTTPStatus\nreturn e._member_map_", "from http import HTTPStatus"),
    "super": ("return A().g()", "class A:\n    def g(self): super().x = 1"),
    "setattr of object": ("object.__setattr__(json, 'x', 1)", CLASSES),
    "setattr of a dunder": ("return A()",
        "class A:\n    def __init__(self): object.__setattr__(self, '__class__', A)"),
}  # fmt: skip
ALLOWED = {
    "own object": ("a = A()\na.x = 2\nreturn a.x", "class A:\n    x = 1"),
    "own class": ("A.x = 2\nreturn A.x", "class A:\n    x = 1"),
    "own function": ("f.calls = 1\nreturn f.calls", ""),
    "own namedtuple class": ("P.x2 = 2\nreturn P(1).x",
        "from collections import namedtuple\nP = namedtuple('P', 'x')"),
    "new object of the library": (
        "w = textwrap.TextWrapper()\nw.width = 9\nreturn w.fill('a')", "import textwrap"),
    "error": ("e = KeyError(1)\ne.extra = 1\nreturn e.extra", ""),
    "class name": ("return f.__class__.__name__", ""),
    "own fields": ("return A().d()",
        "class A:\n    def __init__(self): self.x = 1\n    def d(self): return self.__dict__"),
    "frozen field": ("return A().x",
        "class A:\n    def __init__(self): object.__setattr__(self, 'x', 1)"),
    "format": ("t = '{0:>{w}.2f} {a[k]}'\nreturn t.format(1, w=5, a={'k': 1})", ""),
    "own format": ("a = A()\na.format = 'csv'\nreturn a.format", "class A:\n    pass"),
    "unbound format": ("return list(map(str.format, ['a{}'], [1]))", ""),
    "super method": ("return len(B({'a': 1}))",
        "class B(dict):\n    def __len__(self): return super().__len__()"),
    "own register": ("return R().register(1)",
        "class R:\n    def register(self, x): return x"),
    "wraps": ("return g()", ("from functools import wraps\n"
        "def d(h):\n    @wraps(h)\n    def w(): return h()\n    return w\n@d\ndef g(): return 1")),
    "dataclass": ("p = P(1)\np.x += 1\nreturn p",
        "from dataclasses import dataclass\n@dataclass(order=True)\nclass P:\n    x: int"),
    "match args": ("match A():\n    case A(x=y):\n        return y",
        "class A:\n    __match_args__ = ('x',)\n    x = 1"),
    "slots": ("a = A()\na.x = 1\nreturn a.x", "class A:\n    __slots__ = ('x', '__weakref__')"),
    "one slot": ("a = A()\na.x = 1\nreturn a.x", "class A:\n    __slots__ = 'x'"),
    "positional patterns": ("match [A(1), 2]:\n    case [A(x), int(n)]:\n        return x + n",
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int"),
    "private question": ("return getattr(args, '_raw', 1)", ""),
    "augmented": ("a = A()\na.n += 1\ndel a.n\nreturn a.n", "class A:\n    n = 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_all_tools_share_is_kept_without_the_scan(shop, name):
    body, before = REFUSED[name]
    with pytest.raises(SecurityError) as caught:
        shop.run(handler(body, before))
    assert caught.value.code == "TM511"
    assert caught.value.at.line


@pytest.mark.parametrize("name", ALLOWED)
def test_ordinary_attributes_work(shop, name):
    body, before = ALLOWED[name]
    assert shop.run(handler(body, before)) is not None


def test_most_code_needs_no_check():
    source = "def f(results, args, ctx):\n    return [x.upper() for x in args['names']]\n"
    assert is_plain(compile(ast.parse(source), "a.py", "exec"))


def test_helper_file_of_the_tenant_hands_out_nothing_to_change(shop):
    shop.write("acme/b.py", "import json\nkind = json.JSONEncoder\n")
    with pytest.raises(SecurityError):
        shop.run(handler("kind.default = len", "from .b import kind"))
