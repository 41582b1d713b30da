import json
import math
import re
from pathlib import Path

import pytest

from tm.errors import ConfigError, ToolError
from tm.grammar.templates import (
    fill_fields,
    fill_path,
    get_argument,
    is_constant,
    named_arguments,
    odd_sides,
    path_names,
    resolve,
    scalar_text,
    top_name,
    unused_arguments,
)
from tm.model import ABSENT


def same(text):
    return text


def fill(spec, args):
    return fill_fields(spec, args, expand=same)


class TestPath:
    @pytest.mark.parametrize(
        ("value", "written"),
        [
            ("42", "42"),
            ("a/b", "a%2Fb"),
            ("10.1000/182", "10.1000%2F182"),
            ("../admin", "..%2Fadmin"),
            ("///my file", "%2F%2F%2Fmy%20file"),
            ("#frag", "%23frag"),
            ("a?admin=1#x", "a%3Fadmin%3D1%23x"),
            ("%2e%2e", "%252e%252e"),
            ("a%2Fb", "a%252Fb"),
            ("ü", "%C3%BC"),
            ("Grüße 2026.pdf", "Gr%C3%BC%C3%9Fe%202026.pdf"),
            ("http://evil.example/", "http%3A%2F%2Fevil.example%2F"),
            ("a;b=c", "a%3Bb%3Dc"),
            ("...", "..."),
            ("{x}", "%7Bx%7D"),
            (True, "true"),
            (False, "false"),
            (1.0, "1.0"),
            (0, "0"),
            (-7, "-7"),
            (12345678901234567890, "12345678901234567890"),
            ("👩\u200d🔧", "%F0%9F%91%A9%E2%80%8D%F0%9F%94%A7"),
        ],
    )
    def test_a_value_is_encoded_as_one_segment(self, value, written):
        assert fill_path("/orders/{id}/lines", {"id": value}) == f"/orders/{written}/lines"

    @pytest.mark.parametrize(
        ("value", "words"),
        [
            ("", "empty or blank"),
            ("  ", "empty or blank"),
            ("\u3000", "empty or blank"),
            ("\u200b", "empty or blank"),
            (".", "would climb"),
            ("..", "would climb"),
            ("..;", "would climb"),
            ("..;x=y", "would climb"),
            (".;a", "would climb"),
            (" .. ", "would climb"),
            ("\u200d..", "would climb"),
            (None, "is null"),
            ([7], "a list or an object"),
            ([], "a list or an object"),
            ((7,), "a list or an object"),
            ({"a": 1}, "a list or an object"),
            ("1\r\nX-Evil: 1", "control characters"),
            ("\0", "control characters"),
            ("\x7f", "control characters"),
            ("\x85", "control characters"),
            ("\u2028", "control characters"),
            ("\u202e1", "control characters"),
            ("\u2066x", "control characters"),
            ("\ud800", "control characters"),
            (math.nan, "a number that can't be written"),
            (math.inf, "a number that can't be written"),
            pytest.param(10**5000, "a number that can't be written", id="huge"),
        ],
    )
    def test_a_value_that_could_change_the_route_is_tm501(self, value, words):
        with pytest.raises(ToolError, match=re.escape(words)) as raised:
            fill_path("/items/{item.id}", {"item": {"id": value}})
        assert raised.value.code == "TM501"
        assert [detail.path for detail in raised.value.details] == ["item.id"]

    @pytest.mark.parametrize("args", [{}, {"item": {}}, {"item": None}, {"item": 5}])
    def test_an_absent_value_is_tm501(self, args):
        with pytest.raises(ToolError, match=r"item\.id is missing"):
            fill_path("/items/{item.id}", args)

    def test_all_faults_are_told_at_once(self):
        with pytest.raises(ToolError) as raised:
            fill_path("/{b}/{a}/{c}", {"b": "", "c": None})
        assert [detail.path for detail in raised.value.details] == ["b", "a", "c"]

    @pytest.mark.parametrize(
        ("template", "args"),
        [
            ("/x/.{a}/y", {"a": ";v"}),
            ("/x/..{a}{b}", {"a": ";", "b": "x"}),
            ("/x/{a}{b}", {"a": "\u200d.", "b": ".;x"}),
            ("/x/.{a}?q=1", {"a": ";"}),
        ],
    )
    def test_values_that_form_a_dot_segment_together_are_tm501(self, template, args):
        with pytest.raises(ToolError, match="would climb"):
            fill_path(template, args)

    def test_several_values_in_one_segment(self):
        assert fill_path("/{a}-{b}/{a}", {"a": "1", "b": "x y"}) == "/1-x%20y/1"

    def test_the_query_of_a_path_is_filled_as_well(self):
        assert fill_path("/s?pretty&q={q}#top", {"q": "a&b"}) == "/s?pretty&q=a%26b#top"

    def test_literal_segments_stay_as_they_are(self):
        assert fill_path("/a/./b%20c/{x}/..", {"x": "1"}) == "/a/./b%20c/1/.."

    def test_names_are_listed(self):
        assert path_names("/a/{id}/{doc.name}?q={id}") == {"id", "doc.name"}
        assert path_names("/a") == set()

    @pytest.mark.parametrize(
        "template", ["/{", "/{}", "/{a b}", "/x}", "/{{id}}", "/{+id}", "/{a..b}"]
    )
    def test_other_braces_are_tm107(self, template):
        for call in (path_names, lambda text: fill_path(text, {"id": 1})):
            with pytest.raises(ConfigError) as raised:
                call(template)
            assert raised.value.code == "TM107"


