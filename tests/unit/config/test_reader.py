"""What a file may hold, by its bytes; and what a broken one would have declared."""

from __future__ import annotations

import pytest

from tm.config.reader import guess_tools, has_key, may_hold, read_source


@pytest.mark.parametrize(
    ("data", "held"),
    [
        (b"tools: {getX: 1}", True),
        (b"tools: {getY: 1}", False),
        (b'"\\x74ools": {}', True),
        (b"getX", False),
    ],
)
def test_may_hold(data, held):
    assert may_hold(data, b"tools", b"getX") is held


def test_tools_of_a_broken_file_are_the_keys_right_below():
    text = (
        "apis:\n  no:\n    x: 1\ntools:   # mine\n  # comment\n  getA:\n    sub: 1\n\n"
        "  'getB':\n  \"get C\": x\n  [\nsettings:\n  no: 1\n"
    )
    assert guess_tools(text.encode()) == ("getA", "getB", "get C")


@pytest.mark.parametrize(
    "text", ["", "tools:", "tools:\n", "tools: {a: [", "x:\n  y: 1", "\ttools:\n  a:"]
)
def test_nothing_to_guess(text):
    assert guess_tools(text.encode()) == ()


@pytest.mark.parametrize(
    "text", ["getX: {", "  'getX': 1", '{"getX": 1', "{getX: [", "getX:{", "a: 1, getX :"]
)
def test_key_in_a_broken_text(text):
    assert has_key(text.encode(), "getX")


@pytest.mark.parametrize(
    "text", ["getXY: 1", "api: getX", "my_getX: 1", "http://getX:80", "[getX]"]
)
def test_no_key_in_a_broken_text(text):
    assert not has_key(text.encode(), "getX")


def test_broken_yaml_is_a_source_with_its_problem():
    source = read_source(b"tools:\n  a: [\n", "tenants/acme/x.yaml")
    assert source.data == {}
    assert source.problems[0].tools == ("a",)
    assert str(source.locate(("tools", "a"))) == "tenants/acme/x.yaml:1"
    assert str(source.locate(("tools", "a", "b", "c"))) == "tenants/acme/x.yaml:1"
