from typing import Any

import pytest

from tests.unit.exchange.test_export import tool
from tm.errors import Location
from tm.exchange.result_changes import result_differences
from tm.model import Fixture, FunctionRef
from tm.records import replace


def differences(old: Any, new: Any, key: str = "mapping") -> list[tuple[str, str]]:
    pair = [replace(tool("a"), **{key: value}) for value in (old, new)]
    return [(found.level, found.path) for found in result_differences(*pair)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"id": "id"}, {"id": "id"}, []),
        ({"id": "id", "n": "n"}, {"id": "id"}, [("breaking", "mapping.n")]),
        ({"id": "id"}, {"id": "id", "n": "n"}, [("harmless", "mapping.n")]),
        ({"id": "a.id"}, {"id": "b.id"}, [("risky", "mapping.id")]),
        ({"id": "a.0.id"}, {"id": "a.*.id"}, [("breaking", "mapping.id")]),
        ({"id": "a[?b].id"}, {"id": "a.id"}, [("breaking", "mapping.id")]),
        (
            {"c": {"id": "id"}},
            {"c": {"n": "n"}},
            [("breaking", "mapping.c.id"), ("harmless", "mapping.c.n")],
        ),
        ({"c": {"id": "id"}}, {"c": "c"}, [("breaking", "mapping.c")]),
        (None, {"c": "c"}, [("breaking", "mapping")]),
    ],
)
def test_mapping_tells_what_became_of_each_field(old: Any, new: Any, expected: Any) -> None:
    assert differences(old, new) == expected


def test_a_function_may_make_anything_of_the_mapping() -> None:
    ref = FunctionRef("shop", "tenants/shop/a.py", "f", Location("tenants/shop/a.yaml", 1))
    pair = [replace(tool("a"), mapping={key: key}, postprocess=ref) for key in ("x", "y")]
    assert list(result_differences(*pair)) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1}, {"a": 2}, []),
        ({"a": 1}, {"a": "one"}, [("breaking", "result.a")]),
        ({"a": 1}, {"a": "<number>"}, []),
        ({"a": "2026-01-01"}, {"a": "<date>"}, []),
        ({"a": "<any>"}, {"a": 1}, []),
        ({"a": None}, {"a": 1}, []),
        ({"a": True}, {"a": 1}, [("breaking", "result.a")]),
        ({"a": [{"b": 1}]}, {"a": [{}]}, [("breaking", "result.a.*.b")]),
        ({"a": []}, {"a": {}}, [("breaking", "result.a")]),
        ({}, {"a": 1}, [("harmless", "result.a")]),
    ],
)
def test_expected_results_of_a_case_are_compared_by_kind(old: Any, new: Any, expected: Any) -> None:
    def cases(expect: Any) -> tuple[Fixture, ...]:
        return (Fixture("one", {}, expect), Fixture("silent", {}))

    assert differences(cases(old), cases(new), "fixtures") == expected
    assert differences(cases(old), (), "fixtures") == []
