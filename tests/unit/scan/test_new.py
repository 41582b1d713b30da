"""`__new__` returns what it makes of its own class: copy sets attributes on what it returns."""

import pytest

from tm.scan import scan_source

HEAD = "from copy import copy\nfrom ipaddress import IPv4Address\n"


def hits(source):
    return {hit.code for hit in scan_source((HEAD + source).encode(), "tenants/a/x.py").hits}


def method(body, arguments="cls, real=False"):
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return f"class A:\n    __slots__ = ('x',)\n    def __new__({arguments}):\n{lines}"


@pytest.mark.parametrize(
    "source",
    [
        method("return object.__new__(cls) if real else IPv4Address"),
        method("return IPv4Address"),
        method("made = super().__new__(cls)\nmade = IPv4Address\nreturn made"),
        method("made = super().__new__(cls)\nfor made in [IPv4Address]: pass\nreturn made"),
        method("made = super().__new__(cls)\nwith real as made: pass\nreturn made"),
        method("match real:\n    case made: pass\nreturn made"),
        method("try:\n    real()\nexcept ValueError as made:\n    return made\nreturn real"),
        method("if real:\n    return super().__new__(cls)\nreturn real"),
        method("cls = IPv4Address\nreturn super().__new__(cls)"),
        method("return super().__new__(real)"),
        method("return super().__new__()"),
        method("return super(cls, real).__new__(cls)"),
        method("return super().__init__(cls)"),
        method("return super().__new__(cls)", "cls, super"),
        method("def super(): return real\nreturn super().__new__(cls)"),
        method("global made\nreturn made"),
        method("from json import dumps as made\nreturn made"),
        method("return real.__new__(cls)"),
        method("return object.__new__(*real)", "*real"),
        "object = IPv4Address\n" + method("return object.__new__(cls)"),
        (
            "def other(f): return lambda cls: IPv4Address\n"
            "class A:\n    @other\n    def __new__(cls): return super().__new__(cls)\n"
        ),
        "class A:\n    __new__ = lambda cls: IPv4Address\n",
        "def f(cls): return IPv4Address\nclass A:\n    __new__ = f\n",
    ],
)
def test_object_of_another_class_is_refused(source):
    assert "TM307" in hits(source)


@pytest.mark.parametrize(
    "source",
    [
        method("return super().__new__(cls)"),
        method("return object.__new__(cls)"),
        method("made = super().__new__(cls)\nmade.x = real\nreturn made"),
        method("if not real:\n    raise ValueError('no')\nreturn super().__new__(cls)"),
        "class Cents(int):\n    def __new__(cls, v):\n        return int.__new__(cls, v)\n",
        (
            "class Pair(tuple):\n    def __new__(cls, a, b):\n"
            "        return super().__new__(cls, (a, b))\n"
        ),
        method("return"),
    ],
)
def test_new_object_of_its_own_class_is_fine(source):
    assert hits(source) == set()


def test_calendar_whose_tables_all_tenants_share_is_refused():
    assert "TM306" in hits("from calendar import HTMLCalendar\n")
