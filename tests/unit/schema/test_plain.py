"""Plain schemas: what is called plain, or said to fit, is so for the code that looks closely."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.schema.arguments import check_arguments
from tm.schema.faults import schema_faults
from tm.schema.plain import fits_plain, is_plain


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _said(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "description": "What it is.", **more}


ORDER = {
    **_object(
        id=_said("string", title="Id", format="date"),
        kind=_said("string", enum=["a", "b"]),
        lines=_said("array", items=_object(qty=_said("integer", minimum=1))),
        paid=_said("boolean"),
        total=_said("number"),
    ),
    "required": ["id", "kind"],
    "additionalProperties": False,
}

PLAIN = [{}, {"type": "object"}, ORDER, _object(tags=_said("array", items={"type": "string"}))]

NOT_PLAIN = [
    {"type": "string"},
    {"properties": {}},
    {"type": "object", "$ref": "#/$defs/a"},
    {"type": "object", "properties": []},
    {"type": "object", "properties": {1: _said("string")}},
    {"type": "object", "required": "id"},
    {"type": "object", "required": [1]},
    {"type": "object", "required": ["id"]},
    {**_object(id=_said("string")), "required": ["id", "id"]},
    {"type": "object", "additionalProperties": {"type": "string"}},
    {"type": "object", "description": 3},
    _object(id={"type": "string"}),
    _object(id={"type": "string", "description": " "}),
    _object(id={"type": "string", "description": 3}),
    _object(id={"type": ["string"], "description": "Id."}),
    _object(id=_said("text")),
    _object(id=_said("string", enum=[])),
    _object(id=_said("string", enum=[1])),
    _object(id=_said("integer", enum=[1])),
    _object(id=_said("string", pattern="^a")),
    _object(id=_said("string", minLength=-1)),
    _object(id=_said("string", minLength=True)),
    _object(id=_said("string", title=3)),
    _object(id=_said("array", items=3)),
    _object(id="string"),
]


@pytest.mark.parametrize("schema", PLAIN)
def test_plain_schema_has_no_fault(schema: dict[str, Any]) -> None:
    assert is_plain(schema)
    assert schema_faults(schema) == []


@pytest.mark.parametrize("schema", NOT_PLAIN)
def test_anything_else_is_left_to_those_who_look_closely(schema: dict[str, Any]) -> None:
    assert not is_plain(schema)


def test_nesting_without_end_is_not_plain() -> None:
    schema = _object()
    for _ in range(20):
        schema = _object(inner=_said("object") | {"properties": schema["properties"]})
    assert not is_plain(schema)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({}, {}),
        (_object(a=_said("string")), {"a": "x"}),
        (_object(a=_said("string", enum=["x"])), {"a": "x"}),
        (_object(a=_said("integer")), {"a": 3}),
        (_object(a=_said("number")), {"a": 3.5}),
        (_object(a=_said("number")), {"a": 3}),
        (_object(a=_said("boolean")), {"a": True}),
        (_object(a=_said("array")), {"a": []}),
        (_object(a=_said("array", items={"type": "string"})), {"a": ["x"]}),
        ({**_object(a=_said("string")), "required": ["a"]}, {"a": "x"}),
    ],
)
def test_good_arguments_fit(schema: dict[str, Any], value: dict[str, Any]) -> None:
    assert fits_plain(schema, value)
    assert not check_arguments(schema, value).failures


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({}, {"a": 1}),
        ({}, []),
        (_object(a=_said("string")), {"b": "x"}),
        (_object(a=_said("string")), {"a": 1}),
        (_object(a=_said("string", enum=["x"])), {"a": "y"}),
        (_object(a=_said("integer")), {"a": True}),
        (_object(a=_said("integer")), {"a": 2**60}),
        (_object(a=_said("integer")), {"a": 1.0}),
        (_object(a=_said("number")), {"a": float("nan")}),
        (_object(a=_said("boolean")), {"a": 0}),
        (_object(a=_said("array")), {"a": [1]}),
        (_object(a=_said("array", items={"type": "string"})), {"a": [1]}),
        (_object(a=_said("array")), {"a": {}}),
        (_object(a=_said("string", format="date")), {"a": "2026-12-01"}),
        ({**_object(a=_said("string")), "required": ["a"]}, {}),
    ],
)
def test_what_is_wrong_or_unclear_is_not_said_to_fit(schema: dict[str, Any], value: Any) -> None:
    assert not fits_plain(schema, value)


_NAMES = st.sampled_from(["a", "b", "c"])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.sampled_from(["", "a", "x"]),
    lambda below: st.lists(below, max_size=2) | st.dictionaries(_NAMES, below, max_size=2),
    max_leaves=5,
)
_TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "text", 3])
_SCHEMAS = st.recursive(
    st.fixed_dictionaries({"type": _TYPES, "description": st.sampled_from(["D", "", 3])}),
    lambda below: st.fixed_dictionaries(
        {"type": _TYPES, "description": st.sampled_from(["D", "D", ""])},
        optional={
            "properties": st.dictionaries(_NAMES, below, max_size=2),
            "required": st.lists(_NAMES, max_size=2),
            "items": below,
            "enum": st.lists(st.sampled_from(["a", "x", 1]), max_size=2),
            "minimum": st.integers(-1, 1),
            "additionalProperties": st.booleans(),
        },
    ),
    max_leaves=6,
)


@given(_SCHEMAS, _VALUES)
def test_what_fits_plainly_passes_the_whole_check(schema: dict[str, Any], value: Any) -> None:
    parameters = {**schema, "type": "object"}
    if not is_plain(parameters):
        return
    assert schema_faults(parameters) == []
    if fits_plain(parameters, value):
        assert not check_arguments(parameters, value).failures