ARGS = {"a.b": 1, "a": {"b": 2, "c.d": 3}, "order-id": 4, "$top": 5, "rows": [{"x": 1}, {}]}


class TestArguments:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("a.b", 1),
            ('a."c.d"', 3),
            ("a.b.c", ABSENT),
            ("order-id", 4),
            ("$top", 5),
            ("rows.*.x", [1, None]),
            ("rows.1", {}),
            ("nope", ABSENT),
            ("order-id.*", ABSENT),
        ],
    )
    def test_the_literal_name_comes_before_the_dots(self, name, value):
        assert get_argument(ARGS, name) == value

    def test_the_argument_that_a_path_begins_with(self):
        assert top_name("a.b", {"a.b"}) == "a.b"
        assert top_name("a.b", {"a"}) == "a"
        assert top_name('"x.y".z', set()) == "x.y"

    def test_unused_arguments_are_those_that_the_path_does_not_name(self):
        args = {"doc": {"name": "x"}, "q": 1, "id": 2}
        assert unused_arguments("/docs/{doc.name}/{id}", args) == {"q": 1}

    def test_names_in_fields_are_listed(self):
        spec = {
            "a": "customer.id",
            "b": {"c": "Order {no} of {customer.name}", "d": {"value": "{not}"}},
            "e": ["x", {"f": "y"}, 5],
            "g": "{ shop { name } }",
        }
        assert named_arguments(spec) == {"customer.id", "no", "customer.name", "x", "y"}

    @pytest.mark.parametrize(
        ("side", "constant"),
        [
            ({"value": 1}, True),
            ({"value": None}, True),
            ({"value": 1, "x": 2}, False),
            ({}, False),
            ("value", False),
        ],
    )
    def test_a_mapping_with_the_single_key_value_is_a_constant(self, side, constant):
        assert is_constant(side) is constant


