"""What a fix leaves as it is: each reason is said, and the file does not change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.lint.fixing import mend, mended, reasons
from tests.unit.lint.samples import finding
from tm.lint.fix.ctx_key import fix_ctx_key
from tm.lint.fix.edits import CantFixError
from tm.lint.fix.flatten_python import flatten_python
from tm.lint.fix.flatten_yaml import flatten_yaml
from tm.lint.fix.named_list import name_list_python, name_list_yaml
from tm.lint.fix.parameters import fix_parameters
from tm.lint.fix.python_file import PythonText
from tm.lint.fix.required import fix_required_python, fix_required_yaml


def python_tool(schema: str, before: str = "") -> str:
    return f'{before}tools = {{"t": {{"description": "x", "parameters": {schema}}}}}\n'


def yaml_tool(schema: str) -> str:
    return f"tools:\n  t:\n    description: x\n    parameters: {schema}\n"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        (
            "a.py",
            python_tool('{"properties": P, "required": ["nmber"]}', 'P = {"number": {}}\n'),
            "its properties are not written out beside it",
        ),
        (
            "a.py",
            python_tool('{"properties": {"number": {}}, "required": ["nm" "ber"]}'),
            "the name is not written out plainly",
        ),
        (
            "a.py",
            python_tool('{"properties": {"number": {}}, "required": R}', 'R = ["nmber"]\n'),
            "the name is not written out where the finding stands",
        ),
        (
            "a.yaml",
            yaml_tool('{properties: {number: {}}, required: ["nm\\u0062er"]}'),
            "the name is not written out plainly",
        ),
        (
            "a.yaml",
            yaml_tool("{required: [number]}"),
            "the name is not written out where the finding stands",
        ),
        (
            "a.yaml",
            yaml_tool("{properties: {streetA: {}, streetB: {}}, required: [street]}"),
            "several properties are near 'street'; add the property or take the name out",
        ),
        (
            "a.yaml",
            yaml_tool("{properties: {number: {}}, required: [colour]}"),
            "no property is near 'colour'; add the property or take the name out",
        ),
        ("a.yaml", "tools:\n  t:\n    function: x\n", ""),
        (
            "a.yaml",
            (
                "tools:\n  t:\n    function: {name: t, description: x,\n      parameters: {}} # c\n"
                "    type: >-\n      function\n"
            ),
            "its 'type' is written over several lines",
        ),
        (
            "a.yaml",
            "tools:\n  t:\n    function:\n      name: >-\n        t\n      description: x\n",
            "its 'name' is written over several lines",
        ),
        (
            "a.yaml",
            "tools:\n  t:\n    ? function\n    : name: t\n      description: x\n",
            "something stands in the line of its `function`",
        ),
        (
            "a.yaml",
            "base: &b\n  description: x\ntools:\n  t: {function: *b}\n",
            "its braces can't be followed",
        ),
        (
            "a.yaml",
            "x: &a\n  function: {name: t, description: x}\ntools:\n  t: *a\n",
            "it can't be rewritten safely where it stands; rewrite it by hand",
        ),
        ("a.py", "def f(): ...\ntools = [f]\n", ""),
        ("a.py", 'def f():\n    return [{"function": {"name": "t"}}]\ntools = f()\n', ""),
    ],
)
def test_what_is_written_in_another_way_is_left(
    tmp_path: Path, name: str, text: str, why: str
) -> None:
    fixes = mend(tmp_path, {name: text})
    assert fixes.files == {}
    assert [left.why for left in fixes.left][:1] == ([why] if why else [])


AT = finding("TM104", 1, col=1)


@pytest.mark.parametrize(
    ("fix", "text", "why"),
    [
        (lambda data: fix_required_yaml(data, AT), b"a: [", "does not parse"),
        (lambda data: fix_required_yaml(data, AT), b"", "not written out"),
        (lambda data: fix_required_yaml(data, AT), b"a: &x {b: 1}\nc: *x\n", "not written out"),
        (lambda data: fix_required_python(data, AT), b"x = {1: {2: 3}}\n", "not written out"),
        (lambda data: fix_required_python(data, AT), b"x = (\n", "rewritten safely"),
        (lambda data: flatten_yaml(data, AT), b"tools: {t: {function: x}}\n", "no mapping"),
        (lambda data: flatten_yaml(data, AT), b"a: [", "does not parse"),
        (lambda data: flatten_yaml(data, AT), b"", "not written out"),
        (lambda data: flatten_yaml(data, AT), b"tools: []\n", "not written out"),
        (lambda data: flatten_yaml(data, AT), b"tools:\n  t:\n    api: x\n", "not written out"),
        (lambda data: flatten_python(data, AT), b"tools = {}\n", "not written out"),
        (name_list_yaml, b"tools: [", "rewritten safely"),
        (name_list_python, b"tools = list()\n", "the list is not written out"),
        (name_list_python, b"tools = [{'name': f()}]\n", "a name of its own"),
        (lambda data: fix_parameters(data, AT, ["handler"]), b"x = 1\n", "top of its file"),
        (lambda data: fix_ctx_key(data, AT), b"(f)().a\n", "only a plain"),
    ],
)
def test_a_finding_that_does_not_fit_the_file_changes_nothing(
    fix: Callable[[bytes], bytes], text: bytes, why: str
) -> None:
    with pytest.raises(CantFixError, match=why):
        fix(text)


def test_an_edit_that_makes_something_else_of_a_file_is_refused() -> None:
    file = PythonText(b"x = 1\n")
    other = PythonText(b"x = 2\n").tree
    with pytest.raises(CantFixError, match="by hand"):
        file.edited([], other)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (
            "a.py",
            python_tool(
                '{"properties": {"streetName": {}, "street": {}, "zip": {}}, "required": ["stret"]}'
            ),
            python_tool(
                '{"properties": {"streetName": {}, "street": {}, "zip": {}}, '
                '"required": ["street"]}'
            ),
        ),
        (
            "a.py",
            (
                'N = 1\ntools = [{"type": "function", "function": {"name": "t", '
                '"description": "x"}}]\n'
            ),
            'N = 1\ntools = {"t": {"description": "x"}}\n',
        ),
        (
            "a.yaml",
            (
                'tools:\n  - function:\n      name: "no"\n      description: x\n\n'
                "  # next\n  - function:\n      name: b\n      description: y\napis: {}\n"
            ),
            'tools:\n  "no":\n    description: x\n\n  # next\n  b:\n    description: y\napis: {}\n',
        ),
        (
            "a.yaml",
            "tools:\n  t:\n    type: function\n    api: x\n    function: {name: t, path: /a}\n",
            "tools:\n  t:\n    api: x\n    path: /a\n",
        ),
    ],
)
def test_what_is_clear_is_mended(tmp_path: Path, name: str, before: str, after: str) -> None:
    assert mended(tmp_path, name, before) == (after or before)


def test_a_tool_that_is_flat_has_nothing_to_mend(tmp_path: Path) -> None:
    assert reasons(tmp_path, "a.yaml", "tools:\n  t: {description: x}\n") == []
