import pytest

from tests.unit.http.conftest import AT
from tm.errors import ToolError
from tm.http.urls import (
    base_url,
    encode_path,
    follow,
    join,
    split_origin,
)


def no_variables(text, at):
    raise ToolError(f"{text} is not set", code="TM503", at=at)


def base(text, needs_values=True, **values):
    def expand(name, at):
        key = name[2:-1]
        return values[key] if key in values else no_variables(name, at)

    return base_url(text, expand, AT, needs_values=needs_values)


def url(base_text, path, query=None, arrays="repeat"):
    return join(base(base_text), path, query or {}, arrays)


@pytest.mark.parametrize("left", ["https://e.example/jira", "https://e.example/jira/"])
@pytest.mark.parametrize("right", ["test", "/test"])
def test_slashes_on_either_side_give_one_url(left, right):
    assert url(left, right) == "https://e.example/jira/test"


@pytest.mark.parametrize(
    ("base_text", "path", "query", "expected"),
    [
        ("https://e.example", "", {}, "https://e.example/"),
        ("https://e.example/v1", "", {}, "https://e.example/v1"),
        ("https://e.example/v1", "/", {}, "https://e.example/v1/"),
        ("https://e.example/v1?lang=de", "/x", {"a": 1}, "https://e.example/v1/x?lang=de&a=1"),
        (
            "https://e.example",
            "/_search?pretty",
            {"q": "a b"},
            "https://e.example/_search?pretty&q=a%20b",
        ),
        ("https://e.example", "/x?a=b c&ä", {}, "https://e.example/x?a=b%20c&%C3%A4"),
        ("https://e.example", "/users/@me", {}, "https://e.example/users/@me"),
        ("https://e.example", "/a%2Fb/100%", {}, "https://e.example/a%2Fb/100%25"),
        ("https://e.example", "/größe", {}, "https://e.example/gr%C3%B6%C3%9Fe"),
        ("HTTPS://E.Example:443", "/x", {}, "https://e.example/x"),
        ("http://[::1]:8080/", "/x", {}, "http://[::1]:8080/x"),
        ("https://bücher.example", "/x", {}, "https://xn--bcher-kva.example/x"),
        ("https://e.example", "/v1/orders:batch", {}, "https://e.example/v1/orders:batch"),
        ("https://e.example", "/docs/%252e%252e", {}, "https://e.example/docs/%252e%252e"),
        ("https://e.example", "/a..b/.hidden/...", {}, "https://e.example/a..b/.hidden/..."),
    ],
)
def test_url_is_joined_from_its_parts(base_text, path, query, expected):
    assert url(base_text, path, query) == expected


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/x", "@evil.example/x", "https://evil.example/x", "file:///etc/passwd",
        "\\\\evil.example", "/a/../b", "/..", "..", "/%2e%2e/x", "/.%2E", "/..;/admin", "/..;a=b/x",
        "/./x", "/a\r\nX: 1", "/a\x00", "/a#b", "/a\\b", "/\u202e1", "//", "/x?a\r\nb", "/x?a#b",
    ],
)  # fmt: skip
def test_path_that_would_leave_the_base_is_refused(path):
    with pytest.raises(ToolError) as caught:
        url("https://api.example/v1", path)
    assert caught.value.code == "TM501"


@pytest.mark.parametrize(
    "text",
    [
        "ftp://e.example", "file:///etc/passwd", "e.example/x", "https://user:pw@e.example", "https://",
        "https://e.example:99999", "https://e.example:0", "https://e.example:x",
        "https://e example",
        "https://e.example\\@evil.example", "https://e.example/a/../b", "https://\u2100.example",
        "https://[::1", "https://[zz]", "https://" + "ü" * 80,
    ],
)  # fmt: skip
def test_unusable_base_url_names_its_place(text):
    with pytest.raises(ToolError) as caught:
        base(text)
    assert caught.value.code == "TM506"
    assert caught.value.at == AT
    assert "pw" not in str(caught.value)


def test_variables_are_filled_and_can_be_named_again():
    filled = base("${ERP_URL}/v1?lang=de", ERP_URL="http://erp.example:8080/")
    assert filled.url == "http://erp.example:8080/v1"
    assert filled.query == "lang=de"
    assert filled.declare("see http://erp.example:8080/v1/x") == "see ${ERP_URL}/v1/x"
    assert filled.fill("${ERP_URL}/v1/x") == "http://erp.example:8080/v1/x"
    assert filled.shown("http://erp.example:8080/v1/x") == "http://erp.example:8080/v1/x"


@pytest.mark.parametrize(
    "other", ["http://erp.example:80801/", "http://erp.example:8080.evil/", "x"]
)
def test_another_address_is_not_taken_for_the_declared_one(other):
    assert base("${ERP_URL}", ERP_URL="http://erp.example:8080").declare(other) == other


def test_missing_variable_is_an_error_where_it_is_needed():
    with pytest.raises(ToolError) as caught:
        base("${ERP_URL}/v1")
    assert caught.value.code == "TM503"


@pytest.mark.parametrize(
    "text", ["${ERP_URL}/v1", "https://${ERP_HOST}/v1", "https://a.example/${X}"]
)
def test_missing_variable_stays_as_text_where_nothing_is_sent(text):
    found = base(text, needs_values=False)
    assert not found.is_known
    assert found.shown(join(found, "/x", {"a": 1}, "repeat")) == f"{text}/x?a=1"


def test_base_without_variables_is_left_alone():
    found = base("https://e.example/v1")
    assert found.declare("https://e.example/v1/x") == "https://e.example/v1/x"
    assert found.fill("${X}") == "${X}"


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/v2?x=1", "https://e.example/v2?x=1"),
        ("next", "https://e.example/v1/next"),
        ("?page=2", "https://e.example/v1/list?page=2"),
        ("../up", "https://e.example/up"),
        ("//other.example/x", "https://other.example/x"),
        ("https://e.example", "https://e.example/"),
        ("/a b#frag", "https://e.example/a%20b"),
        ("/ä", "https://e.example/%C3%A4"),
    ],
)
def test_link_is_resolved_against_the_page(location, expected):
    assert follow("https://e.example/v1/list?page=1", location) == expected


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "data:x,y", "https://u:p@e.example/", "http://["]
)
def test_link_with_another_scheme_or_password_is_refused(location):
    with pytest.raises(ToolError):
        follow("https://e.example/", location)


def test_origin_leaves_out_the_schemes_own_port():
    assert split_origin("http://E.example:80/x?y") == ("http://e.example", "/x?y")
    assert split_origin("https://e.example:/x") == ("https://e.example", "/x")


def test_encoded_path_keeps_what_is_encoded_already():
    assert encode_path("/a%2fb") == "/a%2fb"
