"""Whether a schema has the argument that a path names."""

from __future__ import annotations

import pytest

from tm.lint.argument_paths import look_up

SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "page": {"type": "integer", "default": 1},
        "open": {"type": "boolean"},
        "customer": {"$ref": "#/$defs/customer"},
        "lines": {"type": "array", "items": {"properties": {"sku": {"type": "string"}}}},
        "pair": {"prefixItems": [{"properties": {"x": {}}}]},
        "meta": {"type": "object"},
        "labels": {"type": "object", "properties": {"a": {}}, "additionalProperties": True},
        "a.b": {"type": "string"},
        "x-": {"patternProperties": {"^x-": {}}, "properties": {"y": {}}},
    },
    "required": ["id", "customer"],
    "$defs": {
        "customer": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
            "required": ["id"],
        }
    },
}


@pytest.mark.parametrize(
    "name",
    ["id", "customer.id", "lines.0.sku", "lines.*.sku", "pair.0.x", "meta.any", "labels.b", "a.b"],
)
def test_what_may_be_there_is_no_problem(name):
    assert look_up(SCHEMA, name).problem is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("idd", "the tool has no parameter 'idd'; did you mean 'id'?"),
        ("customer.nmae", "'customer' has no property 'nmae'; did you mean 'name'?"),
        ("id.first", "'id' is of type string, which has no 'first'"),
        ("lines.0.skku", "'lines.0' has no property 'skku'; did you mean 'sku'?"),
    ],
)
def test_what_can_not_be_there_is_told_with_the_nearest(name, words):
    assert look_up(SCHEMA, name).problem == words


@pytest.mark.parametrize(
    ("name", "optional"),
    [
        ("id", None),
        ("page", None),
        ("open", "open"),
        ("customer.id", None),
        ("customer.name", "customer.name"),
        ("lines.0.sku", "lines"),
    ],
)
def test_what_a_valid_call_may_leave_out_is_named(name, optional):
    assert look_up(SCHEMA, name).optional == optional


@pytest.mark.parametrize(
    "schema",
    [
        {"additionalProperties": True},
        {"additionalProperties": {"type": "string"}},
        {"unevaluatedProperties": False},
        {"$ref": "urn:x"},
        {"patternProperties": {"^a": {}}},
        {"patternProperties": {"(": {}}},
        {"required": ["abc"]},
    ],
)
def test_an_open_schema_may_have_anything(schema):
    assert look_up(schema, "abc").problem is None


def test_a_closed_one_has_nothing_else():
    assert look_up({"patternProperties": {"^x": {}}}, "abc").problem
    assert look_up({}, "abc").problem == "the tool has no parameter 'abc'"
