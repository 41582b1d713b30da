"""All faults of a schema, each at its keys."""

from __future__ import annotations

import pytest

from tm.errors import ConfigError
from tm.schema.arguments import check_arguments
from tm.schema.faults import schema_faults


def of(**properties):
    return {"type": "object", "properties": properties}


def found(schema):
    return [(fault.keys, fault.code) for fault in schema_faults(schema)]


def test_a_sound_schema_has_none():
    assert found({}) == []
    assert found(of(a={"type": "string", "default": "x", "pattern": "^x"})) == []


def test_several_faults_each_have_their_keys():
    schema = of(a={"type": "text"}, b={"minLength": "3"}, c={"pattern": "("}, d="string")
    assert set(found(schema)) == {
        (("properties", "a", "type"), "TM103"),
        (("properties", "b", "minLength"), "TM103"),
        (("properties", "c", "pattern"), "TM119"),
        (("properties", "d"), "TM103"),
    }


@pytest.mark.parametrize(
    ("word", "known"),
    [("dict", "object"), ("float", "number"), ("str", "string"), ("strin", "string")],
)
def test_a_type_of_another_language_is_told_in_json(word, known):
    faults = schema_faults(of(a={"type": word}))
    assert f"did you mean '{known}'?" in faults[0].message


def test_the_root_has_to_be_an_object():
    assert found({"type": "array"}) == [(("type",), "TM103")]
    assert found({"type": "dict"}) == [(("type",), "TM103")]
    assert found({"type": ["object", "null"]}) == []


def test_arguments_without_properties_between_are_told():
    assert found({"id": {"type": "string"}}) == [(("id",), "TM103")]
    assert found({"type": "object", "x-note": {"by": "us"}}) == []


def test_references_that_lead_nowhere_are_told_where_they_stand():
    schema = of(a={"$ref": "#/$defs/Adress"}, b={"$ref": "https://example.com/x.json"})
    schema["$defs"] = {"Address": {"type": "string"}}
    assert found(schema) == [
        (("properties", "a", "$ref"), "TM103"),
        (("properties", "b", "$ref"), "TM103"),
    ]
    assert "did you mean '#/$defs/Address'?" in schema_faults(schema)[0].message
    assert "no schema" in schema_faults(of(a={"$ref": "#/type"}))[0].message


def test_a_reference_to_an_id_of_its_own_is_fine():
    schema = of(a={"$ref": "urn:x:b"})
    schema["$defs"] = {"b": {"$id": "urn:x:b", "type": "string"}}
    assert found(schema) == []


def test_a_circle_has_no_place_but_the_schema():
    schema = of(a={"$ref": "#/properties/b"}, b={"$ref": "#/properties/a"})
    assert found(schema) == [((), "TM103")]


def test_a_dialect_that_is_not_known_hides_the_rest():
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "properties": 3}
    assert found(schema) == [(("$schema",), "TM103")]


def test_patterns_of_properties_are_looked_at():
    schema = {"type": "object", "patternProperties": {"^(x+x+)+y$": {}}}
    assert found(schema) == [(("patternProperties", "^(x+x+)+y$"), "TM119")]


def test_a_default_that_does_not_fit_is_told():
    faults = schema_faults(of(limit={"type": "integer", "maximum": 50, "default": "100"}))
    assert [(fault.keys, fault.code) for fault in faults] == [
        (("properties", "limit", "default"), "TM103")
    ]
    assert "must be an integer" in faults[0].message


def test_a_default_is_judged_with_the_definitions_and_not_beyond_them():
    schema = of(a={"$ref": "#/$defs/n", "default": "x"}, b={"$ref": "#/properties/a", "default": 1})
    schema["$defs"] = {"n": {"type": "integer"}}
    assert found(schema) == [(("properties", "a", "default"), "TM103")]
    nested = of(
        a={"type": "object", "properties": {"n": {"type": "integer"}}, "default": {"n": "x"}}
    )
    assert " at n:" in schema_faults(nested)[0].message


def test_an_enum_of_nothing_is_told():
    assert found(of(a={"enum": []})) == [(("properties", "a", "enum"), "TM103")]


@pytest.mark.parametrize("word", ["requried", "min_length", "discription", "proprties"])
def test_a_misspelt_keyword_is_an_unknown_key(word):
    assert (("properties", "a", word), "TM007") in found(of(a={word: "x"}))


@pytest.mark.parametrize(
    "word", ["example", "nullable", "x-order", "id", "xml", "markdownDescription"]
)
def test_a_keyword_of_somebody_else_is_left_alone(word):
    assert found(of(a={word: "x"})) == []


@pytest.mark.parametrize(
    "schema",
    [
        of(a={"type": "text"}),
        of(a={"$ref": "#/none"}),
        of(a={"pattern": "(a+)+"}),
        of(a={"allOf": [{"$ref": "#/properties/a"}]}),
        {"type": "array"},
        {"properties": {"a": {"items": 3}}},
    ],
)
def test_what_stops_the_check_of_arguments_is_always_a_fault(schema):
    with pytest.raises(ConfigError):
        check_arguments(schema, {"a": 1})
    assert schema_faults(schema)


def test_a_schema_that_is_nested_too_deep_is_a_fault():
    schema: dict = {}
    for _ in range(5000):
        schema = {"not": schema}
    assert [fault.code for fault in schema_faults({"type": "object", **schema})]


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": "boolean", "enum": ["True", "False"]}, "enum"),
        ({"type": "integer", "enum": [1, True]}, "enum"),
        ({"type": ["string", "integer"], "enum": ["a", 1.5]}, "enum"),
        ({"type": "string", "enum": ["a", None], "default": None}, "enum"),
        ({"type": "string", "const": 3}, "const"),
    ],
)
def test_a_listed_value_that_its_type_rules_out_is_told_once(schema, keyword):
    assert found(of(a=schema)) == [(("properties", "a", keyword), "TM103")]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "number", "enum": [1, 2.5]},
        {"type": "integer", "enum": [1, 2.0]},
        {"type": ["string", "null"], "enum": ["a", None]},
        {"type": "string", "nullable": True, "enum": ["a", None]},
        {"enum": [1, "a", None]},
    ],
)
def test_a_listed_value_that_fits_is_left(schema):
    assert found(of(a=schema)) == []


def test_values_of_elements_beside_a_list_are_told_where_they_belong():
    listed = {"type": "array", "items": {"type": "string"}, "enum": ["a"]}
    (fault,) = schema_faults(of(a=listed))
    assert fault.hint is not None
    assert "items" in fault.hint
