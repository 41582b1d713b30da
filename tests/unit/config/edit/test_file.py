"""Changing a value in a file's text: only what differs changes, in YAML and in Python."""

import copy

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tm.config.edit.file import changed
from tm.config.reader import read_source
from tm.errors import ConfigError

YAML = """\
# agreed with finance
tools:
  getRate:
    description: Rate of a zone.   # shown to the model
    parameters: {type: object, properties: {}}
    fixtures:
      # zone A is Hamburg
      - name: hamburg
        args: {zone: A}
        expect: {zone: A, eur: 5.9}  # net
      - name: bremen   # zone B
        args: {zone: B}
        expect:
          zone: B   # the same
          eur: 1.0
          parts: [1, 2]

    # the last word
    args_fixture: {zone: A}
"""
PYTHON = '''\
"""Rates."""
tools = {
    "getRate": {
        "description": "Rate of a zone.",  # shown
        "parameters": {"type": "object", "properties": {}},
        "fixtures": [
            # zone A is Hamburg
            {"name": "hamburg", "args": {"zone": "A"}, "expect": {"zone": "A", "eur": 5.9}},
            {
                "name": "bremen",  # zone B
                "args": {"zone": "B"},
                "expect": {"zone": "B", "eur": 1.0, "parts": [1, 2]},
            },
        ],
        "args_fixture": {"zone": "A"},
    }
}
'''
FILES = {"tenants/a/x.yaml": YAML, "tenants/a/x.py": PYTHON}


def edit(path: str, change, text: str | None = None) -> str:
    data = (text or FILES[path]).encode()
    wanted = copy.deepcopy(dict(read_source(data, path).data))
    change(wanted["tools"]["getRate"])
    after = changed(data, path, wanted)
    assert dict(read_source(after, path).data) == wanted
    return after.decode()


def lines_that_differ(before: str, after: str) -> tuple[list[str], list[str]]:
    old, new = before.splitlines(), after.splitlines()
    gone = [line.strip() for line in old if line not in new]
    return gone, [line.strip() for line in new if line not in old]


def test_one_number_changes_and_nothing_else():
    after = edit("tenants/a/x.yaml", lambda t: t["fixtures"][0]["expect"].update(eur=4.9))
    assert after == YAML.replace("5.9", "4.9")
    after = edit("tenants/a/x.py", lambda t: t["fixtures"][0]["expect"].update(eur=4.9))
    assert after == PYTHON.replace("5.9", "4.9")


@pytest.mark.parametrize("case", [0, 1])
@pytest.mark.parametrize("path", FILES)
def test_last_key_goes_and_another_one_comes(path, case):
    def change(tool) -> None:
        expect = tool["fixtures"][case]["expect"]
        del expect[list(expect)[-1]]
        expect["fresh"] = [1, {"a": "no"}]
        expect["more"] = "x"

    gone, come = lines_that_differ(FILES[path], edit(path, change))
    assert len(gone) == 1
    assert 1 <= len(come) <= 5


LINED = """\
tools = {
    "getRate": {
        "expect": {
            "a": 1,  # one
            "b": 2,  # two
        },
    },
}
"""


def test_last_line_of_braces_goes_and_others_come():
    def change(tool) -> None:
        del tool["expect"]["b"]
        tool["expect"] |= {"c": 3, "d": 4}

    assert '"d": 4' in edit("tenants/a/x.py", change, LINED)


def test_case_is_added_behind_the_others():
    case = {"name": "row-7", "args": {"zone": "C", "note": "no"}, "expect": {"a": {"b": [1]}}}
    after = edit("tenants/a/x.yaml", lambda t: t["fixtures"].append(case))
    assert lines_that_differ(YAML, after) == (
        [],
        ["- name: row-7", 'args: {zone: C, note: "no"}', "a:", "b: [1]"],
    )
    after = edit("tenants/a/x.py", lambda t: t["fixtures"].append(case))
    assert lines_that_differ(PYTHON, after) == (
        [],
        ['{"name": "row-7", "args": {"zone": "C", "note": "no"}, "expect": {"a": {"b": [1]}}},'],
    )


def test_first_cases_get_their_key():
    def first(tool) -> None:
        del tool["fixtures"]

    for path, text in FILES.items():
        without = edit(path, first)
        assert "fixtures" not in without
        assert "# the last word" in without or "args_fixture" in without
        with_one = edit(path, lambda t: t.update(fixtures=[{"name": "n", "args": {}}]), without)
        assert len(with_one.splitlines()) > len(without.splitlines()), text


def test_keys_come_and_go_and_comments_of_the_others_stay():
    def change(tool) -> None:
        expect = tool["fixtures"][1]["expect"]
        del expect["eur"]
        expect["parts"] = [1, 2, 3]
        expect["new"] = {"deep": {"er": True}}

    after = edit("tenants/a/x.yaml", change)
    assert "zone: B   # the same" in after
    assert "parts: [1, 2, 3]" in after
    edit("tenants/a/x.py", change)


