import json
import sys

import httpx
import pytest
import respx

from tests.unit.http.conftest import AT, http, make_api
from tm.errors import ConfigError, ToolError
from tm.http.client import HttpClient
from tm.http.messages import ApiRequest
from tm.model import Timeouts
from tm.redact import Redactor

URL = "https://erp.example/api"


@pytest.fixture
def mock():
    with respx.mock(assert_all_called=False) as router:
        yield router


def sent(mock):
    return mock.calls.last.request


def test_get_is_sent_with_query_and_headers(mock, make_client):
    mock.get(url__startswith=URL).respond(json={"id": 7})
    client, bench = make_client()
    api = make_api(headers={"Accept-Language": "de", "X-No": None, "X-Ch": "a"})
    request = ApiRequest("get", "/x?pretty", query={"a": "b c"}, headers={"x-ch": "ü"})
    response = client.send(api, request)
    assert str(sent(mock).url) == f"{URL}/x?pretty&a=b%20c"
    headers = dict(sent(mock).headers.raw)
    assert headers[b"accept-language"] == b"de"
    assert headers[b"x-ch"] == "ü".encode()
    assert headers[b"user-agent"].startswith(b"tm/")
    assert headers[b"accept-encoding"] == b"gzip, deflate"
    assert (response.status, response.body, response.url) == (
        200,
        {"id": 7},
        f"{URL}/x?pretty&a=b%20c",
    )
    assert response.text == '{"id":7}'
    assert response.json() == {"id": 7}
    assert not response.stubbed
    [exchange] = bench.exchanges
    assert (exchange.method, exchange.status, exchange.bytes, exchange.attempts) == (
        "GET",
        200,
        8,
        1,
    )
    assert bench.lines == [("info", f"GET {URL}/x?pretty&a=b%20c: 200")]


@pytest.mark.parametrize(
    ("body", "body_format", "content", "content_type"),
    [
        ({"a": "ü"}, "json", '{"a":"ü"}'.encode(), "application/json"),
        ({}, "json", b"{}", "application/json"),
        ({"a": [1, 2]}, "form", b"a=1&a=2", "application/x-www-form-urlencoded"),
        ("<x/>", "text", b"<x/>", "text/plain; charset=utf-8"),
    ],
)
def test_body_is_sent_with_its_type(mock, make_client, body, body_format, content, content_type):
    mock.post(f"{URL}/x").respond(204)
    client, _ = make_client()
    response = client.send(make_api(), ApiRequest("POST", "x", body=body, body_format=body_format))
    assert sent(mock).content == content
    assert sent(mock).headers["content-type"] == content_type
    assert response.body == {}


def test_tools_content_type_wins(mock, make_client):
    mock.post(f"{URL}/x").respond(204)
    client, _ = make_client()
    request = ApiRequest(
        "POST", "x", body="<x/>", body_format="text", headers={"Content-Type": "text/xml"}
    )
    client.send(make_api(), request)
    assert sent(mock).headers["content-type"] == "text/xml"


def test_absent_body_is_no_body(mock, make_client):
    mock.post(f"{URL}/x").respond(204)
    client, _ = make_client()
    client.send(make_api(), ApiRequest("POST", "x"))
    assert sent(mock).content == b""
    assert "content-type" not in sent(mock).headers


@pytest.mark.parametrize(
    ("auth", "header", "expected"),
    [
        ({"type": "bearer", "token": "${T}"}, "authorization", "Bearer tok-123456"),
        ({"type": "header", "name": "X-Key", "value": "Key ${T}"}, "x-key", "Key tok-123456"),
        (
            {"type": "basic", "username": "nw-api", "password": "pa:ss wört9"},
            "authorization", "Basic bnctYXBpOnBhOnNzIHfDtnJ0OQ==",
        ),
    ],
)  # fmt: skip
def test_auth_goes_into_its_header_and_nowhere_else(mock, make_client, auth, header, expected):
    mock.get(f"{URL}/x").respond(
        json={"you": "tok-123456 pa:ss wört9 bnctYXBpOnBhOnNzIHfDtnJ0OQ=="}
    )
    client, bench = make_client({"T": "tok-123456"})
    response = client.send(make_api(auth=auth), ApiRequest("GET", "/x"))
    assert sent(mock).headers[header] == expected
    secret = expected.rpartition(" ")[2]
    assert secret not in repr(bench.exchanges) + bench.text
    assert secret in response.text  # the handler sees what came; what is shown is masked later
    assert secret not in bench.redactor.text(response.text)


