import re

import pytest

from tm.errors import UsageError
from tm.schema.arg_text import read_argument, read_arguments, read_json, read_json_object


def prop(schema, **root):
    return {"type": "object", "properties": {"x": schema}, **root}


STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


class TestTypedBySchema:
    @pytest.mark.parametrize(
        ("schema", "text", "value"),
        [
            (STRING, "0815", "0815"),
            (STRING, "true", "true"),
            (STRING, "null", "null"),
            (STRING, "", ""),
            (STRING, "a=b, 100%", "a=b, 100%"),
            (INTEGER, "5", 5),
            (INTEGER, "-5", -5),
            (INTEGER, "5.0", 5.0),
            (INTEGER, "123456789012345678901234567890", 123456789012345678901234567890),
            (INTEGER, "five", "five"),
            (INTEGER, "0815", "0815"),
            (INTEGER, "5.5", "5.5"),
            (INTEGER, "true", "true"),
            (INTEGER, "", ""),
            (INTEGER, "9" * 5000, "9" * 5000),
            (NUMBER, "12.50", 12.5),
            (NUMBER, "7", 7),
            (NUMBER, "NaN", "NaN"),
            (NUMBER, "Infinity", "Infinity"),
            (NUMBER, "1e400", "1e400"),
            ({"type": "boolean"}, "true", True),
            ({"type": "boolean"}, "True", "True"),
            ({"type": "boolean"}, "1", "1"),
            ({"type": "null"}, "null", None),
            ({"type": "array"}, '["a", 1]', ["a", 1]),
            ({"type": "array"}, "a,b", "a,b"),
            ({"type": "object"}, '{"zip": "01067"}', {"zip": "01067"}),
            ({"type": "object"}, '{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
            ({}, "5", "5"),
            (True, "5", "5"),
            ({"type": ["integer", "null"]}, "null", None),
            ({"type": ["integer", "null"]}, "5", 5),
            ({"type": ["integer", "string"]}, "5", "5"),
            ({"type": ["string", "null"]}, "null", "null"),
            ({"anyOf": [INTEGER, {"type": "null"}]}, "5", 5),
            ({"oneOf": [INTEGER, STRING]}, "5", "5"),
            ({"allOf": [{"minimum": 1}, INTEGER]}, "5", 5),
            ({"$ref": "#/$defs/n"}, "5", 5),
            ({"enum": [1, 2]}, "2", 2),
            ({"enum": ["1", "2"]}, "2", "2"),
            ({"enum": ["auto", 2]}, "2", "2"),
            ({"const": 5}, "5", 5),
            ({"const": [5]}, "[5]", [5]),
            ({"enum": [True, None, 1.5, {}]}, "1.5", 1.5),
            ({"type": 5}, "5", "5"),
        ],
    )
    def test_the_value_gets_a_type_that_the_schema_allows(self, schema, text, value):
        read = read_argument(prop(schema, **{"$defs": {"n": INTEGER}}), f"x={text}")
        assert read == ("x", value)
        assert type(read[1]) is type(value)

    def test_an_unknown_key_stays_text(self):
        assert read_argument(prop(INTEGER), "y=5") == ("y", "5")

    def test_properties_of_branches_count(self):
        assert read_argument({"allOf": [prop(INTEGER)]}, "x=5") == ("x", 5)

    def test_json_is_read_whatever_the_schema_says(self):
        assert read_argument(prop(STRING), 'x:=["x","2"]') == ("x", ["x", "2"])
        assert read_argument({}, "x:=null") == ("x", None)


class TestDottedKeys:
    SHIP = {"type": "object", "properties": {"zip": STRING, "floor": INTEGER, "to": prop(INTEGER)}}  # noqa: RUF012

    def test_a_field_of_an_object_is_typed_as_well(self):
        assert read_argument(prop(self.SHIP), "x.zip=01067") == ("x", {"zip": "01067"})
        assert read_argument(prop(self.SHIP), "x.floor=3") == ("x", {"floor": 3})
        assert read_argument(prop(self.SHIP), "x.to.x=3") == ("x", {"to": {"x": 3}})
        assert read_argument(prop(self.SHIP), "x.new:=3") == ("x", {"new": 3})

    def test_a_literal_name_wins(self):
        schema = {"properties": {"x.zip": INTEGER, "x": self.SHIP}}
        assert read_argument(schema, "x.zip=5") == ("x.zip", 5)

    def test_without_such_a_property_the_key_is_one(self):
        assert read_argument({}, "x.zip=5") == ("x.zip", "5")
        assert read_argument(prop({}), "x.=5") == ("x.", "5")

    def test_several_are_put_together(self):
        texts = ["x.zip=01067", "x.floor=3", "x.to.x=1", 'x.to:={"y": 2}', "z=1"]
        assert read_arguments(prop(self.SHIP), texts) == {
            "x": {"zip": "01067", "floor": 3, "to": {"x": 1, "y": 2}},
            "z": "1",
        }

    @pytest.mark.parametrize("texts", [["x=1", "x=2"], ["x.zip=1", "x.zip=2"], ["x:={}", "x=2"]])
    def test_a_key_given_twice_is_an_error(self, texts):
        with pytest.raises(UsageError, match="twice") as raised:
            read_arguments(prop(self.SHIP), texts)
        assert raised.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("K-4711", "--arg 'K-4711' has no '='"),
        ("", "has no '='"),
        ("=5", "has no key before the '='"),
        (":=5", "has no key before the '='"),
        ("x:=", "--arg x:= is no JSON: Expecting value at line 1, column 1; got ''"),
        ("x:={'a': 1}", "Expecting property name"),
        ("x:=NaN", "NaN is no JSON"),
        ("x:=-Infinity", "-Infinity is no JSON"),
        ('x:={"a": 1, "a": 2}', 'the key "a" stands twice'),
        ("x:=" + "[" * 100_000, "it is nested too deep"),
        ("x:=" + "9" * 5000, "a number has too many digits"),
        ("y" * 1000, "…' has no '='"),
    ],
)
def test_what_can_not_be_read_is_a_usage_error_with_an_example(text, words):
    with pytest.raises(UsageError, match=re.escape(words)) as raised:
        read_argument({}, text)
    assert raised.value.code == "TM501"
    assert raised.value.exit_code == 2
    assert "--arg" in raised.value.hint


