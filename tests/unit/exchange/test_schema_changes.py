from typing import Any

import pytest

from tm.exchange.schema_changes import schema_differences

TEXT = {"type": "string"}
NUMBER = {"type": "number"}


def closed(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), **more}


CASES = [
    # what, old, new, level, path below parameters
    ("new required argument", closed({}), closed({"a": TEXT}, "a"), "breaking", "properties.a"),
    ("new optional argument", closed({}), closed({"a": TEXT}), "harmless", "properties.a"),
    ("required now", closed({"a": TEXT}), closed({"a": TEXT}, "a"), "breaking", "properties.a"),
    ("optional now", closed({"a": TEXT}, "a"), closed({"a": TEXT}), "harmless", "properties.a"),
    ("gone and refused", closed({"a": TEXT}), closed({}), "breaking", "properties.a"),
    (
        "gone from an open mapping",
        closed({"a": TEXT}, additionalProperties=True),
        closed({}, additionalProperties=True),
        "risky",
        "properties.a",
    ),
    ("another type", closed({"a": TEXT}), closed({"a": NUMBER}), "breaking", "properties.a.type"),
    (
        "a wider type",
        closed({"a": TEXT}),
        closed({"a": {"type": ["string", "null"]}}),
        "harmless",
        "properties.a.type",
    ),
    (
        "integer to number",
        closed({"a": {"type": "integer"}}),
        closed({"a": NUMBER}),
        "harmless",
        "properties.a.type",
    ),
    (
        "number to integer",
        closed({"a": NUMBER}),
        closed({"a": {"type": "integer"}}),
        "breaking",
        "properties.a.type",
    ),
    (
        "a type where none was",
        closed({"a": {}}),
        closed({"a": TEXT}),
        "breaking",
        "properties.a.type",
    ),
    (
        "deep in a list",
        closed({"a": {"type": "array", "items": closed({})}}),
        closed({"a": {"type": "array", "items": closed({"b": TEXT}, "b")}}),
        "breaking",
        "properties.a.items.properties.b",
    ),
    (
        "closed now",
        closed({}, additionalProperties=True),
        closed({}),
        "breaking",
        "additionalProperties",
    ),
    (
        "open now",
        closed({}),
        closed({}, additionalProperties=True),
        "harmless",
        "additionalProperties",
    ),
    (
        "other properties of a type",
        closed({}, additionalProperties=False),
        closed({}, additionalProperties=TEXT),
        "harmless",
        "additionalProperties",
    ),
    (
        "other properties of another type",
        closed({}, additionalProperties=NUMBER),
        closed({}, additionalProperties=TEXT),
        "risky",
        "additionalProperties",
    ),
    (
        "gone from a nested mapping, which is open by itself",
        closed({"a": {"properties": {"b": TEXT}}}),
        closed({"a": {"properties": {}}}),
        "risky",
        "properties.a.properties.b",
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "level", "path"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_what_a_running_chat_would_meet(old: Any, new: Any, level: str, path: str) -> None:
    (found,) = schema_differences(old, new)
    assert (found.level, found.path) == (level, f"parameters.{path}")


@pytest.mark.parametrize(
    ("old", "new", "level"),
    [
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, "risky"),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, "risky"),
        ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}, "harmless"),
        ({}, {"enum": ["a"]}, "risky"),
        ({"enum": ["a"]}, {}, "risky"),
        ({"maximum": 5}, {"maximum": 4}, "risky"),
        ({"maximum": 5}, {"maximum": 6}, "harmless"),
        ({"minLength": 1}, {}, "harmless"),
        ({}, {"minLength": 1}, "risky"),
        ({"minimum": 1}, {"minimum": 0}, "harmless"),
        ({"pattern": "^a"}, {"pattern": "^b"}, "risky"),
        ({"pattern": "^a"}, {}, "harmless"),
        ({"default": 1}, {"default": 2}, "risky"),
        ({"description": "One."}, {"description": "Two."}, "risky"),
        ({"title": "One"}, {"title": "Two"}, "harmless"),
        ({"$ref": "#/$defs/a"}, {}, "risky"),
        (True, {"type": "string"}, "risky"),
        ({}, False, "breaking"),
    ],
)
def test_each_keyword_has_its_level(old: Any, new: Any, level: str) -> None:
    found = list(schema_differences({"properties": {"a": old}}, {"properties": {"a": new}}))
    assert [difference.level for difference in found] == [level]
    assert "'a'" in found[0].message


def test_equal_schemas_have_no_difference() -> None:
    assert list(schema_differences(closed({"a": TEXT}, "a"), closed({"a": TEXT}, "a"))) == []


def test_long_enums_are_shortened() -> None:
    (found,) = schema_differences({"enum": list(range(20))}, {"enum": []})
    assert found.message.count(",") == 5
