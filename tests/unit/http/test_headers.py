import pytest

from tests.unit.http.conftest import make_api
from tm.errors import ToolError
from tm.http.headers import auth_header, display_name, request_headers

BEARER = {"type": "bearer", "token": "${T}"}
KEY = {"type": "header", "name": "X-Api-Key", "value": "${T}"}


def test_values_become_text_and_none_is_left_out():
    given = {"X-Deep": True, "X-N": 1.5, "X-No": None, "Accept": " text/csv "}
    assert request_headers(given, make_api()) == {
        "x-deep": "true",
        "x-n": "1.5",
        "accept": "text/csv",
    }


@pytest.mark.parametrize(
    "value", ["1\r\nX-Evil: 1", "a\nb", "a\x00", "a\x7f", {"a": 1}, [1], float("nan")]
)
def test_value_that_fits_no_header_is_refused(value):
    with pytest.raises(ToolError) as caught:
        request_headers({"X-A": value}, make_api())
    assert caught.value.code == "TM501"


@pytest.mark.parametrize(
    "name",
    [
        "Host", "content-LENGTH", "Transfer-Encoding", "Connection", "Proxy-Authorization", "TE",
        "Accept-Encoding", "X A", "X:", "", "X-\u00fc", "a\r\nb",
    ],
)  # fmt: skip
def test_header_that_steers_the_connection_is_refused(name):
    with pytest.raises(ToolError) as caught:
        request_headers({name: "x"}, make_api())
    assert caught.value.code == "TM501"


@pytest.mark.parametrize(
    ("auth", "name"),
    [(BEARER, "authorization"), (KEY, "X-API-KEY"), ({"type": "basic"}, "Authorization")],
)
def test_header_of_the_apis_auth_is_refused(auth, name):
    with pytest.raises(ToolError, match="'erp'"):
        request_headers({name: "x"}, make_api(auth=auth))


def test_authorization_may_be_given_where_the_api_has_none():
    assert request_headers({"Authorization": "x"}, make_api()) == {"authorization": "x"}
    assert auth_header(make_api(auth={"type": "query", "name": "k", "value": "v"})) is None


def test_names_are_shown_as_people_write_them():
    assert display_name("x-api-key") == "X-Api-Key"
