import pytest

from tests.unit.http.conftest import AT, make_api
from tm.errors import ToolError
from tm.http.hosts import PUBLIC_ONLY, resolve
from tm.http.urls import base_url


def declared(*bases):
    apis = [make_api(text) for text in bases]
    return [
        (api, base_url(text, lambda t, at: t, AT, needs_values=True))
        for api, text in zip(apis, bases, strict=True)
    ]


APIS = declared("https://erp.example/api", "https://erp.example/api/v2", "http://127.0.0.1:8080")
OWN = make_api("https://own.example")


@pytest.mark.parametrize(
    ("target", "base", "path"),
    [
        ("https://erp.example/api/x?a=1#f", "https://erp.example/api", "/x?a=1"),
        ("https://erp.example/api/v2/x", "https://erp.example/api/v2", "/x"),
        ("https://erp.example/api/v2", "https://erp.example/api/v2", "/"),
        ("HTTPS://ERP.example:443/api/v22", "https://erp.example/api", "/v22"),
        ("http://127.0.0.1:8080/a b", "http://127.0.0.1:8080", "/a%20b"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "/"),
    ],
)
def test_url_belongs_to_the_api_with_the_longest_base(target, base, path):
    api, found = resolve(target, OWN, APIS, [])
    assert (api.base_url, found) == (base, path)


def test_of_two_apis_with_one_address_the_tools_own_is_meant():
    apis = declared("https://erp.example/api", "https://erp.example/api")
    for own, _ in apis:
        assert resolve("https://erp.example/api/x", own, apis, [])[0] is own
    assert resolve("https://erp.example/api/x", None, apis, [])[0] is apis[0][0]


def test_address_outside_the_base_says_so():
    with pytest.raises(ToolError, match=r"outside .*https://erp\.example/api") as caught:
        resolve("https://erp.example/other", OWN, APIS, [])
    assert caught.value.code == "TM516"


def test_relative_path_belongs_to_the_tools_own_api():
    assert resolve("/x?y=1", OWN, APIS, []) == (OWN, "/x?y=1")
    assert resolve("v1/orders:batch", OWN, APIS, []) == (OWN, "v1/orders:batch")


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/x", "http://erp.example/api/x", "https://erp.example:8443/api/x",
        "https://erp.example/apix", "https://erp.example/other", "https://erp.example.evil.example/api",
        "https://erp.example@evil.example/api", "https://erp.example\\@evil.example/api",
        "https://erp.example/api/../admin", "https://erp.example/api/%2e%2e/admin",
        "//evil.example/x",
        "file:///etc/passwd", "javascript:alert(1)", "\\\\evil.example\\x", "https://", "https://[::1",
        "http://2130706433/", "http://0x7f000001:8080/", "http://[::ffff:127.0.0.1]:8080/",
    ],
)  # fmt: skip
def test_other_hosts_are_refused(target):
    with pytest.raises(ToolError) as caught:
        resolve(target, OWN, APIS, [])
    assert caught.value.code == "TM516"


def test_refusal_names_the_host_and_what_is_declared():
    with pytest.raises(ToolError, match=r"'evil\.example'") as caught:
        resolve("https://evil.example/?key=s3cret", None, APIS, ["*.good.example"])
    assert "https://erp.example" in str(caught.value)
    assert "*.good.example" in str(caught.value)
    assert "s3cret" not in str(caught.value)
    with pytest.raises(ToolError, match="none"):
        resolve("https://evil.example/", None, [], [])


def test_relative_path_needs_an_api():
    with pytest.raises(ToolError, match="needs an api"):
        resolve("/x", None, APIS, [])


@pytest.mark.parametrize(
    ("entry", "target", "public_only"),
    [
        ("good.example", "https://good.example/x?y=1", False),
        ("GOOD.example", "https://good.example:8443/x?y=1", False),
        ("good.example:8443", "https://good.example:8443/x?y=1", False),
        ("good.example:443", "https://good.example/x?y=1", False),
        ("*.good.example", "https://a.b.good.example/x?y=1", True),
        ("[::1]", "http://[::1]:8080/x?y=1", False),
        ("[::1]:8080", "http://[::1]:8080/x?y=1", False),
    ],
)
def test_allowed_host_gives_a_bare_api(entry, target, public_only):
    api, path = resolve(target, OWN, APIS, [entry])
    assert path == "/x?y=1"
    assert api.auth is None
    assert target.startswith(api.base_url)
    assert bool(api.declared.get(PUBLIC_ONLY)) is public_only


def test_allowed_host_without_a_path():
    assert resolve("https://good.example", None, [], ["good.example"])[1] == "/"


@pytest.mark.parametrize(
    ("entry", "target"),
    [
        ("good.example:8443", "https://good.example/"), ("*.good.example", "https://good.example/"),
        ("*.good.example", "https://evilgood.example/"), ("*.", "https://x.example/"), ("*", "https://x.example/"),
        ("good.example", "https://a.good.example/"), ("", "https://x.example/"),
    ],
)  # fmt: skip
def test_entry_allows_no_more_than_it_says(entry, target):
    with pytest.raises(ToolError):
        resolve(target, None, [], [entry])