def test_query_auth_replaces_the_parameter_and_is_masked(mock, make_client):
    mock.get(url__startswith=URL).respond(json={})
    client, bench = make_client({"K": "geo/key+99=="})
    api = make_api(auth={"type": "query", "name": "apikey", "value": "${K}"})
    client.send(api, ApiRequest("GET", "/x?apikey=mine&a=1"))
    assert str(sent(mock).url) == f"{URL}/x?a=1&apikey=geo%2Fkey%2B99%3D%3D"
    assert bench.exchanges[0].url == f"{URL}/x?a=1&apikey=***"


def test_missing_secret_sends_nothing(mock, make_client):
    client, bench = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(make_api(auth={"type": "bearer", "token": "${T}"}), ApiRequest("GET", "/x"))
    assert (caught.value.code, caught.value.at) == ("TM503", AT)
    assert not mock.calls
    assert not bench.exchanges


def test_argument_that_looks_like_a_variable_is_not_filled(mock, make_client):
    mock.post(url__startswith=URL).respond(204)
    client, bench = make_client({"T": "tok-123456"})
    text = "${T}"
    client.send(
        make_api(), ApiRequest("POST", "/x", query={"q": text}, headers={"X-A": text}, body=[text])
    )
    assert b"tok-123456" not in sent(mock).content + str(sent(mock).headers).encode()
    assert "'X-A: ${T}'" in bench.exchanges[0].curl


@pytest.mark.parametrize(
    ("auth", "words"),
    [
        ({"type": "berer", "token": "x"}, "did you mean 'bearer'"),
        ({"type": "zzz"}, "known are bearer"),
        ({"type": "bearer"}, "no 'token'"),
        ({"type": "header", "name": "", "value": "x"}, "no 'name'"),
    ],
)
def test_wrong_auth_declaration_is_named(mock, make_client, auth, words):
    client, _ = make_client()
    with pytest.raises(ConfigError, match=words) as caught:
        client.send(make_api(auth=auth), ApiRequest("GET", "/x"))
    assert caught.value.at == AT


def test_colon_in_a_basic_username_is_refused(mock, make_client):
    client, _ = make_client()
    auth = {"type": "basic", "username": "a:b", "password": "secret-1"}
    with pytest.raises(ToolError, match="colon"):
        client.send(make_api(auth=auth), ApiRequest("GET", "/x"))


def test_malformed_variable_is_left_to_the_config_to_judge(mock, make_client):
    mock.get(f"{URL}/x").respond(204)
    client, bench = make_client()
    client.send(make_api(headers={"X-A": "${not a name}"}), ApiRequest("GET", "/x"))
    assert "${not a name}" in bench.expanded


@pytest.mark.parametrize("status", [400, 401, 404, 418, 429, 500, 599])
def test_error_status_carries_the_answers_words(mock, make_client, status):
    mock.post(f"{URL}/x").respond(status, json={"detail": "from must be before tok-123456"})
    client, bench = make_client({"T": "tok-123456"})
    api = make_api(auth={"type": "bearer", "token": "${T}"})
    with pytest.raises(ToolError) as caught:
        client.send(api, ApiRequest("POST", "/x", body={}))
    message = str(caught.value)
    assert caught.value.code == "TM504"
    assert message.startswith(str(status))
    assert f"POST {URL}/x" in message
    assert "from must be before ***" in message
    assert bench.exchanges[0].status == status
    if status == 401:
        assert "$T" in (caught.value.hint or "")


