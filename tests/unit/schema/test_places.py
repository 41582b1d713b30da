"""Where things stand in a schema."""

from __future__ import annotations

from tm.schema.places import instances, reference_keys, subschemas

SCHEMA = {
    "properties": {
        "a": {"$ref": "#/$defs/tree"},
        "b": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "c": {"prefixItems": [{"title": "first"}], "items": {"title": "rest"}},
        "d": True,
    },
    "then": {"properties": {"b": {"minLength": 1}}},
    "dependentSchemas": {"a": {"properties": {"e": {}}}},
    "patternProperties": {"^x": {"title": "x"}},
    "$defs": {"tree": {"properties": {"children": {"items": {"$ref": "#/$defs/tree"}}}}},
}


def test_every_subschema_has_its_keys_in_the_order_of_the_text():
    keys = [here.keys for here in subschemas(SCHEMA)]
    assert keys[:4] == [
        (),
        ("properties", "a"),
        ("properties", "b"),
        ("properties", "b", "anyOf", 0),
    ]
    assert ("$defs", "tree", "properties", "children", "items") in keys
    assert ("properties", "c", "prefixItems", 0) in keys
    assert all(here.schema is not True for here in subschemas(SCHEMA))


def test_an_instance_joins_all_that_is_said_of_one_value():
    by_name = {found.name: found for found in instances(SCHEMA) if found.name}
    assert [part.keys for part in by_name["b"].parts] == [
        ("properties", "b"),
        ("properties", "b", "anyOf", 0),
        ("properties", "b", "anyOf", 1),
        ("then", "properties", "b"),
    ]
    assert ("$defs", "tree") in [part.keys for part in by_name["a"].parts]
    assert by_name["d"].parts == ()
    assert by_name["e"].starts[0].keys == ("dependentSchemas", "a", "properties", "e")


def test_a_schema_that_holds_itself_ends():
    names = [found.name for found in instances(SCHEMA)]
    assert names.count("children") == 1


def test_elements_are_instances_without_a_name():
    titles = {part.schema.get("title") for found in instances(SCHEMA) for part in found.parts}
    assert {"first", "rest", "x"} <= titles


def test_what_is_no_schema_is_passed_over():
    broken = {"properties": [1], "allOf": 3, "items": [{"title": "old"}], "$ref": "#/none"}
    assert [here.keys for here in subschemas(broken)] == [(), ("items", 0)]
    assert [found.parts[0].keys for found in instances(broken)] == [(), ("items", 0)]
    assert next(instances(3)).parts == ()


def test_references_are_keys():
    assert reference_keys("#/$defs/a~1b/0") == ("$defs", "a/b", 0)
    assert reference_keys("#/a%20b") == ("a b",)
    assert reference_keys("#anchor") == ()
