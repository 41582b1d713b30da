import pytest

from tm.errors import ToolError
from tm.http.query import set_parameter, write_query


@pytest.mark.parametrize(
    ("value", "arrays", "expected"),
    [
        ([1, 2], "repeat", "f=1&f=2"),
        (["a", "b,c"], "comma", "f=a,b%2Cc"),
        (["a", "b,c"], "brackets", "f%5B%5D=a&f%5B%5D=b%2Cc"),
        ([True, None, False], "repeat", "f=true&f=false"),
        ([], "comma", ""),
        ((1,), "repeat", "f=1"),
        (None, "repeat", ""),
        (True, "repeat", "f=true"),
        (1.0, "repeat", "f=1.0"),
        (0.5, "repeat", "f=0.5"),
        (12345678901234567890, "repeat", "f=12345678901234567890"),
        ("Säge 20%+&", "repeat", "f=S%C3%A4ge%2020%25%2B%26"),
        ("", "repeat", "f="),
        ("\ud800", "repeat", "f=%3F"),
    ],
)
def test_query_values_are_written_as_apis_read_them(value, arrays, expected):
    assert write_query({"f": value}, arrays) == expected


def test_query_names_are_encoded():
    assert write_query({"a b[]&": 1}, "repeat") == "a%20b%5B%5D%26=1"


@pytest.mark.parametrize(
    "value", [{"a": 1}, [{"a": 1}], [[1]], float("nan"), float("inf"), object()]
)
def test_query_value_that_fits_no_query_is_named(value):
    with pytest.raises(ToolError, match="'filter' is") as caught:
        write_query({"filter": value}, "repeat")
    assert caught.value.code == "TM501"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("https://e.example/x", "https://e.example/x?key=v"),
        ("https://e.example/x?a=1", "https://e.example/x?a=1&key=v"),
        ("https://e.example/x?key=old&a=1&k%65y=old2", "https://e.example/x?a=1&key=v"),
    ],
)
def test_auth_parameter_replaces_the_same_name(before, after):
    assert set_parameter(before, "key", "v") == after
