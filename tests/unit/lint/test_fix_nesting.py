from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.lint.fixing import mend, mended, reasons
from tm.config.yaml_source import parse_yaml

BLOCK = """\
tools:
  # first
  track:
    # the wrapper
    function: # wrap
      # inner
      name: track # its name
      description: >
        Folded
          text

        more
      parameters:
        type: object
        properties:
          a: {type: string, description: x}
        required:
        - a
      strict: true
    # tail
    type: function
  other: {description: x, api: y}
"""
BLOCK_FLAT = """\
tools:
  # first
  track:
    # the wrapper
    # wrap
    # inner
    # its name
    description: >
      Folded
        text

      more
    parameters:
      type: object
      properties:
        a: {type: string, description: x}
      required:
      - a
    # tail
  other: {description: x, api: y}
"""
BRACES = """\
tools:
  track: {
    "type": "function",   # old
    "function": {
      "name": "track",
      "description": "Where it is",  # text
      "parameters": {"type": "object"}
    },
    "api": "x"
  }
"""
BRACES_FLAT = """\
tools:
  track: {
    # old
    "description": "Where it is",  # text
    "parameters": {"type": "object"},
    "api": "x"
  }
"""
PYTHON = '''\
tools = {
    "track": {
        "type": "function",  # old
        # the function
        "function": {
            "name": "track",
            "description": (
                "one "
                "two"
            ),
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "string", "description": """x
    y
            z"""}},
                "required": ["a"],  # all
            }  # end of parameters
        },  # end of function
        "handler": "x.py:f",
    },
}
'''
PYTHON_FLAT = '''\
tools = {
    "track": {
        # old
        # the function
        "description": (
            "one "
            "two"
        ),
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "string", "description": """x
    y
            z"""}},
            "required": ["a"],  # all
        },  # end of parameters
    # end of function
        "handler": "x.py:f",
    },
}
'''


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.yaml", BLOCK, BLOCK_FLAT),
        ("a.yaml", BRACES, BRACES_FLAT),
        ("a.py", PYTHON, PYTHON_FLAT),
        (
            "a.yaml",
            "tools:\n  t:\n    type: function\n    function: {name: t, description: 'a, b'}\n",
            "tools:\n  t:\n    description: 'a, b'\n",
        ),
        (
            "a.yaml",
            "tools:\n- type: function\n  function:\n    name: t\n    description: x\n# c\n",
            "tools:\n  t:\n    description: x\n# c\n",
        ),
        (
            "a.yaml",
            'tools: [{"type": "function", "function": {"name": "t", "description": "x"}}]\n',
            'tools: {"t": {"description": "x"}}\n',
        ),
        (
            "a.py",
            'tools = {"t": {"type": "function", "function": {"name": "t", "description": "x"}}}\n',
            'tools = {"t": {"description": "x"}}\n',
        ),
        (
            "a.py",
            'tools = [\n    {"function": {"name": "t", "description": "x"}, "api": "y"},\n]\n',
            'tools = {\n    "t": {"description": "x", "api": "y"},\n}\n',
        ),
    ],
)
def test_nesting_becomes_flat_and_comments_stay(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    assert mended(tmp_path, name, before) == after


@pytest.mark.parametrize("name", ["a.yaml", "a.py"])
def test_line_ends_and_a_byte_order_mark_stay(tmp_path: Path, name: str) -> None:
    before, after = (BLOCK, BLOCK_FLAT) if name == "a.yaml" else (PYTHON, PYTHON_FLAT)
    text = b"\xef\xbb\xbf" + before.replace("\n", "\r\n").encode()
    assert mended(tmp_path, name, text) == "\ufeff" + after.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        (
            "a.yaml",
            "tools:\n  t:\n    function:\n      name: other\n      description: x\n",
            "which name is right",
        ),
        (
            "a.yaml",
            "tools:\n  t:\n    description: y\n    function: {name: t, description: x}\n",
            "stands under the tool and under its `function`",
        ),
        (
            "a.yaml",
            "tools:\n  t:\n    function: {name: t, # c\n      description: x}\n",
            "comments stand in the braces",
        ),
        (
            "a.yaml",
            "x: &f\n  name: t\ntools:\n  t:\n    function: *f\n",
            "something stands in the line",
        ),
        (
            "a.yaml",
            "tools:\n- function: {name: t, description: x}\n- function: {name: t}\n",
            "a name of its own",
        ),
        ("a.py", 'F = {"name": "t"}\ntools = {"t": {"function": F}}\n', "no dict written out"),
        (
            "a.py",
            'F = {"x": 1}\ntools = {"t": {"function": {"name": "t", **F}}}\n',
            "not all of its keys",
        ),
        ("a.py", 'tools = {"t": {"function": {"name": "t"}}}\n', "nothing but a name"),
    ],
)
def test_what_is_not_safe_is_left_and_said(tmp_path: Path, name: str, text: str, why: str) -> None:
    fixes = mend(tmp_path, {name: text})
    assert fixes.files == {}
    assert [left for left in fixes.left if why in left.why], fixes.left