@pytest.mark.parametrize("path", FILES)
def test_middle_key_goes_and_another_comes(path):
    def change(tool) -> None:
        tool["fixtures"][1]["expect"] = {"zone": "B", "parts": [2], "x": [{"deep": None}]}

    edit(path, change)


SPREAD = """\
tools = {
    "getRate": {
        "description": "d",
        "fixtures": [
            {"name": "one",
             "args": {}},
            {
                "name": "two"  # the last
            }
        ]
    }
}
"""


def test_python_without_commas_at_the_ends():
    def change(tool) -> None:
        tool["fixtures"][0]["expect"] = 1
        tool["fixtures"][1]["expect"] = 2
        tool["fixtures"].append({"name": "three"})

    after = edit("tenants/a/x.py", change, SPREAD)
    assert "# the last" in after


LIST_ITEMS = """\
tools:
  getRate:
    description: d
    fixtures:
    - expect: {a: 1}
      name: one   # first
    - name: two
      expect:
      - 1   # kept
      - {b: 2}
      - c
"""


def test_items_of_block_lists():
    def change(tool) -> None:
        tool["fixtures"][1]["expect"] = [1, {"b": 3}]

    assert edit("tenants/a/x.yaml", change, LIST_ITEMS) == (
        LIST_ITEMS.replace("b: 2", "b: 3").replace("      - c\n", "")
    )


def test_item_is_written_anew_where_the_key_that_begins_it_goes():
    after = edit("tenants/a/x.yaml", lambda t: t["fixtures"][0].pop("expect"), LIST_ITEMS)
    assert "    - name: one" in after
    assert "      - 1   # kept" in after


@pytest.mark.parametrize("value", [None, 5, "text", [], {}, [1, {"a": [2]}], {"k": "x: y #"}, True])
def test_value_of_any_shape_takes_the_place(value):
    for path in FILES:
        for number in (0, 1):
            edit(path, lambda t, n=number: t["fixtures"][n].update(expect=value))


def test_windows_lines_and_a_byte_order_mark_stay():
    text = "\ufeff" + YAML.replace("\n", "\r\n")
    after = edit("tenants/a/x.yaml", lambda t: t["fixtures"].append({"name": "n"}), text)
    assert after.startswith("\ufeff# agreed")
    assert after.count("\n") == after.count("\r\n") == text.count("\n") + 1


def test_file_without_a_last_line_end():
    text = "tools:\n  getRate:\n    description: d"
    after = edit("tenants/a/x.yaml", lambda t: t.update(fixtures=[{"name": "one"}]), text)
    assert after == f"{text}\n    fixtures:\n      - name: one"


def test_tool_in_braces_keeps_them():
    text = "tools: {getRate: {description: d, fixtures: [{name: a}]}}\n"
    after = edit("tenants/a/x.yaml", lambda t: t["fixtures"].append({"name": "b"}), text)
    assert after == text.replace("{name: a}", "{name: a}, {name: b}")


def test_empty_value_is_filled_in():
    text = "tools:\n  getRate:\n    description: d\n    fixtures:\n    - name: a\n      expect:\n"
    after = edit("tenants/a/x.yaml", lambda t: t["fixtures"][0].update(expect=1), text)
    assert after.endswith("      expect: 1\n")


ALIASED = """\
tools:
  getRate:
    description: d
    args_fixture: &a {zone: A}
    fixtures:
      - {name: one, args: *a}
"""
BY_NAME = (
    'CASES = [{"name": "one"}]\ntools = {"getRate": {"description": "d", "fixtures": CASES}}\n'
)


@pytest.mark.parametrize(("path", "text"), [("x.yaml", ALIASED), ("x.py", BY_NAME)])
def test_value_that_stands_elsewhere_is_left_to_a_person(path, text):
    with pytest.raises(ConfigError, match="can't be changed safely") as told:
        edit(f"tenants/a/{path}", lambda t: t["fixtures"][0].update(args={"zone": "B"}), text)
    assert told.value.hint == "write it by hand"


TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=200)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


SMALL = st.dictionaries(st.sampled_from(["a", "b c", "yes", "1"]), VALUES, min_size=1)


@settings(max_examples=12)
@given(SMALL, SMALL, SMALL)
def test_mappings_with_keys_in_common_read_back(first, second, third):
    for path in FILES:
        text = edit(path, lambda t: t["fixtures"][1].update(expect=first))
        for value in (second, [third, first], [first], third):
            text = edit(path, lambda t, v=value: t["fixtures"][1].update(expect=v), text)


@settings(max_examples=60)
@given(VALUES, VALUES)
@example({"": None, "00": [None]}, {"": None, "0": None})
def test_every_value_reads_back(first, second):
    for path in FILES:
        once = edit(path, lambda t: t["fixtures"][1].update(expect=first))
        edit(path, lambda t: t["fixtures"][1].update(expect=second), once)
