"""YAML files become plain JSON data, or an error with line and column."""

from __future__ import annotations

import pytest

from tm.config.yaml_source import check_bytes, parse_yaml, read_yaml
from tm.errors import ConfigError


def value(text: str | bytes):
    return parse_yaml(text if isinstance(text, bytes) else text.encode(), "t.yaml")


def fault(text: str | bytes, read=parse_yaml) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        read(text if isinstance(text, bytes) else text.encode(), "t.yaml")
    return caught.value


def place(error: ConfigError) -> tuple[int | None, int | None]:
    return error.at.line, error.at.col


def test_quoted_scalars_are_text_whatever_they_hold():
    assert value('["5", \'true\', "", \'~\', "<<"]') == ["5", "true", "", "~", "<<"]


def test_keys_that_yaml_1_1_reads_as_truth_values_are_text():
    assert value("on: push\nyes: 1\nn: 2") == {"on": "push", "yes": 1, "n": 2}


def test_bom_and_crlf_are_no_part_of_the_values():
    assert value("\ufeffa: x\r\nb: |\r\n  line\r\n".encode()) == {"a": "x", "b": "line\n"}


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("a:\n  b: 1\n  b: 2", "TM002", (3, 3)),
        ("a: {x: 1, 'x': 2}", "TM002", (1, 11)),
        ("1: a", "TM003", (1, 1)),
        ("true: a", "TM003", (1, 1)),
        ("~: a", "TM003", (1, 1)),
        (": a", "TM001", (1, 1)),
        ("? [a, b]\n: c", "TM003", (1, 3)),
        ("prompt: {{name}}", "TM003", (1, 10)),
        ("a: !!python/object/apply:os.system ['true']", "TM003", (1, 4)),
        ("a: !!python/tuple [1]", "TM003", (1, 4)),
        ("a: !!set {x}", "TM003", (1, 4)),
        ("a: !!binary aGk=", "TM003", (1, 4)),
        ("a: !include other.yaml", "TM003", (1, 4)),
        ("!!str a: 1", "TM003", (1, 1)),
        ("a: !<collection> x", "TM003", (1, 4)),
        ("a: 1\n---\nb: 2", "TM003", (2, 1)),
        ("a: &a {b: *a}", "TM003", (1, 4)),
        ("a: &a [*a]", "TM003", (1, 4)),
        ("a: *nope", "TM001", (1, 4)),
        ("a: &x 1\nb: &x 2", "TM001", (2, 4)),
        ("text: see: below", "TM001", (1, 10)),
        ("a: @x", "TM001", (1, 4)),
        ("a: %x", "TM001", (1, 4)),
        ("a: `x`", "TM001", (1, 4)),
        ("a:\n  b: 1\n\tc: 2", "TM001", (3, 1)),
        ('a: "\\ud800"', "TM001", (1, 7)),
        ("a: .inf", "TM001", (1, 4)),
        ("a: " + "9" * 5000, "TM001", (1, 4)),
        ("a: [1, 2", "TM001", (1, 4)),
        ("a: 'open", "TM001", (1, 4)),
        ("<<: 5", "TM001", (1, 5)),
        ("<<: [{a: 1}, 5]", "TM001", (1, 14)),
        ("<<: {a: 1}\n<<: {b: 1}", "TM002", (2, 1)),
    ],
)
def test_refuses_with_code_and_position(text, code, at):
    error = fault(text)
    assert (error.code, place(error)) == (code, at)


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"a: 1\nb: \xfcber", "TM004", 2),
        (b"\xff\xfea\x00", "TM004", 1),
        (b"a: 1\rb: 2", "TM001", 1),
        (b"a: 1\nb: 2\rc: 3\n", "TM001", 2),
        (b"a: 1\nb: \x00", "TM001", 2),
        (b"a: 1\nb: \x1b[0m", "TM001", 2),
        (b"a: 1\n" * 500_000, "TM001", 1),
    ],
)
def test_refuses_bytes_that_are_no_text(data, code, line):
    error = fault(data)
    assert (error.code, error.at.line) == (code, line)


@pytest.mark.parametrize("text", ["a: " + "[" * 1000, "[" * 200 + "]" * 200, "- " * 5000 + "x",
                                  "a: " + "{b: " * 300 + "}" * 300])  # fmt: skip
def test_deep_nesting_is_a_clean_error(text):
    assert fault(text).code == "TM001"


def test_a_hundred_levels_are_fine():
    assert value("[" * 100 + "]" * 100)


def test_alias_bomb_is_refused_quickly():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    error = fault("\n".join(lines))
    assert error.code == "TM003"
    assert "alias bomb" in error.message


def test_merge_bomb_is_refused_or_cheap():
    lines = ["a0: &a0 {k: 1}"]
    lines += [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}]}}" for i in range(1, 7)]
    assert fault("\n".join(lines)).code == "TM003"


def test_aliases_give_the_same_value_in_each_place():
    result = value("a: &a {x: [1]}\nb: *a\nc: *a")
    assert result["b"] == result["c"] == {"x": [1]}
    assert result["b"] is not result["a"]


def test_merge_takes_the_first_and_what_stands_there_wins():
    text = "a: &a {x: 1, y: 1}\nb: &b {x: 2, z: 2}\nc: {<<: [*a, *b], y: 3}\nd: {y: 4, <<: *a}"
    result = value(text)
    assert result["c"] == {"x": 1, "y": 3, "z": 2}
    assert result["d"] == {"y": 4, "x": 1}


