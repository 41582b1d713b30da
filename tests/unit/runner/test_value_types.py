"""Classes based on values: what they may not define, with the scan off and on."""

import pytest

from tests.tenant_functions import Workshop, handler, parse_only
from tm.errors import ConfigError, SecurityError
from tm.scan import scan_source

EQUAL = "    def __eq__(self, other): return True\n    def __hash__(self): return 0\n"
BASES = {
    "str": "", "bytes": "", "int": "", "float": "", "complex": "", "tuple": "", "frozenset": "",
    "date": "from datetime import date\n", "time": "from datetime import time\n",
    "datetime": "from datetime import datetime\n", "timedelta": "from datetime import timedelta\n",
    "Decimal": "from decimal import Decimal\n", "Fraction": "from fractions import Fraction\n",
    "UUID": "from uuid import UUID\n", "IPv4Address": "from ipaddress import IPv4Address\n",
    "d.date": "import datetime as d\n",
}  # fmt: skip
# What both the scan and the finished class tell.
REFUSED = {
    "hash and eq": "class S(str):\n" + EQUAL,
    "hash only": "class S(str):\n    def __hash__(self): return 0\n",
    "ne": "class S(int):\n    def __ne__(self, other): return False\n",
    "ordering": "class S(float):\n    def __lt__(self, other): return True\n",
    "assigned": "def h(self): return 0\nclass S(str):\n    __hash__ = h\n",
    "lambda": "class S(str):\n    split = lambda self, *a: []\n",
    "method of the base": "class S(str):\n    def rsplit(self, *a): return ['Asia', 'Tokyo']\n",
    "by its own base": "class S(str): pass\nclass T(S):\n    def __hash__(self): return 0\n",
    "by a mixin": "class M:\n    def __hash__(self): return 0\nclass S(M, str): pass\n",
    "by an alias": "Base = str\nclass S(Base):\n    def __hash__(self): return 0\n",
    "enum mixin": "from enum import Enum\nclass S(str, Enum):\n    A = 'a'\n"
        "    def __hash__(self): return 0\n",
    "method of an enum mixin": "from enum import StrEnum\nclass S(StrEnum):\n    A = 'a'\n"
        "    def rsplit(self, *a): return []\n",
    "named tuple": "from typing import NamedTuple\nclass S(NamedTuple):\n    a: int\n"
        "    def __hash__(self): return 0\n",
    "namedtuple call": "from collections import namedtuple\nclass S(namedtuple('S', 'a')):\n"
        "    def __eq__(self, other): return True\n",
    "integer flags": "class F(int):\n    def __and__(self, other): return 0\n",
    "dataclass": "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass S(str):\n"
        "    x: int = 1\n",
    "loop in the body": "class S(str):\n    for __hash__ in (len,): pass\n",
    "private field": "from ipaddress import IPv4Address\nclass S(IPv4Address):\n    _ip = 1\n",
    **{f"of {base}": f"{top}class S({base}):\n{EQUAL}" for base, top in BASES.items()},
}  # fmt: skip
# What only the finished class, or the object, tells.
LATE = {
    "two subclasses on": ("", "class S(g(str)):\n    def __hash__(self): return 0\n",
        "def g(x): return x\n"),
    "class attribute": ("S.split = len", "", "class S(str): pass\n"),
    "class attribute of a mixin": ("M.split = len", "",
        "class M: pass\nclass S(M, str): pass\n"),
    "instance attribute": ("s = S('a')\ns.rsplit = len", "", "class S(str): pass\n"),
    "instance attribute in its method": ("S('a').go()", "",
        "class S(str):\n    def go(self): self.rsplit = len\n"),
    "instance attribute by object": ("S('a').go()", "",
        "class S(str):\n    def go(self): object.__setattr__(self, 'rsplit', len)\n"),
    "plain class as flags of re": (
        "import re\nre.compile('x', F())",
        "",
        ("class F:\n    def __hash__(self): return 0\n    def __eq__(self, o): return True\n"
        "    def __and__(self, o): return 2 & o\n    def __or__(self, o): return 2 | o\n"),
    ),
    "private field of the library": ("a = IPv4Address('1.1.1.1')\na._ip = 5", "",
        "from ipaddress import IPv4Address\n"),
}  # fmt: skip
ALLOWED = {
    "flags of re": (
        "import re\n",
        ("return re.sub('a', 'b', 'Aa', flags=re.I), re.split('x', 'aXb', 0, re.I), "
        "bool(re.compile('a', re.I | re.M).match('A')), re.findall('a', 'aa')"),
    ),
    "plain class": (("class K:\n    def __init__(self, a): self.a = a\n"
        "    def __eq__(self, o): return self.a == o.a\n"
        "    def __hash__(self): return hash(self.a)\n    def split(self): return [self.a]\n"),
        "return {K(1): K(1).split()}[K(1)]"),
    "amount": (("from decimal import Decimal\nclass Money(Decimal):\n"
        "    def __add__(self, o): return Money(super().__add__(o))\n"
        "    def __str__(self): return 'EUR ' + super().__str__()\n"
        "    def with_tax(self): return Money(self * 2)\n"),
        "m = Money('1.5') + 1\nreturn [str(m), str(m.with_tax())]"),
    "vector": (("from typing import NamedTuple\nclass V(NamedTuple):\n    x: int = 1\n"
        "    count: int = 2\n    index: int = 3\n"
        "    def __add__(self, o): return V(self.x + o.x, self.count, self.index)\n"
        "    def __lt__(self, o): return self.x < o.x\n"), "return V() + V(2)"),
    "text": (("class Code(str):\n    def __new__(cls, t): return super().__new__(cls, t.upper())\n"
        "    def __repr__(self): return 'Code'\n    @property\n"
        "    def country(self): return self[:2]\n    def __init__(self, t): self.given = t\n"),
        "c = Code('de1')\nreturn [c, c.country, c.given, repr(c)]"),
    "enum": (("from enum import Enum, IntEnum, IntFlag, StrEnum\nclass K(str, Enum):\n"
        "    title = 't'\n    count = 'c'\n    upper = 'u'\n    lower = 'l'\n"
        "    def __lt__(self, o): return self.name < o.name\n"
        "class L(IntEnum):\n    LOW = 1\n    HIGH = 2\nclass F(IntFlag):\n    A = 1\n    B = 2\n"
        "class P(StrEnum):\n    A = 'a'\n    def __str__(self): return 'x'\n"
        "class E(Enum):\n    A = 1\n    def __eq__(self, o): return self is o\n"
        "    def __hash__(self): return 1\n"),
        "return [K.title < K.upper, L.LOW, str(P.A), int(F.A | F.B), E.A == E.A, K.lower.value]"),
    "diamond and generic": (
        ("from typing import Generic, TypeVar\nT = TypeVar('T')\nclass A(Generic[T]): pass\n"
        "class B(A[int]): pass\nclass C(A[str]): pass\nclass D(B, C, int):\n    x = 1\n"
        "def deco(k): return k\n@deco\nclass S(str): pass\n"),
        "return D(3) + 1, S('a')",
    ),
    "mapping": (("class D(dict):\n    def __hash__(self): return 1\n"
        "    def __eq__(self, o): return self is o\n    def get(self, k): return k\n"),
        "return D().get('a')"),
    "error": (("class E(ValueError):\n    def __eq__(self, o): return True\n"
        "    def __hash__(self): return 1\n"), "return str(E('x'))"),
    "user string": (("from collections import UserString\nclass U(UserString):\n"
        "    def upper(self): return 'U'\n"), "return U('a').upper()"),
    "day": (("from datetime import date\nclass Day(date):\n"
        "    def next(self): return self.replace(day=self.day + 1)\n"),
        "return Day(2024, 1, 1).next().isoformat()"),
    "dataclass": (("from dataclasses import dataclass\n@dataclass(frozen=True, order=True)\n"
        "class P:\n    a: int\n    index: int = 0\n"), "return {P(1): 'x'}[P(1)], P(1) < P(2)"),
}  # fmt: skip


