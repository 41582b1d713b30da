"""Classes made by calls: names that are written out, and nothing computed."""

import pytest

from tm.scan import scan_source

ENUM = "from enum import Enum, Flag\n"
TUPLE = "from collections import namedtuple\n"
TYPED = "from typing import NamedTuple, TypedDict\n"
REFUSED = [
    ENUM + "X = Enum('X', {'__match_args__': ('__class__',), 'A': 1})",
    ENUM + "X = Enum('X', [('__match_args__', ('__class__',)), ('A', 1)])",
    ENUM + "def f(n): return Enum('X', n)",
    ENUM + "def f(n): return Enum(value='X', names=n)",
    ENUM + "def f(n): return Enum('X', {k: 1 for k in n})",
    ENUM + "def f(n): return Enum('X', dict(n))",
    ENUM + "def f(n): return Enum('X', {**n})",
    ENUM + "def f(n): return Enum(*n)",
    ENUM + "def f(n): return Enum('X', **n)",
    ENUM + "X = Flag('X', '__a' + '__ B')",
    ENUM + "X = Enum('X', {'A': 1}, module='builtins')",
    ENUM + "X = Enum('X', {'A': 1}, qualname='dict')",
    ENUM + "class B(Enum): pass\nX = B('X', {'__match_args__': ('__class__',), 'A': 1})",
    ENUM + "class B(Enum): pass\ndef f(n): return B('X', names=n)",
    "import enum\ndef f(n): return enum.IntEnum('X', n)",
    TUPLE + "def f(row): return namedtuple('R', row)",
    TUPLE + "def f(row): return namedtuple('R', [c.lower() for c in row])",
    TUPLE + "def f(row): return namedtuple(row, 'a b')",
    TUPLE + "N = namedtuple('N', 'a b', module='sys')",
    TUPLE + "N = namedtuple('N', 'a gi_frame')",
    TUPLE + "N = namedtuple('N', ('a', 'mro'))",
    TUPLE + "F = ('a', 'b')\nN = namedtuple('N', F + G)\nG = len",
    TYPED + "T = TypedDict('T', {'x if print() else y': int, '__z__': int})",
    TYPED + "def f(n): return NamedTuple('N', [(n, int)])",
    TYPED + "def f(n): return TypedDict('N', n)",
    TYPED + "X = Y\nY = X\nT = TypedDict('T', X)",
]
FINE = [
    ENUM + "X = Enum('X', 'OPEN DONE')",
    ENUM + "X = Enum('X', ['OPEN', 'DONE'], start=5)",
    ENUM + "X = Enum('X', {'OPEN': 'o', 'DONE': [1]}, module=__name__, type=str)",
    ENUM + "X = Enum('X', [('OPEN', 1), ('DONE', 2)])",
    ENUM + "NAMES = ('A', 'B')\nX = Enum('X', NAMES)",
    ENUM + "class S(Enum):\n    A = 1\ndef f(v): return S(v), S(1), S['A']",
    ENUM + "X = Flag('X', 'B')",
    "from enum import Enum\ndef f(v): return isinstance(v, Enum), Enum",
    TUPLE + "N = namedtuple('N', 'a, b', defaults=[1])",
    TUPLE + "N = namedtuple('N', ['a'] + ['b'])",
    TUPLE + "BASE = ('a', 'b')\nN = namedtuple('N', (*BASE, 'c'))",
    TUPLE + "BASE = 'a b'.split()\nN = namedtuple('N', BASE)",
    TUPLE + "def f():\n    P = namedtuple('P', field_names='a b', rename=False)\n    return P",
    TYPED + "N = NamedTuple('N', [('sku', str), ('qty', int)])",
    TYPED + "T = TypedDict('T', {'sku': str, 'due-date': str, '_id': int}, total=False)",
    "def namedtuple(a, b): return a\ndef f(x): return namedtuple(x, x)",
]


@pytest.mark.parametrize("source", REFUSED)
def test_computed_or_delicate_name_is_refused(source):
    assert "TM307" in {hit.code for hit in scan_source(source.encode(), "a.py").hits}


@pytest.mark.parametrize("source", FINE)
def test_names_that_are_written_out_are_fine(source):
    assert scan_source(source.encode(), "a.py").hits == ()
