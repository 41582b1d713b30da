import json
from urllib.parse import parse_qs

import pytest
import respx

from tests.unit.http.conftest import AT, make_api
from tm.errors import ToolError
from tm.http.messages import ApiRequest
from tm.http.pool import ConnectionPool

TOKEN_URL = "https://login.example/token?tenant=a"
VALUES = {"ID": "client-1", "SECRET": "s3cret/+ 9", "LOGIN": "https://login.example"}
AUTH = {
    "type": "oauth2_client_credentials",
    "token_url": "${LOGIN}/token?tenant=a",
    "client_id": "${ID}",
    "client_secret": "${SECRET}",
    "scope": ["read", "write"],
}
REQUEST = ApiRequest("GET", "/x")


@pytest.fixture
def mock():
    with respx.mock(assert_all_called=False) as router:
        yield router


@pytest.fixture
def api():
    return make_api(auth=AUTH)


def granted(token="tok-abcdef", **fields):
    return respx.MockResponse(200, json={"access_token": token, "token_type": "bearer", **fields})


def test_token_is_fetched_once_and_used(mock, make_client, api):
    login = mock.post(TOKEN_URL).mock(return_value=granted(expires_in=3600))
    call = mock.get("https://erp.example/api/x").respond(json={"seen": "tok-abcdef"})
    client, bench = make_client(VALUES)
    for _ in range(2):
        client.send(api, REQUEST)
    assert len(login.calls) == 1
    asked = login.calls[0].request
    assert parse_qs(asked.content.decode()) == {
        "grant_type": ["client_credentials"], "scope": ["read write"],
    }  # fmt: skip
    assert asked.headers["authorization"].startswith("Basic ")
    assert call.calls[0].request.headers["authorization"] == "Bearer tok-abcdef"
    assert bench.redactor.text("tok-abcdef s3cret/+ 9") == "*** ***"
    assert [(e.method, e.status) for e in bench.exchanges] == [
        ("POST", 200),
        ("GET", 200),
        ("GET", 200),
    ]
    shown = repr(bench.exchanges) + bench.text
    assert "s3cret" not in shown
    assert "tok-abcdef" not in shown
    assert "${ERP_ACCESS_TOKEN}" in bench.exchanges[1].curl


def test_token_of_another_tenant_is_not_used(mock, make_client, api):
    login = mock.post(TOKEN_URL).mock(return_value=granted())
    mock.get("https://erp.example/api/x").respond(204)
    for tenant in ("acme", "other"):
        client, _ = make_client(VALUES, tenant=tenant)
        client.send(api, REQUEST)
    assert len(login.calls) == 2


@pytest.mark.parametrize(
    ("lifetime", "later", "fetched"),
    [
        (3600, 3500, 1),
        (3600, 3580, 2),
        ("60", 29, 1),
        ("60", 31, 2),
        (10, 6, 2),
        (None, 200, 1),
        ("x", 271, 2),
        (-5, 0, 2),
    ],
)
def test_token_is_given_up_before_it_expires(mock, make_client, api, lifetime, later, fetched):
    login = mock.post(TOKEN_URL).mock(return_value=granted(expires_in=lifetime))
    mock.get("https://erp.example/api/x").respond(204)
    client, bench = make_client(VALUES)
    client.send(api, REQUEST)
    bench.time.now += later
    client.send(api, REQUEST)
    assert len(login.calls) == fetched


def test_token_that_is_no_longer_taken_is_fetched_again_once(mock, make_client, api):
    login = mock.post(TOKEN_URL).mock(
        side_effect=[granted("tok-old-111"), granted("tok-new-222"), granted("tok-3")]
    )
    call = mock.get("https://erp.example/api/x").mock(
        side_effect=lambda request: respx.MockResponse(
            401 if "old" in request.headers["authorization"] else 204
        )
    )
    client, _ = make_client(VALUES)
    assert client.send(api, REQUEST).status == 204
    assert len(login.calls) == 2
    call.mock(return_value=respx.MockResponse(401))
    with pytest.raises(ToolError, match="401"):
        client.send(api, REQUEST)
    assert len(login.calls) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_server_that_takes_the_credentials_in_the_body_only(mock, make_client, api, status):
    login = mock.post(TOKEN_URL).mock(side_effect=[respx.MockResponse(status), granted()])
    mock.get("https://erp.example/api/x").respond(204)
    client, bench = make_client(VALUES)
    client.send(api, REQUEST)
    fields = parse_qs(login.calls[1].request.content.decode())
    assert fields["client_secret"] == [VALUES["SECRET"]]
    assert "authorization" not in login.calls[1].request.headers
    assert "s3cret" not in repr(bench.exchanges)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_server_that_is_busy_is_not_asked_twice(mock, make_client, api, status):
    login = mock.post(TOKEN_URL).respond(status)
    client, _ = make_client(VALUES)
    with pytest.raises(ToolError, match=f"refused: {status}"):
        client.send(api, REQUEST)
    assert len(login.calls) == 1


def test_refused_credentials_name_the_step(mock, make_client, api):
    mock.post(TOKEN_URL).respond(401, json={"error": "invalid_client", "secret": VALUES["SECRET"]})
    client, _ = make_client(VALUES)
    with pytest.raises(ToolError, match="token server of api 'erp' refused: 401") as caught:
        client.send(api, REQUEST)
    assert (caught.value.code, caught.value.at) == ("TM504", AT)
    assert "invalid_client" in str(caught.value)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        {"json": {"token": "x"}},
        {"json": ["x"]},
        {"json": {"access_token": ""}},
        {"text": "<html>"},
        {"json": {"access_token": 7}},
    ],
)
def test_answer_without_a_token_is_an_error(mock, make_client, api, answer):
    mock.post(TOKEN_URL).respond(200, **answer)
    client, _ = make_client(VALUES)
    with pytest.raises(ToolError) as caught:
        client.send(api, REQUEST)
    assert caught.value.code == "TM508"


def test_dry_run_fetches_a_token_for_reads_only(mock, make_client, api):
    login = mock.post(TOKEN_URL).mock(return_value=granted())
    mock.get("https://erp.example/api/x").respond(204)
    client, _ = make_client(VALUES, dry_run=True)
    client.send(api, ApiRequest("POST", "/x", body={}))
    assert not login.calls
    client.send(api, REQUEST)
    assert len(login.calls) == 1


def test_recorded_run_keeps_no_token(mock, make_client, api, tmp_path):
    from tm.http.cassettes import Cassette

    mock.post(TOKEN_URL).mock(return_value=granted())
    mock.get("https://erp.example/api/x").respond(json={"echo": "Bearer tok-abcdef"})
    cassette = Cassette.new(tmp_path / "acme" / "cassettes" / "t" / "default.yaml")
    (tmp_path / "acme").mkdir()
    client, _ = make_client(VALUES, mode="record", cassette=cassette)
    client.send(api, REQUEST)
    cassette.save()
    text = cassette.path.read_text()
    assert "tok-abcdef" not in text
    assert text.count("uri:") == 1
    assert json.loads(cassette.interactions[0].content) == {"echo": "Bearer ***"}


def test_scope_may_be_left_out(mock, make_client, pool):
    login = mock.post("https://login.example/token").mock(return_value=granted())
    mock.get("https://erp.example/api/x").respond(204)
    auth = {**AUTH, "token_url": "https://login.example/token", "scope": None}
    client, _ = make_client(VALUES, pool=ConnectionPool())
    client.send(make_api(auth=auth), REQUEST)
    assert login.calls[0].request.content == b"grant_type=client_credentials"