def test_merge_through_a_chain_of_aliases():
    assert value("a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}")["c"] == {"x": 1, "y": 2}


def test_quoted_merge_key_is_a_plain_key():
    assert value('"<<": {a: 1}') == {"<<": {"a": 1}}


def test_text_with_two_angle_brackets_is_text():
    assert value("a: <<") == {"a": "<<"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prompt: {{name}}", "quoted"),
        ("text: see: below", "quoted"),
        ("a:\n\tb: 1", "spaces"),
        ("a: !!set {x}", "tag"),
    ],
)
def test_hints_name_the_next_step(text, words):
    assert words in fault(text).hint


def test_no_hint_where_nothing_is_known():
    assert fault("a: *b").hint is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("tools:\n  t:\n    a: 1\n   b: 2\n", "spaces before this line"),
        ("tools:\n  t:\n    a: 1\n      b: 2\n", "spaces before this line"),
        ('tools:\n  t:\n    a: "1\n    b: "2"\n', "quote above it that is not closed"),
        ("a: [1", "[ or { is not closed"),
        ("a: {b: 1", "[ or { is not closed"),
    ],
)
def test_what_usually_lies_behind_a_fault_is_the_hint(text, word):
    assert word in fault(text).hint


def test_a_duplicate_key_names_the_line_of_the_first():
    assert "it is in line 1 already" in fault("a: 1\nb: 2\na: 3\n").message


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "---\n", "~", "x: 1", "services: {a: 1}", "{}"]
)
def test_file_without_the_keys_is_tm005(text):
    assert fault(text, read_yaml).code == "TM005"


@pytest.mark.parametrize("text", ["hello", "- just\n- a list", "5"])
def test_root_that_is_no_mapping_is_tm005(text):
    assert "mapping" in fault(text, read_yaml).message


def test_near_key_is_named():
    assert "'tools'" in fault("tool: {a: {}}", read_yaml).message


def test_source_knows_where_its_keys_are():
    source = read_yaml(
        b"# c\ntools:\n  getX:\n    description: d\n    mapping:\n      a: [b, c]\n", "t.yaml"
    )
    assert str(source.locate(("tools",))) == "t.yaml:2:1"
    assert str(source.locate(("tools", "getX"))) == "t.yaml:3:3"
    assert str(source.locate(("tools", "getX", "mapping"))) == "t.yaml:5:5"
    assert str(source.locate(("tools", "getX", "mapping", "a"))) == "t.yaml:6:7"
    assert str(source.locate(("tools", "getX", "mapping", "a", 1))) == "t.yaml:6:14"


def test_missing_key_is_placed_at_the_nearest_key_above():
    source = read_yaml(b"tools:\n  getX:\n    mapping: {a: b}\n", "t.yaml")
    assert str(source.locate(("tools", "getX", "mapping", "zz", "q"))) == "t.yaml:3:5"
    assert str(source.locate(("tools", "getX", "mapping", "a", "q"))) == "t.yaml:3:15"
    assert str(source.locate(("apis", "x"))) == "t.yaml:1"
    assert str(source.locate(("tools", "getX", "mapping", 5))) == "t.yaml:3:5"


def test_list_position_past_the_end_is_not_there():
    source = read_yaml(b"tools:\n  x:\n    fixtures: [{name: a}]\n", "t.yaml")
    assert str(source.locate(("tools", "x", "fixtures", 4))) == "t.yaml:3:5"
    assert str(source.locate(("tools", "x", "fixtures", "name"))) == "t.yaml:3:5"


def test_columns_count_characters():
    source = read_yaml("tools: {ä: {b: {ü: 1, c: 2}}}".encode(), "t.yaml")
    assert str(source.locate(("tools", "ä", "b", "c"))) == "t.yaml:1:23"


def test_merged_key_is_where_it_is_written():
    text = b"settings: &s\n  vars: {a: 1}\ntools:\n  x:\n    <<: [*s]\n    y: 1\n"
    source = read_yaml(text, "t.yaml")
    assert str(source.locate(("tools", "x", "vars"))) == "t.yaml:2:3"


def test_check_bytes_returns_the_text():
    assert check_bytes(b"\xef\xbb\xbfa: 1") == "a: 1"


def test_twenty_thousand_keys_are_allowed():
    assert len(value("\n".join(f"k{i}: {i}" for i in range(20_000)))) == 20_000


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize(
    "form", ["a: x{}y", "a: 'x{}y'", 'a: "x{}y"', "a: |-\n  x{}y", "a: &x x{}y"]
)
def test_line_separators_are_ordinary_characters(char, form):
    text = form.format(char) + "\nb: &b {c: 1}\nd: *b"
    assert value(text) == {"a": f"x{char}y", "b": {"c": 1}, "d": {"c": 1}}


def test_line_separators_beside_private_characters_are_refused():
    assert fault("a: \u2028\ue028").code == "TM001"


def test_comment_with_a_line_separator_alone():
    assert value("# x\u2028y") is None


def test_a_misspelt_section_comes_last_with_the_nearest():
    with pytest.raises(ConfigError) as caught:
        read_yaml(b"tool: {}\n", "tenants/acme/a.yaml")
    assert caught.value.message.endswith("scheduled, settings; did you mean 'tools'?")
