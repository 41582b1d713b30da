"""The mapping step and fail_when."""

import pytest

from tm.http.messages import Response
from tm.runner.mapping import apply_mapping, failure_in


def response(body, status=200, headers=None):
    return Response(status, headers or {}, b"", body, "https://shop.example.com/x")


def mapped(mapping, body, **rest):
    missing = []
    result = apply_mapping(
        mapping, response(body, **rest), missing=lambda key, path, _: missing.append((key, path))
    )
    return result, missing


def test_only_named_fields_come_back_and_nested_mappings_stay_nested():
    result, missing = mapped(
        {"id": "no", "sums": {"gross": "total.gross", "tax": {"rate": "total.rate"}}},
        {"no": "A-1", "total": {"gross": 119, "rate": 0.19}, "internal": "x"},
    )
    assert result == {"id": "A-1", "sums": {"gross": 119, "tax": {"rate": 0.19}}}
    assert missing == []


def test_missing_field_is_null_and_told_but_a_null_that_is_there_is_not():
    result, missing = mapped({"a": "gone.x", "b": "empty"}, {"empty": None})
    assert result == {"a": None, "b": None}
    assert missing == [("a", "gone.x")]


def test_status_and_headers_can_be_mapped():
    result, _ = mapped(
        {"code": "$status", "at": "$headers.Location"}, {}, status=201, headers={"location": "/7"}
    )
    assert result == {"code": 201, "at": "/7"}


def test_jmespath_expressions_work():
    result, _ = mapped(
        {"paid": "items[?paid].{id: no}"}, {"items": [{"no": 1, "paid": True}, {"no": 2}]}
    )
    assert result == {"paid": [{"id": 1}]}


@pytest.mark.parametrize("value", [None, "", [], {}, 0, 0.0, False])
def test_fail_when_takes_empty_values_for_well(value):
    assert failure_in("errors", response({"errors": value})) is None


def test_fail_when_takes_an_absent_field_for_well():
    assert failure_in("errors", response({})) is None


@pytest.mark.parametrize("value", ["no stock", [{"message": "x"}], 3, True])
def test_fail_when_returns_what_it_finds(value):
    assert failure_in("errors", response({"errors": value})) == value