FLAT_LIST = """\
tools:
- type: function
  name: track # its name
  description: Where it is.
  strict: true
- name: stock
  type: tool
  description: How many there are.
"""
FLAT_LIST_NAMED = """\
tools:
  track:
    # its name
    description: Where it is.
  stock:
    type: tool
    description: How many there are.
"""
FLAT_PYTHON = """\
tools = [
    {"type": "function", "name": "track", "description": "Where it is."},
    {
        "name": "stock",
        "description": "How many.",
        "strict": True,
    },
]
"""
FLAT_PYTHON_NAMED = """\
tools = {
    "track": {"description": "Where it is."},
    "stock": {
        "description": "How many.",
    },
}
"""


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.yaml", FLAT_LIST, FLAT_LIST_NAMED),
        (
            "a.yaml",
            'tools: [{"type": "function", "name": "track", "description": "x"}]\n',
            'tools: {"track": {"description": "x"}}\n',
        ),
        ("a.py", FLAT_PYTHON, FLAT_PYTHON_NAMED),
    ],
)
def test_a_flat_list_loses_what_its_names_say(
    tmp_path: Path, name: str, text: str, wanted: str
) -> None:
    assert mended(tmp_path, name, text) == wanted


def test_a_list_of_tools_that_no_name_tells_apart_is_left(tmp_path: Path) -> None:
    text = "tools:\n- function: {name: a, description: x}\n- function: {description: x}\n"
    assert reasons(tmp_path, "a.yaml", text) == ["not every tool of the list has a name of its own"]


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
FUNCTIONS = st.fixed_dictionaries(
    {"name": st.just("track"), "description": TEXTS}, optional={"parameters": VALUES}
)


def written(tool: dict[str, Any], style: str) -> tuple[str, str]:
    """Return a file's name and text with one tool, in one of the ways people write it."""
    data = {"tools": {"track": tool}}
    if style == "python":
        return "a.py", f"tools = {data['tools']!r}\n"
    if style == "json":
        return "a.yaml", "tools:\n  track: " + json.dumps(tool, indent=2).replace("\n", "\n    ")
    flow = {"block": False, "flow": True, "mixed": None}[style]
    return "a.yaml", yaml.safe_dump(
        data, sort_keys=False, allow_unicode=True, default_flow_style=flow
    )


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(FUNCTIONS, st.sampled_from(["block", "flow", "mixed", "json", "python"]))
def test_a_mended_file_says_the_same_and_is_not_mended_again(
    tmp_path: Path, function: dict[str, Any], style: str
) -> None:
    name, text = written({"type": "function", "function": function, "api": "erp"}, style)
    once = mended(tmp_path, name, text)
    if once == text:
        return
    wanted = {key: value for key, value in function.items() if key != "name"}
    if name == "a.yaml":
        assert parse_yaml(once.encode(), name)["tools"]["track"] == {**wanted, "api": "erp"}
    assert mended(tmp_path, name, once) == once