def test_error_status_may_be_asked_for(mock, make_client):
    mock.get(f"{URL}/x").respond(404, json={"a": 1})
    client, _ = make_client()
    response = client.send(make_api(), ApiRequest("GET", "/x"), raise_for_status=False)
    assert (response.status, response.body) == (404, {"a": 1})


def test_broken_json_is_masked(mock, make_client):
    mock.get(f"{URL}/x").respond(
        content=b"{tok-123456", headers={"content-type": "application/json"}
    )
    client, _ = make_client({"T": "tok-123456"})
    with pytest.raises(ToolError) as caught:
        client.send(make_api(auth={"type": "bearer", "token": "${T}"}), ApiRequest("GET", "/x"))
    assert caught.value.code == "TM508"
    assert "tok-123456" not in str(caught.value)


def test_binary_answer_is_a_warning_line(mock, make_client):
    mock.get(f"{URL}/x").respond(content=b"\x89PNG", headers={"content-type": "image/png"})
    client, bench = make_client()
    assert client.send(make_api(), ApiRequest("GET", "/x")).body == {
        "bytes": 4,
        "content_type": "image/png",
    }
    assert bench.lines[-1][0] == "warning"


def test_requests_own_limits_override_the_apis(mock, make_client):
    mock.get(f"{URL}/x").respond(content=b"x" * 50, headers={"content-type": "text/plain"})
    client, _ = make_client()
    api = make_api(max_response_bytes=10, timeouts=Timeouts(1, 2))
    request = ApiRequest("GET", "/x", max_response_bytes=50, timeouts=Timeouts(3, 4), attempts=1)
    client.send(api, request)
    assert sent(mock).extensions["timeout"] == {"connect": 3, "read": 4, "write": 4, "pool": 3}
    with pytest.raises(ToolError) as caught:
        client.send(api, ApiRequest("GET", "/x"))
    assert caught.value.code == "TM507"


def test_cookies_are_not_kept(mock, make_client):
    mock.get(f"{URL}/x").respond(204, headers={"set-cookie": "session=1; Path=/"})
    client, _ = make_client()
    for _ in range(2):
        client.send(make_api(), ApiRequest("GET", "/x"))
    assert "cookie" not in sent(mock).headers


def test_base_url_from_a_variable_is_shown_filled(mock, make_client):
    mock.get("https://live.example/v1/x").respond(204)
    client, bench = make_client({"ERP_URL": "https://live.example"})
    client.send(make_api("${ERP_URL}/v1"), ApiRequest("GET", "/x"))
    assert bench.exchanges[0].url == "https://live.example/v1/x"
    assert '"${ERP_URL}/v1/x"' in bench.exchanges[0].curl


def test_curl_text_is_left_out_where_nobody_wants_it(mock, make_client):
    mock.get(f"{URL}/x").respond(204)
    client, bench = make_client(secret_names=None)
    client.send(make_api(), ApiRequest("GET", "/x"))
    assert bench.exchanges[0].curl == ""


def test_client_without_listeners_works(mock, pool):
    mock.get(f"{URL}/x").respond(json=[1])
    client = HttpClient(tenant="a", expand=lambda text, at: text, redactor=Redactor(), pool=pool)
    assert client.send(make_api(), ApiRequest("GET", "/x")).body == [1]


def test_recording_needs_a_cassette(make_client):
    with pytest.raises(ValueError, match="cassette"):
        make_client(mode="record")