class TestJsonObject:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("{}", {}),
            ('{"number": "K-4711", "city": "Köln"}\r\n', {"number": "K-4711", "city": "Köln"}),
            ('\ufeff{"a": 1}', {"a": 1}),
            ('{"id": 123456789012345678}', {"id": 123456789012345678}),
            ('{"a": {"a": 1}, "b": [{"a": 2}]}', {"a": {"a": 1}, "b": [{"a": 2}]}),
        ],
    )  # fmt: skip
    def test_an_object_is_read(self, text, value):
        assert read_json_object(text, "--args") == value

    @pytest.mark.parametrize(
        ("text", "words", "hint"),
        [
            ("", "--args is empty", "write --args '{}'"),
            ("\ufeff \n", "--args is empty", "write --args '{}'"),
            ("{number:K-4711}", "at line 1, column 2; got '{number:K-4711}'", "The shell took"),
            ("{'number': 'K-4711'}", "at line 1, column 2", "JSON has double quotes"),
            ('{"a": 1,}', "at line 1, column 9", "@FILE"),
            ('{"a": 1} x', "Extra data at line 1, column 10", "@FILE"),
            ('{"a": NaN}', "NaN is no JSON", "@FILE"),
            ('{"a": -1.5e400}', "-1.5e400 is too large for a number", "@FILE"),
            ('{"a": Infinity}', "Infinity is no JSON", "@FILE"),
            ('{"a": 1, "b": {"c": 1, "c": 2}}', 'the key "c" stands twice', "@FILE"),
            ("[" * 100_000, "nested too deep", "@FILE"),
            ('{"a": ' + "9" * 5000 + "}", "a number has too many digits", "@FILE"),
            ("[1]", "must be a JSON object, not an array; got '[1]'", "--args '{"),
            ("null", "not a null", "--args '{"),
            ("5", "not an integer", "--args '{"),
            ("1.5", "not a number", "--args '{"),
            ("true", "not a boolean", "--args '{"),
            ('"x"', "not a string", "--args '{"),
        ],
    )
    def test_anything_else_is_a_usage_error_with_position_and_hint(self, text, words, hint):
        with pytest.raises(UsageError, match=re.escape(words)) as raised:
            read_json_object(text, "--args")
        assert raised.value.exit_code == 2
        assert hint in raised.value.hint
        assert len(raised.value.message) < 250

    def test_the_source_is_named(self):
        with pytest.raises(UsageError, match=r"--args @customer\.json is no JSON"):
            read_json_object("x", "--args @customer.json")


def test_lone_surrogates_are_read():
    assert read_json('"\\ud800"') == "\ud800"
