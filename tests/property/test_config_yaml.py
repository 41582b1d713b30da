"""Whatever bytes a file holds, reading it gives JSON data or a ConfigError."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tm.config.reader import guess_tools, has_key, read_source
from tm.config.yaml_source import parse_yaml
from tm.errors import ConfigError

YAML_PIECES = st.sampled_from(
    [
        "a",
        ":",
        " ",
        "\n",
        "-",
        "  ",
        "{",
        "}",
        "[",
        "]",
        "&a",
        "*a",
        "!!x",
        "<<",
        "'",
        '"',
        "|",
        ">",
        "#",
        "\t",
        "? ",
        ",",
        "~",
        "1e3",
        "0x1F",
        "%",
        "@",
        "---",
        "...",
        "\r\n",
        "\\ud800",
        "tools",
    ]
)
# Noncharacters are not allowed in YAML.
TEXT = st.characters(exclude_categories=["Cs", "Cc", "Cn"])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(TEXT),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(TEXT, max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


def read_or_refuse(data: bytes) -> None:
    try:
        json.dumps(parse_yaml(data, "t.yaml"), allow_nan=False).encode()
    except ConfigError as caught:
        error = caught
    else:
        return
    assert error.code in {"TM001", "TM002", "TM003", "TM004"}
    assert error.at.line >= 1


@given(st.binary(max_size=200))
def test_random_bytes_never_crash(data):
    read_or_refuse(data)


@given(st.lists(YAML_PIECES, max_size=40).map("".join))
def test_random_yaml_never_crashes(text):
    read_or_refuse(text.encode())


@given(st.lists(YAML_PIECES, max_size=40).map("".join), st.text(max_size=5))
def test_guessing_the_tools_of_a_broken_file_never_crashes(text, name):
    guess_tools(text.encode())
    has_key(text.encode(), name)


@settings(deadline=None)  # the first Python file loads the scanner
@given(st.text(max_size=200), st.sampled_from(["x.py", "x.yaml"]))
def test_any_file_gives_a_source(text, name):
    source = read_source(text.encode("utf-8", "surrogatepass"), f"tenants/acme/{name}")
    assert source.path.endswith(name)


@given(JSON)
def test_json_is_read_as_yaml(value):
    text = json.dumps(value, ensure_ascii=False)
    assert parse_yaml(text.encode(), "t.yaml") == value
