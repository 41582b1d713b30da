import pytest

from tm.schema.arguments import compiled_schema
from tm.schema.decide import compile_decider

DRAFT_07 = "draft-07"


def decider(schema, dialect="2020-12"):
    return compile_decider(schema, dialect)


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({}, [1, None, {}], []),
        ({"type": "integer"}, [1, 1.0], [True, 1.5, "1"]),
        ({"type": ["string", "null"]}, ["x", None], [1]),
        (
            {"enum": [1, "a", [1], {"a": 1}]},
            [1, 1.0, "a", [1], {"a": 1.0}],
            [True, "b", [True], {}],
        ),
        ({"const": False}, [False], [0, None]),
        ({"minimum": 1, "exclusiveMaximum": 3}, [1, 2.5, "x", True], [0, 3]),
        ({"exclusiveMinimum": 1, "maximum": 3}, [2, 3], [1, 4]),
        ({"multipleOf": 0.01}, [0.07, 5, "x"], [0.075]),
        ({"minLength": 1, "maxLength": 2}, ["a", "😀😀", 5], ["", "abc"]),
        ({"pattern": "^a"}, ["ab", 5], ["b"]),
        ({"format": "date"}, ["2026-05-04", 5], ["x"]),
        ({"format": "int64"}, ["x", 5], []),
        (
            {"minItems": 1, "maxItems": 2, "uniqueItems": True},
            [[1], [1, True], {}],
            [[], [1, 1.0], [1, 2, 3]],
        ),
        ({"uniqueItems": False}, [[1, 1]], []),
        ({"minProperties": 1, "maxProperties": 1}, [{"a": 1}, 5], [{}, {"a": 1, "b": 2}]),
        ({"required": ["a"]}, [{"a": None}, 5], [{}]),
        ({"dependentRequired": {"a": ["b"]}}, [{}, {"a": 1, "b": 2}, 5], [{"a": 1}]),
        ({"properties": {"a": {"type": "string"}}}, [{}, {"a": "x"}, {"b": 1}, 5], [{"a": 1}]),
        ({"properties": {"a": True, "b": False}}, [{"a": 1}], [{"b": 1}]),
        ({"properties": {"a": {}}, "additionalProperties": False}, [{"a": 1}, 5], [{"b": 1}]),
        ({"additionalProperties": {"type": "string"}}, [{"a": "x"}, 5], [{"a": 1}]),
        (
            {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False},
            [{"xa": "x"}, 5],
            [{"xa": 1}, {"a": "x"}],
        ),
        ({"items": {"type": "string"}}, [["a"], [], 5], [[1]]),
        ({"prefixItems": [{"type": "string"}], "items": False}, [["a"], [], 5], [[1], ["a", 1]]),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, ["a"], ["", 1]),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ["a", None], [1]),
        ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, [1, 2.5], [3, 1.5]),
        ({"not": {"type": "string"}}, [1], ["a"]),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, ["a"], [1]),
        (
            {"definitions": {"a": {"type": "string"}}, "items": {"$ref": "#/definitions/a"}},
            [["a"]],
            [[1]],
        ),
        (
            {"properties": {"a": {"$ref": "#"}}, "type": "object"},
            [{}, {"a": {"a": {}}}],
            [{"a": {"a": 1}}],
        ),
        ({"title": "T", "default": 1, "examples": [], "x-any": {"type": 5}}, [1], []),
    ],
)
def test_it_decides_as_json_schema_does(schema, good, bad):
    decide = decider(schema)
    assert [value for value in good if not decide(value)] == []
    assert [value for value in bad if decide(value)] == []


@pytest.mark.parametrize(
    "schema",
    [
        {"unevaluatedProperties": False},
        {"contains": {}},
        {"if": {}},
        {"$id": "urn:x"},
        {"items": {"$schema": "https://json-schema.org/draft/2020-12/schema"}},
        {"type": "text"},
        {"type": []},
        {"type": ["string", "string"]},
        {"properties": []},
        {"properties": {"a": 5}},
        {"required": "a"},
        {"required": ["a", "a"]},
        {"required": [1]},
        {"minLength": -1},
        {"minLength": 1.0},
        {"minLength": True},
        {"multipleOf": 0},
        {"allOf": []},
        {"allOf": {}},
        {"enum": 5},
        {"title": 5},
        {"deprecated": "yes"},
        {"dependentRequired": {"a": "b"}},
        {"dependentRequired": []},
        {"pattern": "("},
        {"pattern": "(a+)+"},
        {"patternProperties": {"(": {}}},
        {"$ref": "#"},
        {"$ref": "#/nope"},
        {"$ref": "other"},
        {"$ref": 5},
        {"allOf": [{"$ref": "#"}]},
        {"$defs": {"a": {"type": 5}}},
        {"const": float("inf")},
    ],
)
def test_what_it_does_not_know_or_what_is_malformed_is_left_to_jsonschema(schema):
    assert decider(schema) is None


def test_draft_07_is_decided_only_where_it_means_the_same():
    assert decider({"items": {"type": "string"}}, DRAFT_07)(["a"])
    assert decider({"items": {"$ref": "#/definitions/a"}, "definitions": {"a": {}}}, DRAFT_07)([1])
    assert decider({"items": [{}]}, DRAFT_07) is None
    assert decider({"$ref": "#/definitions/a", "definitions": {"a": {}}}, DRAFT_07) is None
    assert decider({"prefixItems": [{}]}, DRAFT_07) is None


def test_a_circle_that_is_found_only_while_running_is_no_yes():
    # `a` is compiled on the way down, before the circle through `allOf` is closed.
    schema = {
        "properties": {"x": {"allOf": [{"$ref": "#/$defs/a"}]}},
        "$defs": {
            "a": {"properties": {"y": {"$ref": "#/$defs/b"}}, "allOf": [{"$ref": "#/$defs/b"}]},
            "b": {"allOf": [{"$ref": "#/$defs/a"}]},
        },
    }
    decide = decider(schema)
    assert decide is None or not decide({"x": {}})


def test_a_value_nested_too_deep_is_no_yes():
    deep = []
    for _ in range(5000):
        deep = [deep]
    assert not decider({"items": {"$ref": "#"}})(deep)


def test_a_schema_nested_too_deep_is_left_to_jsonschema():
    schema = {}
    for _ in range(5000):
        schema = {"not": schema}
    assert decider(schema) is None


def test_what_it_refuses_jsonschema_may_still_take():
    compiled = compiled_schema({"type": "object", "properties": {"a": {"type": "string"}}})
    assert compiled.failures({"a": "x"}) == []
    assert compiled.failures({"a": 1})
