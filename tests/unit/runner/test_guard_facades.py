"""What tenant files see instead of the interpreter: builtins, modules, imports."""

import builtins
import sys

import pytest

from tests.tenant_functions import Workshop, handler, parse_only
from tm.errors import SecurityError, ToolError
from tm.runner import facades
from tm.runner.facades import tenant_builtins
from tm.runner.guard import ForbiddenError
from tm.scan.policy import BUILTINS, MODULES


@pytest.fixture
def shop(tmp_path):
    return Workshop(tmp_path, parse_only)


def stopped(shop, body, before=""):
    with pytest.raises(SecurityError) as caught:
        shop.run(handler(body, before))
    assert caught.value.code == "TM511"
    return caught.value


# -- builtins


def names():
    return tenant_builtins(BUILTINS, lambda wanted: pytest.fail(str(wanted)))


def test_every_allowed_builtin_is_there():
    assert {name for name in BUILTINS if hasattr(builtins, name)} <= set(names())


def test_every_other_function_is_there_to_be_refused():
    kept = BUILTINS | {"__build_class__", "__name__", "None", "True", "False", "__debug__"}
    real = vars(builtins)
    own = names()
    assert not [name for name in own.keys() & real.keys() - kept if own[name] is real[name]]


@pytest.mark.parametrize(
    "call",
    ["open('x')", "eval('1')", "exec('1')", "compile('1', 'x', 'eval')", "globals()", "locals()",
     "vars()", "dir()", "input()", "breakpoint()", "setattr(f, 'x', 1)", "delattr(f, 'x')",
     "memoryview(b'')", "__import__('os')"],
)  # fmt: skip
def test_refused_builtins_end_the_run(shop, call):
    assert stopped(shop, f"try:\n    {call}\nexcept Exception:\n    pass\nreturn 1")


def test_refused_builtin_is_named(shop):
    assert "tried to call eval()" in stopped(shop, "return list(map(eval, ['1']))").message


@pytest.mark.parametrize("name", ["BaseException", "SystemExit", "KeyboardInterrupt"])
def test_stop_exceptions_are_no_names(shop, name):
    with pytest.raises(ToolError, match=f"name '{name}' is not defined"):
        shop.run(handler(f"raise {name}"))


def test_files_do_not_share_their_builtins():
    assert names() is not names()


def test_builtins_of_the_interpreter_are_not_handed_out(shop):
    assert shop.run(handler("return X is None", "X = None")) is True
    module = sys.modules[next(n for n in sys.modules if n.startswith("tenants.acme.a#"))]
    assert vars(module)["__builtins__"] is not vars(builtins)


# -- getattr and hasattr


def test_getattr_reads_plain_attributes(shop):
    body = "p = Path(3)\nreturn [getattr(p, 'f_score'), getattr(p, 'no', 7), hasattr(p, 'no')]"
    before = "class Path:\n    def __init__(self, x):\n        self.f_score = x\n"
    assert shop.run(handler(body, before)) == [3, 7, False]


def test_getattr_without_a_default_raises_as_usual(shop):
    with pytest.raises(ToolError, match="AttributeError"):
        shop.run(handler("return getattr(1, 'no')"))


def test_describing_dunders_may_be_asked_for(shop):
    body = "return [getattr(f, '__name__'), hasattr([], '__len__')]"
    assert shop.run(handler(body)) == ["f", True]


@pytest.mark.parametrize("name", ["__globals__", "__class__", "gi_frame", "__dict__", "mro"])
@pytest.mark.parametrize("call", ["getattr(f, name, None)", "hasattr(f, name)"])
def test_names_of_the_interpreter_are_refused(shop, call, name):
    assert name in stopped(shop, f"name = '{name}'[::-1][::-1]\nreturn {call}").message


def test_name_of_an_own_class_is_refused(shop):
    body = "return getattr(f, Name('__globals__'))"
    assert "no plain text" in stopped(shop, body, "class Name(str):\n    x = 1\n").message


# -- imports


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_allowed_module_has_its_members(module):
    if module == "tm":
        pytest.importorskip("tm.runner.context", reason="Ctx is defined there")
    facade = facades._facade(module)
    public = {name for name in vars(facade) if not name.startswith("__")}
    assert public - MODULES[module] <= {m.rpartition(".")[2] for m in MODULES}


@pytest.mark.parametrize(
    ("statement", "value", "expected"),
    [
        ("import json", "json.dumps([1])", "[1]"),
        ("import json as j", "j.loads('1')", 1),
        ("from json import dumps as d, loads", "loads(d(2))", 2),
        ("import urllib.parse", "urllib.parse.quote('ä')", "%C3%A4"),
        ("import urllib.parse as p", "p.quote('/', safe='')", "%2F"),
        ("from urllib import parse", "parse.quote('a b')", "a%20b"),
        ("import xml.etree.ElementTree as ET", "ET.fromstring('<a/>').tag", "a"),
        ("import xml.etree.ElementTree", "xml.etree.ElementTree.fromstring('<b/>').tag", "b"),
        ("from xml.etree import ElementTree", "ElementTree.fromstring('<c/>').tag", "c"),
        ("import collections.abc", "isinstance([], collections.abc.Sequence)", True),
        ("from collections import abc", "isinstance({}, abc.Mapping)", True),
        ("import collections", "collections.Counter('aa')", {"a": 2}),
        ("from __future__ import annotations", "1", 1),
        ("from tm import ToolError", "ToolError('a').code", "TM509"),
    ],
)
def test_allowed_imports_bind_what_they_name(shop, statement, value, expected):
    assert shop.run(handler(f"return {value}", statement)) == expected