# -- dry run


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_dry_run_stubs_writes_without_any_secret(mock, make_client, method):
    client, bench = make_client(dry_run=True)
    auth = {"type": "bearer", "token": "${T}"}
    api = make_api("${ERP_URL}/v1", auth=auth, headers={"X-Ch": "${C}"})
    response = client.send(api, ApiRequest(method, "/x", query={"a": 1}, body={"no": "A-17"}))
    assert not mock.calls
    assert response.stubbed
    assert response.body == {
        "dry_run": True,
        "method": method,
        "url": "${ERP_URL}/v1/x?a=1",
        "headers": {
            "X-Ch": "***",
            "Content-Type": "application/json",
            "Authorization": "Bearer ***",
        },
        "body": {"no": "A-17"},
    }
    assert bench.lines == [("info", f"dry run: {method} ${{ERP_URL}}/v1/x?a=1 not sent")]
    [exchange] = bench.exchanges
    assert (exchange.stubbed, exchange.attempts, exchange.status) == (True, 0, None)
    assert "${T}" in exchange.curl


def test_dry_run_of_a_stub_masks_what_is_known(make_client):
    client, bench = make_client(dry_run=True)
    bench.redactor.add("tok-123456")
    response = client.send(make_api(), ApiRequest("POST", "/x", body={"t": "tok-123456"}))
    assert response.json()["body"] == {"t": "***"}


def test_dry_run_gives_the_fixture(make_client):
    client, _ = make_client(dry_run=True)
    response = client.send(make_api(), ApiRequest("POST", "/x"), fixture={"invoice": {"nr": "R-0"}})
    assert (response.status, response.body) == (200, {"invoice": {"nr": "R-0"}})
    assert client.send(make_api(), ApiRequest("POST", "/x"), fixture=None).body is None


@pytest.mark.parametrize(("method", "read_only"), [("GET", False), ("HEAD", False), ("POST", True)])
def test_dry_run_sends_reads(mock, make_client, method, read_only):
    mock.route(method=method).respond(200, json={} if method != "HEAD" else None)
    client, bench = make_client(dry_run=True)
    response = client.send(make_api(), ApiRequest(method, "/x", read_only=read_only))
    assert not response.stubbed
    assert len(mock.calls) == 1
    assert not bench.exchanges[0].stubbed


def test_stub_of_form_and_no_body(make_client):
    client, _ = make_client(dry_run=True)
    stub = client.send(make_api(), ApiRequest("POST", "/x", body={"a": 1}, body_format="form")).body
    assert stub["body"] == "a=1"
    assert client.send(make_api(), ApiRequest("DELETE", "/x")).body["body"] is None


