from typing import Any

import pytest

from tm.exchange.foreign_schema import to_json_schema


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "dict"}, {"type": "object"}),
        ({"type": "Boolean"}, {"type": "boolean"}),
        ({"type": "long"}, {"type": "integer"}),
        ({"type": ["String", "null"]}, {"type": ["string", "null"]}),
        ({"type": ["int", "long"]}, {"type": "integer"}),
        ({"type": "any"}, {}),
        ({"type": 7}, {}),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"nullable": True}, {}),
        (
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"minimum": 3, "exclusiveMinimum": True}, {"exclusiveMinimum": 3}),
        ({"exclusiveMaximum": True}, {}),
        ({"maximum": "5", "minLength": -1, "multipleOf": 0, "maxItems": True}, {}),
        ({"enum": ["a", "a", 1, True]}, {"enum": ["a", 1, True]}),
        ({"enum": []}, {}),
        ({"pattern": "(a+)+$"}, {}),
        ({"pattern": "["}, {}),
        ({"pattern": "^a"}, {"pattern": "^a"}),
        ({"example": 5}, {"examples": [5]}),
        ({"description": "  Two\n lines "}, {"description": "Two lines"}),
        ({"items": [{"type": "string"}]}, {}),
        ({"x-internal": 1, "xml": {}, "discriminator": {}}, {}),
        ({"anyOf": []}, {}),
        ({"anyOf": [{"type": "int"}, True]}, {"anyOf": [{"type": "integer"}, True]}),
        ("nonsense", {}),
        (False, False),
    ],
)
def test_each_word_of_other_systems_becomes_one_of_json_schema(given: Any, expected: Any) -> None:
    assert to_json_schema(given) == expected


def test_required_names_are_properties_wherever_they_are_said() -> None:
    given = {
        "properties": {"a": {"type": "str", "required": True}, "b": {}, "c": {}},
        "required": ["b", "gone"],
    }
    found = to_json_schema(given)
    assert found["required"] == ["b", "a"]
    assert found["type"] == "object"
    assert found["properties"]["a"] == {"type": "string", "description": "The a."}


def test_what_is_too_deep_allows_anything() -> None:
    deep: dict[str, Any] = {}
    for _ in range(200):
        deep = {"type": "array", "items": deep}
    found = to_json_schema(deep)
    depth = 0
    while "items" in found:
        found, depth = found["items"], depth + 1
    assert depth < 50


def test_what_people_look_for_first_stands_first() -> None:
    given = {"required": ["a"], "properties": {"a": {}}, "description": "D.", "type": "object"}
    assert list(to_json_schema(given)) == ["type", "description", "properties", "required"]
