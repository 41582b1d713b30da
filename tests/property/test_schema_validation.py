"""The check of arguments holds for any schema and any value, not only for those in the tests."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from tm.errors import ConfigError
from tm.schema.arguments import check_arguments
from tm.schema.decide import compile_decider
from tm.schema.json_value import copy_json, first_repeat, freeze, is_multiple
from tm.schema.validator import Explainer

NAMES = st.sampled_from(["a", "b", "x-1"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 5)
    | st.sampled_from([0.5, 1.0, -2.0, 0.07])
    | st.sampled_from(["", "a", "ab", "2026-05-04", "a@b.example"])
)
VALUES = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(NAMES, below, max_size=3),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])


def keywords(below):
    """One keyword with a value, for a schema of a few of them."""
    lists = st.lists(below, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, below, max_size=3)
    counts = st.integers(0, 3)
    choices = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "enum": st.lists(VALUES, max_size=3),
        "const": VALUES,
        "minimum": st.integers(-2, 3),
        "exclusiveMaximum": st.integers(-2, 3),
        "multipleOf": st.sampled_from([1, 2, 0.5, 0.01]),
        "minLength": counts,
        "maxItems": counts,
        "uniqueItems": st.booleans(),
        "minProperties": counts,
        "pattern": st.sampled_from(["^a", "b$", "[0-9]"]),
        "format": st.sampled_from(["date", "email", "unknown"]),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=1), max_size=1),
        "properties": named,
        "patternProperties": st.dictionaries(st.just("^x"), below, max_size=1),
        "additionalProperties": below,
        "items": below,
        "prefixItems": lists,
        "allOf": lists,
        "anyOf": lists,
        "oneOf": lists,
        "not": below,
        "$ref": st.sampled_from(["#", "#/$defs/a", "#/properties/a"]),
        "$defs": named,
        "default": VALUES,
        "contains": below,
        "if": below,
        "unevaluatedProperties": below,
    }
    return st.sampled_from(sorted(choices)).flatmap(
        lambda name: st.tuples(st.just(name), choices[name])
    )


SCHEMAS = st.recursive(
    st.booleans() | st.builds(dict),
    lambda below: st.lists(keywords(below), max_size=4).map(dict),
    max_leaves=12,
)
OBJECT_SCHEMAS = SCHEMAS.filter(lambda schema: isinstance(schema, dict))


def outcome(schema, args):
    """Return what the check gives, or its ConfigError."""
    try:
        return check_arguments(schema, args)
    except ConfigError as error:
        return error


@settings(max_examples=150, deadline=None)
@given(OBJECT_SCHEMAS, st.lists(VALUES, min_size=1, max_size=5))
def test_the_decider_agrees_with_jsonschema(schema, values):
    decide = compile_decider(schema, "2020-12")
    if decide is None:
        return
    judge = Explainer(schema)
    for value in values:
        assert decide(value) is not bool(judge.failures(value))


@settings(max_examples=150, deadline=None)
@given(OBJECT_SCHEMAS, st.dictionaries(NAMES, VALUES, max_size=3))
def test_a_check_ends_in_arguments_failures_or_a_config_error(schema, args):
    schema = {**schema, "type": "object"}
    before = copy.deepcopy((schema, args))
    checked = outcome(schema, args)
    if isinstance(checked, ConfigError):
        assert checked.code in {"TM103", "TM119"}
    elif checked.failures:
        assert all(detail.message for detail in checked.failures)
    else:
        again = check_arguments(schema, checked.args)
        assert again.args == checked.args
        assert set(args) <= set(checked.args)
    assert (schema, args) == before


ODD_KEYS = {"$ref", "$id", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor", "allOf", "a"}
ODD_KEYS |= {"type", "properties", "items", "dependencies", "patternProperties", "pattern", "enum"}
ODD = st.recursive(
    SCALARS | st.sampled_from(["#", "#/a", "string", "(", "urn:x", "http://[x"]),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.sampled_from(sorted(ODD_KEYS)),
            below,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(ODD, VALUES)
def test_whatever_is_called_a_schema_never_crashes_the_check(schema, args):
    checked = outcome(schema, args)
    assert not isinstance(checked, ConfigError) or checked.code in {"TM103", "TM119"}


@settings(deadline=None)
@given(VALUES)
def test_a_copy_is_equal_and_its_own(value):
    copied = copy_json(value)
    assert copied == value
    assert not isinstance(value, list | dict) or copied is not value
    assert freeze(copied) == freeze(value)


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_the_first_repeat_is_a_repeat(values):
    found = first_repeat(values)
    frozen = [freeze(value) for value in values]
    assert (found is None) is (len(set(frozen)) == len(frozen))
    assert found is None or frozen[found[0]] == frozen[found[1]]


@settings(deadline=None)
@given(st.integers(-(10**6), 10**6), st.integers(1, 9999), st.integers(0, 6))
def test_a_decimal_times_a_number_is_its_multiple(times, digits, places):
    of = float(f"{digits}e-{places}")
    value = float(f"{digits * times}e-{places}")
    assert is_multiple(value, of)