class TestFields:
    def test_a_path_brings_the_argument_as_it_is(self):
        args = {"customer": {"id": "K-7"}, "lines": [{"sku": "A", "qty": 2.5}], "n": 4}
        spec = {"id": "customer.id", "positions": "lines", "n": "n"}
        assert fill(spec, args) == {"id": "K-7", "positions": args["lines"], "n": 4}

    def test_absent_is_left_out_and_null_stays(self):
        assert fill({"a": "a", "b": "b", "c": "x.y"}, {"a": None, "x": None}) == {"a": None}

    def test_a_text_is_filled_and_is_always_text(self):
        spec = {"qty": "{qty}", "text": "Order {no} / {ok} / {sum}"}
        args = {"qty": 3, "no": "7", "ok": True, "sum": 1.50}
        assert fill(spec, args) == {"qty": "3", "text": "Order 7 / true / 1.5"}

    def test_a_text_with_a_null_or_absent_part_counts_as_absent(self):
        assert fill({"a": "x {a}", "b": "x {b}"}, {"a": None}) == {}

    def test_what_was_filled_in_is_not_filled_again(self):
        assert fill({"a": "{a} {b}"}, {"a": "{b}", "b": "x"}) == {"a": "{b} x"}

    def test_other_braces_stay(self):
        query = "query { shop(id: {id}) { name } } {}"
        assert fill({"q": query}, {"id": 7}) == {"q": "query { shop(id: 7) { name } } {}"}

    @pytest.mark.parametrize("value", [[1], {"a": 1}])
    def test_a_list_inside_a_text_is_tm501(self, value):
        with pytest.raises(ToolError, match="can't stand inside the text") as raised:
            fill({"q": "ids {ids}"}, {"ids": value})
        assert raised.value.code == "TM501"
        assert raised.value.details[0].path == "ids"

    @pytest.mark.parametrize("value", [math.nan, pytest.param(10**5000, id="huge")])
    def test_a_number_that_can_not_be_written_is_tm501(self, value):
        with pytest.raises(ToolError) as raised:
            fill({"q": "n {n}"}, {"n": value})
        assert raised.value.code == "TM501"

    def test_constants_are_expanded_and_never_filled(self):
        spec = {
            "a": {"value": "{id} ${KEY}"},
            "b": {"value": [{"${KEY}": "${KEY}"}, 1, None]},
            "c": {"value": {"value": 1}},
        }
        expanded = fill_fields(spec, {"id": 1}, expand=lambda text: text.replace("${KEY}", "k"))
        assert expanded == {"a": "{id} k", "b": [{"${KEY}": "k"}, 1, None], "c": {"value": 1}}

    def test_bodies_nest(self):
        spec = {"order": {"head": {"id": "id", "note": "note"}, "rows": ["id", {"n": "n"}, "note"]}}
        assert fill(spec, {"id": 1, "n": 2}) == {
            "order": {"head": {"id": 1}, "rows": [1, {"n": 2}]}
        }

    def test_a_nested_mapping_or_list_of_which_nothing_is_left_is_left_out(self):
        assert fill({"a": {"b": {"c": "x"}}, "d": ["x"], "e": "y"}, {"y": 1}) == {"e": 1}

    def test_empty_ones_are_sent_as_declared(self):
        assert fill({"a": {}, "b": []}, {}) == {"a": {}, "b": []}

    def test_value_beside_other_keys_is_a_field(self):
        assert fill({"a": {"value": "v", "unit": "u"}}, {"v": 1, "u": "kg"}) == {
            "a": {"value": 1, "unit": "kg"}
        }

    @pytest.mark.parametrize(
        ("side", "written"), [(5, "5"), (True, "true"), (None, "null"), (1.5, "1.5")]
    )
    def test_any_other_side_is_tm113_with_the_constant_to_write(self, side, written):
        with pytest.raises(ConfigError) as raised:
            resolve(side, {}, expand=same)
        assert raised.value.code == "TM113"
        assert f"{{value: {written}}}" in raised.value.hint

    def test_such_sides_are_listed_for_lint(self):
        spec = {"a": 5, "b": {"c": None, "d": "x", "e": {"value": 1}}, "f": ["x", True]}
        assert [(odd.path, odd.message) for odd in odd_sides(spec)] == [
            ("a", "write a constant as {value: 5}"),
            ("b.c", "write a constant as {value: null}"),
            ("f.1", "write a constant as {value: true}"),
        ]

    def test_null_is_written_as_json(self):
        assert scalar_text(None) == "null"


DATA = Path(__file__).parents[2] / "data" / "uritemplate-test"
SIMPLE = re.compile(r"(?:[^{}]|\{\w+(?:\.\w+)*\})*")
DIFFERENT = {
    # Template: why tm refuses what RFC 6570 expands.
    "{empty}": "an empty value would name another resource",
    "{undef}": "an absent value would name another resource",
    "O{empty}X": "an empty value is refused wherever it stands",
    "O{undef}X": "an absent value is refused wherever it stands",
    "{list}": "a list is no segment",
    "{keys}": "an object is no segment",
    "'{count}'": "a list is no segment",
    "{null}": "null is no segment",
}


def uri_template_cases():
    for name in ("spec-examples.json", "spec-examples-by-section.json", "extended-tests.json"):
        for section in json.loads((DATA / name).read_text("utf-8")).values():
            for template, expected in section["testcases"]:
                if SIMPLE.fullmatch(template):
                    yield template, section["variables"], expected


@pytest.mark.parametrize(("template", "variables", "expected"), list(uri_template_cases()))
def test_simple_uri_templates_expand_alike(template, variables, expected):
    if template in DIFFERENT:
        with pytest.raises(ToolError):
            fill_path(template, variables)
    else:
        wanted = expected if isinstance(expected, list) else [expected]
        assert fill_path(template, variables) in wanted


def test_uri_templates_that_must_fail_do():
    (section,) = json.loads((DATA / "negative-tests.json").read_text("utf-8")).values()
    for template, _ in section["testcases"]:
        with pytest.raises((ConfigError, ToolError)):
            fill_path(template, section["variables"])


def test_a_name_of_the_path_that_is_misspelt_comes_with_the_nearest_argument():
    with pytest.raises(ToolError, match="ids is missing; the path needs it; did you mean 'id'"):
        fill_path("/bikes/{ids}", {"id": "7"})