@pytest.mark.parametrize(
    "statement",
    ["import os", "import sys", "import tm.runner.guard", "import this", "from os import getcwd",
     "import os.path as p", "from uuid import os", "from re import enum",
     "from tm import Workspace",
     "import xml", "import xml.sax", "from xml import sax", "from json import *", "import _io",
     "import importlib", "import concurrent.futures", "from json import load_all",
     "import __main__"],
)  # fmt: skip
def test_other_imports_end_the_run(shop, statement):
    assert "import" in stopped(shop, "return 1", statement).message


def test_refused_import_has_a_hint_of_its_own(shop):
    assert "from .file import name" in stopped(shop, "return 1", "import os").hint


def test_import_of_the_wrong_case_is_refused_while_running_too(shop):
    assert stopped(shop, "import JSON\nreturn 1")


@pytest.mark.parametrize("value", ["re.enum", "re.enum.sys", "json.codecs", "json.tool"])
def test_modules_behind_modules_are_refused(shop, value):
    assert "use " in stopped(shop, f"return {value}", "import re, json").message


@pytest.mark.parametrize("act", ["json.dumps = len", "del json.dumps", "json.extra = 1"])
def test_modules_can_not_be_changed(shop, act):
    assert "change json." in stopped(shop, f"{act}\nreturn 1", "import json").message


def test_names_that_the_interpreter_asks_for_are_just_not_there(shop):
    shop.run(handler("return json.dumps(1)", "import json"))
    with pytest.raises(AttributeError, match="has no attribute '__path__'"):
        facades._facade("json").__path__  # noqa: B018  reading it is what is tested


def test_member_of_a_newer_python_is_missing_and_not_forbidden(shop, monkeypatch):
    later = {**MODULES, "itertools": MODULES["itertools"] | {"of_tomorrow"}}
    monkeypatch.setattr(facades, "MODULES", later)
    with pytest.raises(ToolError, match="has no attribute 'of_tomorrow'"):
        shop.run(handler("return itertools.of_tomorrow", "import itertools"))
    with pytest.raises(ToolError, match=r"ImportError: Python 3\.\d+ has no 'of_tomorrow'"):
        shop.run(handler("from itertools import of_tomorrow\nreturn 1"))


def test_first_import_of_a_module_is_not_refused(shop, monkeypatch):
    monkeypatch.setattr(facades, "_facades", {})
    monkeypatch.delitem(sys.modules, "graphlib", raising=False)
    assert shop.run(handler("import graphlib\nreturn graphlib.CycleError.__name__")) == "CycleError"


def test_c_code_may_load_what_it_needs_but_gets_nothing():
    importer = facades.Importer(lambda wanted: pytest.fail(str(wanted)))
    assert not hasattr(importer("_strptime", {}, {}, [], 0), "_strptime_datetime")
    assert not hasattr(importer("decimal", {}, {}, [], 0), "Decimal")
    with pytest.raises(ForbiddenError):
        importer("os", {}, {}, [], 0)


def test_dates_are_parsed_in_a_fresh_interpreter(tmp_path):
    import subprocess

    source = handler(
        "return datetime.strptime('2026-03-01', '%Y-%m-%d')", "from datetime import datetime"
    )
    program = (
        "import sys; from pathlib import Path; from tests.tenant_functions import Workshop\n"
        f"print(Workshop(Path(sys.argv[1])).run({source!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("2026-03-01T00:00:00\n", "")


def test_module_is_imported_from_its_package_on_first_use(shop, monkeypatch):
    monkeypatch.setattr(facades, "_facades", {})
    assert shop.run(handler("return parse.quote('a b')", "from urllib import parse")) == "a%20b"


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("from html.entities import html5", 'html5["amp;"] = "x"'),
        ("import keyword, heapq", 'heapq.heappush(keyword.kwlist, "x")'),
        ("import hashlib", 'hashlib.algorithms_available.add("x")'),
    ],
)
def test_tables_of_the_library_cannot_be_changed(tmp_path, before, body):
    with pytest.raises(ToolError) as caught:
        Workshop(tmp_path, parse_only).run(handler(body, before))
    assert caught.value.code == "TM509"


def test_tables_of_the_library_can_be_read(tmp_path):
    source = handler(
        'return [html5["amp;"], "if" in keyword.kwlist, "md5" in hashlib.algorithms_guaranteed]',
        "import hashlib, keyword\nfrom html.entities import html5",
    )
    assert Workshop(tmp_path).run(source) == ["&", True, True]


@pytest.mark.parametrize(
    "body",
    [
        'return type("A", (), {})',
        'return type(type(results))("A", (), {})',
        'kind = lambda value: type(value)\n    return kind(dict)("A", (), {})',
        'return fields(A)[0].type("A", (), {})',
        "return type(results, key=1)",
    ],
)
def test_no_class_is_built_from_data(tmp_path, body):
    before = "from dataclasses import dataclass, fields\n@dataclass\nclass A:\n    x: type = None\n"
    with pytest.raises(SecurityError, match="build a class from data"):
        Workshop(tmp_path, parse_only).run(f"{before}\n\ndef f(results, args, ctx):\n    {body}\n")


def test_type_answers_like_the_builtin(tmp_path):
    body = """
    class A:
        def twin(self):
            return type(self)()
    match A:
        case type():
            matched = True
    seen: type[A] | None = type(A().twin())
    return [
        type(1) is int, type(A()).__name__, seen is A, isinstance(A, type), isinstance(1, type),
        issubclass(type(A), type), type(A) is type, type == type(int), type(A).__name__, matched,
        str(type), str(Optional[type]), str(type[int]),
    ]
    """
    assert Workshop(tmp_path, parse_only).run(handler(body, "from typing import Optional")) == [
        True, "A", True, True, False, True, True, True, "type", True,
        "<class 'type'>", "typing.Optional[type]", "type[int]",
    ]  # fmt: skip