def _refused(source):
    return "TM307" in {hit.code for hit in scan_source(source.encode(), "a.py").hits}


@pytest.mark.parametrize("name", REFUSED)
def test_value_that_passes_for_another_is_refused_by_the_scan(name):
    assert _refused(REFUSED[name])


@pytest.mark.parametrize("name", REFUSED)
def test_the_finished_class_is_refused_without_the_scan(tmp_path, name):
    with pytest.raises(SecurityError) as caught:
        Workshop(tmp_path, parse_only).run(handler("return 1", REFUSED[name]))
    assert caught.value.code == "TM511"


@pytest.mark.parametrize("name", LATE)
def test_what_the_source_hides_is_refused_at_run_time(tmp_path, name):
    body, inner, top = LATE[name]
    with pytest.raises(SecurityError) as caught:
        Workshop(tmp_path, parse_only).run(handler(body or "return 1", top + inner))
    assert caught.value.code == "TM511"


@pytest.mark.parametrize("name", ALLOWED)
def test_ordinary_class_is_scanned_built_and_used(tmp_path, name):
    top, body = ALLOWED[name]
    assert Workshop(tmp_path).run(handler(body, top)) is not None


def test_class_of_a_helper_file_is_seen_where_it_is_used(tmp_path):
    shop = Workshop(tmp_path)
    shop.write("acme/b.py", "class Code(str):\n    pass\n")
    source = "from .b import Code\nclass S(Code):\n    def __hash__(self): return 0\n"
    with pytest.raises((SecurityError, ConfigError)):
        shop.run(handler("return 1", source))