def test_stubs_load_no_http_library():
    import subprocess

    script = (
        "import sys\n"
        "from tm.errors import Location\n"
        "from tm.http.client import HttpClient\n"
        "from tm.http.messages import ApiRequest\n"
        "from tm.http.pool import ConnectionPool\n"
        "from tm.model import Api\n"
        "from tm.redact import Redactor\n"
        "client = HttpClient(tenant='a', expand=str, redactor=Redactor(), pool=ConnectionPool(),"
        " dry_run=True)\n"
        "api = Api(name='e', home='a', at=Location('a'), base_url='https://e.example')\n"
        "client.send(api, ApiRequest('POST', '/x', body={}))\n"
        "heavy = {'httpx', 'httpcore', 'ssl', 'yaml', 'email', 'asyncio', 'logging',"
        " 'urllib.request', 'http.client'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


# -- hosts


def test_handlers_url_finds_its_api(make_client):
    client, _ = make_client({"ERP_URL": "https://live.example/"})
    erp = make_api("${ERP_URL}/api")
    broken = make_api("ftp://x")
    found = client.resolve("https://live.example/api/x?a=1", None, {"erp": erp, "b": broken}, [])
    assert found == (erp, "/x?a=1")


# -- paging goes through the whole stack


def test_pages_by_link_are_joined(mock, make_client):
    from tm.model import Pagination

    link = f'<{URL}/list?page=2>; rel="next"'
    mock.get(f"{URL}/list?state=open").respond(json=[1, 2], headers={"link": link})
    mock.get(f"{URL}/list?page=2").respond(
        json=[3], headers={"link": f"<{URL}/list?page=2>; rel=next"}
    )
    client, bench = make_client()
    request = ApiRequest("GET", "/list", query={"state": "open"})
    response = client.send_pages(make_api(), request, Pagination("link"))
    assert response.body == [1, 2, 3]
    assert len(bench.exchanges) == 2
    assert "fetched before" in bench.text


def test_pages_of_a_stubbed_write_are_the_stub(make_client):
    from tm.model import Pagination

    client, bench = make_client(dry_run=True)
    response = client.send_pages(make_api(), ApiRequest("POST", "/search"), Pagination("page"))
    assert response.body["dry_run"] is True
    assert len(bench.exchanges) == 1


@pytest.mark.parametrize("link", ["https://other.example/x", "file:///etc/passwd"])
def test_page_at_another_origin_is_not_fetched(mock, make_client, link):
    from tm.model import Pagination

    mock.get(f"{URL}/list").respond(json={"items": [1], "next": link})
    client, bench = make_client()
    pages = Pagination("link", items="items", next="next")
    assert client.send_pages(make_api(), ApiRequest("GET", "/list"), pages).body == [1]
    assert "another origin" in bench.text


def test_request_body_of_bytes_reaches_the_server(mock, make_client):
    mock.put(f"{URL}/x").respond(204)
    client, _ = make_client()
    client.send(make_api(), ApiRequest("PUT", "/x", body=b"\x00\x01", body_format="text"))
    assert sent(mock).content == b"\x00\x01"


def test_invalid_url_of_the_library_is_told(mock, make_client):
    client, _ = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(make_api(), ApiRequest("GET", "/" + "x" * 70_000))
    assert caught.value.code == "TM501"
    assert isinstance(caught.value.__cause__, httpx.InvalidURL)


def test_stub_survives_json(make_client):
    client, _ = make_client(dry_run=True)
    assert json.loads(client.send(make_api(), ApiRequest("POST", "/x")).text)["dry_run"] is True


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PURGE", "GET\r\nX: 1", "", None])
def test_unknown_method_is_refused(mock, make_client, method):
    client, _ = make_client()
    with pytest.raises(ToolError, match="unknown method") as caught:
        client.send(make_api(), ApiRequest(method, "/x"))
    assert caught.value.code == "TM501"
    assert not mock.calls


@pytest.mark.parametrize("fields", [{"query": [("a", 1)]}, {"headers": "X-A: 1"}])
def test_query_and_headers_must_be_mappings(make_client, fields):
    client, _ = make_client()
    with pytest.raises(ToolError, match="must be a mapping") as caught:
        client.send(make_api(), ApiRequest("GET", "/x", **fields))
    assert caught.value.code == "TM501"


def test_names_that_are_no_text_are_written_as_text(mock, make_client):
    mock.get(f"{URL}/x?1=2").respond(204)
    client, _ = make_client()
    client.send(make_api(), ApiRequest("GET", "/x", query={1: 2}, headers={7: 8}))
    assert sent(mock).headers["7"] == "8"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_read_only_speaks_of_posts_only(mock, make_client, method):
    client, _ = make_client(dry_run=True)
    assert client.send(make_api(), ApiRequest(method, "/x", read_only=True)).stubbed
    assert not mock.calls


def test_stub_of_basic_auth_shows_no_user(make_client):
    client, _ = make_client(dry_run=True)
    auth = {"type": "basic", "username": "${U}", "password": "${P}"}
    stub = client.send(make_api(auth=auth), ApiRequest("DELETE", "/x")).body
    assert stub["headers"] == {"Authorization": "Basic ***"}


def test_empty_answer_read_as_json_is_an_empty_object(make_client, serve):
    server = serve(http("204 No Content", b""))
    client, _ = make_client()
    response = client.send(make_api(base_url=server.origin), ApiRequest("PUT", "/x"))
    assert response.json() == {}
