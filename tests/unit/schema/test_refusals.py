"""What providers refuse of a schema."""

from __future__ import annotations

import pytest

from tm.schema.refusals import DIALECTS, refusals, refused_name


def of(**properties):
    return {"type": "object", "properties": properties}


def keys(schema, dialect):
    return [refusal.keys for refusal in refusals(schema, dialect)]


@pytest.mark.parametrize("dialect", [d for d in DIALECTS if d != "openai-strict"])
def test_a_plain_schema_is_taken_by_all(dialect):
    schema = of(
        a={"type": "string", "enum": ["x"]}, b={"type": "array", "items": {"type": "number"}}
    )
    assert keys({**schema, "required": ["a"]}, dialect) == []


def test_an_unknown_dialect_refuses_nothing():
    assert keys(of(a={"type": ["string", "null"]}), "mistral") == []


def test_gemini_has_one_type_and_says_what_to_write():
    (refusal,) = refusals(of(a={"type": ["string", "null"]}), "gemini")
    assert refusal.keys == ("properties", "a", "type")
    assert refusal.what == "a list of types at a.type"
    assert refusal.instead == "type: string, and leave the parameter optional"
    (several,) = refusals(of(a={"type": ["string", "integer"]}), "gemini")
    assert several.instead == "anyOf"


@pytest.mark.parametrize(
    "schema",
    [
        {"const": 1},
        {"description": "no type"},
        {"type": "array"},
        {"type": "integer", "enum": [1]},
        {"type": "string", "enum": [""]},
        {"type": "object"},
        {"type": "number", "exclusiveMinimum": 0},
        {"oneOf": [{"type": "string"}]},
        {"type": "string", "examples": ["x"]},
    ],
)
def test_gemini_refuses(schema):
    assert len(keys(of(a=schema), "gemini")) == 1


def test_gemini_wants_names_that_begin_with_a_letter():
    assert refused_name("1st_tool", "gemini")
    assert refused_name("_tool", "gemini") is None
    assert refused_name("1st_tool", "openai") is None


@pytest.mark.parametrize("dialect", ["openai", "anthropic", "openai-strict"])
def test_the_root_is_not_composed(dialect):
    schema = {**of(a={"type": "string"}), "required": ["a"], "additionalProperties": False}
    assert keys({**schema, "anyOf": [{"required": ["a"]}]}, dialect) == [("anyOf",)]


def test_anthropic_takes_composition_below_and_not_odd_names():
    schema = of(a={"oneOf": [{"type": "string"}]}, **{"größe in cm": {"type": "string"}})
    assert keys(schema, "anthropic") == [("properties", "größe in cm")]
    old = of(a={"type": "array", "items": [{"type": "string"}]}, b={"dependencies": {"x": ["y"]}})
    assert keys(old, "anthropic") == [
        ("properties", "a", "items"),
        ("properties", "b", "dependencies"),
    ]


def test_openai_refuses_what_its_structured_outputs_lack():
    schema = of(
        a={"allOf": []}, b={"type": "array"}, c={"anyOf": [{"type": "string"}], "default": 1}
    )
    assert keys(schema, "openai") == [("properties", "a", "allOf"), ("properties", "b")]


def test_strict_wants_every_object_closed_and_every_property_required():
    schema = of(a={"type": "object", "properties": {}, "additionalProperties": True})
    assert keys(schema, "openai-strict") == [
        ("properties",),
        ("properties", "a"),
        ("properties", "a", "additionalProperties"),
    ]
