import json

import pytest

from tests.unit.http.conftest import http, json_answer, make_api
from tm.errors import ToolError
from tm.http.messages import ApiRequest


def to(location, status="302 Found"):
    return http(status, location=location)


def test_same_origin_is_followed_with_auth(serve, make_client):
    server = serve(to("/v2/here?x=1"), json_answer('{"here": true}'))
    client, bench = make_client({"T": "tok-123456"})
    api = make_api(f"{server.origin}/v1", auth={"type": "bearer", "token": "${T}"})
    response = client.send(api, ApiRequest("GET", "/moved"))
    assert response.body == {"here": True}
    assert response.url == f"{server.origin}/v2/here?x=1"
    assert "tok-123456" in server.requests[1]
    assert [exchange.status for exchange in bench.exchanges] == [302, 200]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_origin_is_not_followed(serve, make_client, status, method):
    other = serve(json_answer("{}"))
    server = serve(to(f"{other.origin}/steal", f"{status} X"))
    client, _ = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(make_api(server.origin), ApiRequest(method, "/away"))
    assert caught.value.code == "TM504"
    assert f"{other.origin}/steal" in str(caught.value)
    assert not other.requests


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "data:text/plain,x", "http://[", "//u:p@h/", "/a/%2e%2e/b"]
)
def test_what_is_no_address_is_not_followed(serve, make_client, location):
    server = serve(to(location))
    client, _ = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(make_api(server.origin), ApiRequest("GET", "/x"))
    assert caught.value.code == "TM504"
    assert len(server.requests) == 1


def test_five_redirects_are_followed_and_a_sixth_is_not(serve, make_client):
    server = serve(*[to(f"/{n}") for n in range(5)], json_answer("{}"))
    client, _ = make_client()
    assert client.send(make_api(server.origin), ApiRequest("GET", "/x")).url == f"{server.origin}/4"
    endless = serve(to("/again"))
    with pytest.raises(ToolError, match="sixth") as caught:
        client.send(make_api(endless.origin), ApiRequest("GET", "/x"))
    assert caught.value.code == "TM504"
    assert len(endless.requests) == 6


@pytest.mark.parametrize(
    ("method", "status", "then"),
    [
        ("POST", 301, "GET"), ("POST", 302, "GET"), ("POST", 303, "GET"), ("PUT", 303, "GET"),
        ("POST", 307, "POST"), ("POST", 308, "POST"), ("PUT", 302, "PUT"), ("HEAD", 303, "HEAD"),
    ],
)  # fmt: skip
def test_method_changes_as_in_browsers(serve, make_client, method, status, then):
    server = serve(to("/there", f"{status} X"), http("204 No Content", content_length=""))
    client, _ = make_client()
    body = {} if method == "HEAD" else {"body": {"a": 1}}
    client.send(make_api(server.origin), ApiRequest(method, "/x", headers={"X-A": "1"}, **body))
    second = server.requests[1]
    assert second.startswith(f"{then} /there ")
    assert "x-a: 1" in second.lower()
    if then in {"POST", "PUT"}:
        assert json.loads(second.partition("\r\n\r\n")[2]) == {"a": 1}
    else:
        assert "content-type" not in second.lower()


def test_redirect_is_the_answer_where_following_is_off(serve, make_client):
    server = serve(to("https://other.example/x"))
    client, _ = make_client()
    request = ApiRequest("GET", "/x", follow_redirects=False)
    response = client.send(make_api(server.origin), request)
    assert (response.status, response.headers["location"]) == (302, "https://other.example/x")
    response = client.send(make_api(server.origin, follow_redirects=False), ApiRequest("GET", "/x"))
    assert response.status == 302


@pytest.mark.parametrize("answer", [http("304 Not Modified", content_length=""), http("302 Found")])
def test_3xx_without_a_target_is_the_answer(serve, make_client, answer):
    server = serve(answer)
    client, _ = make_client()
    assert client.send(make_api(server.origin), ApiRequest("GET", "/x")).status in {302, 304}


def test_target_with_a_secret_is_masked(serve, make_client):
    server = serve(to("https://other.example/?k=tok-123456"))
    client, _ = make_client({"T": "tok-123456"})
    api = make_api(server.origin, auth={"type": "bearer", "token": "${T}"})
    with pytest.raises(ToolError) as caught:
        client.send(api, ApiRequest("GET", "/x"))
    assert "tok-123456" not in str(caught.value)
