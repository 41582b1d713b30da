import pytest

from tm.schema.arguments import check_arguments
from tm.schema.formats import CHECKERS, EXAMPLES


def told(schema, value):
    checked = check_arguments({"type": "object", "properties": {"x": schema}}, {"x": value})
    return {d.path: d.message for d in checked.failures}


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        ({"const": "a"}, "b", 'must be "a"; got "b"'),
        ({"enum": [1, True, None]}, 2, "must be one of 1, true, null; got 2"),
        ({"enum": []}, 2, "is never allowed: the schema lists no value for it"),
        ({"minimum": 1}, 0, "must be at least 1; got 0"),
        ({"maximum": 1}, 2, "must be at most 1; got 2"),
        ({"exclusiveMinimum": 1}, 1, "must be greater than 1; got 1"),
        ({"exclusiveMaximum": 1}, 1, "must be less than 1; got 1"),
        ({"multipleOf": 5}, 7, "must be a multiple of 5; got 7"),
        ({"minLength": 1}, "", "must not be empty: at least 1 character"),
        ({"minLength": 3}, "ab", 'must have at least 3 characters; got "ab" (2)'),
        ({"maxLength": 1}, "ab", 'must have at most 1 character; got 2: "ab"'),
        ({"pattern": "^a"}, "b", 'must match the pattern ^a; got "b"'),
        (
            {"format": "date"},
            "2026-04-31",
            'must be a valid date, such as 2026-05-04; got "2026-04-31"',
        ),
        ({"minItems": 1}, [], "must have at least 1 item; got 0"),
        ({"maxItems": 2}, [1, 2, 3], "must have at most 2 items; got 3"),
        ({"minProperties": 1}, {}, "must have at least 1 field; got 0"),
        ({"maxProperties": 0}, {"a": 1}, "must have at most 0 fields; got 1"),
        ({"prefixItems": [{}], "items": False}, [1, 2], "must have at most 1 item; got 2"),
        ({"items": False}, [1], "must have at most 0 items; got 1"),
        ({"contains": {"const": 1}}, [2], 'must hold an item that fits {"const": 1}; got [2]'),
        (
            {"contains": {"const": 1}, "minContains": 2},
            [1],
            "must hold more items that fit 'contains': at least 2; got [1]",
        ),
        (
            {"contains": {"const": 1}, "maxContains": 1},
            [1, 1],
            "must hold fewer items that fit 'contains': at most 1; got [1, 1]",
        ),
        ({"not": {"type": "string"}}, "a", 'must not fit {"type": "string"}; got "a"'),
        (False, "a", "is not allowed here"),
        ({"unevaluatedProperties": False}, {"a": 1}, "has what no rule allows: 'a' was unexpected"),
        (
            {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
            5,
            "fits more than one of the allowed forms, and must fit exactly one; got 5",
        ),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 5, "must be a string or null; got 5"),
        (
            {"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}]},
            "d",
            'must be "a" or "b", "c"; got "d"',
        ),
        ({"anyOf": [False]}, "d", "is not allowed here (nearest of 1 allowed forms)"),
    ],
)
def test_a_failure_says_what_is_wrong_what_is_allowed_and_what_came(schema, value, message):
    assert told(schema, value) == {"x": message}


def test_a_rule_without_words_of_its_own_is_named():
    from tm.schema.wording import word_errors

    class Error:
        validator, validator_value, instance, absolute_path = "newRule", {"a": 1}, 5, ["x"]
        context = ()

    (detail,) = word_errors([Error()])
    assert detail.message == 'breaks the schema\'s rule newRule {"a": 1}; got 5'


def test_dependent_names_are_told_at_the_missing_one():
    schema = {"dependentRequired": {"iban": ["bic", "name"]}}
    assert told(schema, {"iban": 1}) == {
        "x.bic": "is required where 'iban' is given",
        "x.name": "is required where 'iban' is given",
    }
    assert told({"dependencies": {"iban": ["bic"], "z": ["y"]}}, {"iban": 1, "bic": 2}) == {}
    assert list(told({"dependencies": {"iban": {"required": ["bic"]}}}, {"iban": 1})) == ["x.bic"]


def test_names_of_properties_are_told_by_name():
    assert told({"propertyNames": {"maxLength": 2}}, {"abc": 1}) == {
        "x.abc": 'must have at most 2 characters; got 3: "abc"'
    }


def test_the_nearest_branch_explains():
    card = {
        "type": "object",
        "properties": {"kind": {"const": "card"}, "number": {"type": "string"}},
        "required": ["kind", "number"],
    }
    iban = {
        "type": "object",
        "properties": {"kind": {"const": "iban"}, "iban": {"type": "string"}},
        "required": ["kind", "iban"],
    }
    for keyword in ("anyOf", "oneOf"):
        assert told({keyword: [card, iban, {"type": "null"}]}, {"kind": "iban"}) == {
            "x.iban": "'iban' is missing; it is required: it must be a string"
            " (nearest of 3 allowed forms)"
        }


def test_keys_with_dots_are_quoted_in_paths():
    assert list(told({"properties": {"a.b": {"type": "string"}}}, {"a.b": 1})) == ['x."a.b"']


def test_values_are_shortened():
    (message,) = told({"type": "integer"}, "x" * 10_000).values()
    assert len(message) < 120
    (message,) = told({"type": "string"}, list(range(10_000))).values()
    assert len(message) < 120


def test_long_enums_are_shortened():
    (message,) = told({"enum": [f"v{n}" for n in range(100)]}, 5).values()
    assert '"v29" and 70 more; got 5' in message


def test_hundreds_of_failures_end_with_their_number():
    failures = check_arguments(
        {"properties": {"x": {"items": {"type": "string"}}}}, {"x": list(range(1000))}
    ).failures
    assert len(failures) == 201
    assert failures[-1].message == "and 800 more failures like these"


def test_each_format_has_an_example_that_fits():
    assert set(CHECKERS) == set(EXAMPLES)
    for name, example in EXAMPLES.items():
        assert CHECKERS[name](example), name
