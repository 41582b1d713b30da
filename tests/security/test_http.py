"""Ways to make the HTTP client send something, or send it somewhere, that it must not."""

import shutil
import ssl
import subprocess
import threading
from base64 import b64encode

import pytest
import respx

from tests.unit.http import conftest as bench_tools
from tests.unit.http.conftest import http, json_answer, make_api
from tm.errors import ToolError
from tm.http.hosts import PUBLIC_ONLY
from tm.http.messages import ApiRequest
from tm.http.pool import ConnectionPool

make_client, pool, serve = bench_tools.make_client, bench_tools.pool, bench_tools.serve

SECRET = "pa:ss/w+rt 9"
FORMS = [SECRET, "pa:ss%2Fw%2Brt%209", "pa%3Ass%2Fw%2Brt%209", b64encode(SECRET.encode()).decode()]


@pytest.fixture
def mock():
    with respx.mock(assert_all_called=False) as router:
        yield router


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/x", "@evil.example/x", "https://evil.example/x", "/..;/admin", "/%2e%2e/x",
        "/.%2e/x",
        "/a/..%3b/x", "\\\\evil.example", "/x\r\nHost: evil.example", "/\u202e1", "file:///etc/passwd",
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_path_leaves_the_api(mock, make_client, path, method):
    client, _ = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(make_api("https://api.example/v1"), ApiRequest(method, path))
    assert caught.value.code == "TM501"
    assert not mock.calls


def test_query_in_an_argument_stays_a_value(mock, make_client):
    mock.get(url__startswith="https://api.example").respond(204)
    client, _ = make_client()
    query = {"q": "x&admin=1#f", "a=b": "c"}
    client.send(make_api("https://api.example"), ApiRequest("GET", "/x", query=query))
    assert str(mock.calls[0].request.url) == "https://api.example/x?q=x%26admin%3D1%23f&a%3Db=c"


@pytest.mark.parametrize(
    "name", ["Host", "Content-Length", "Transfer-Encoding", "Proxy-Authorization", "authorization"]
)
def test_handler_can_not_steer_the_connection_or_its_auth(mock, make_client, name):
    client, _ = make_client({"T": SECRET})
    api = make_api(auth={"type": "bearer", "token": "${T}"})
    with pytest.raises(ToolError) as caught:
        client.send(api, ApiRequest("GET", "/x", headers={name: "evil"}))
    assert caught.value.code == "TM501"
    assert not mock.calls


@pytest.mark.parametrize("value", ["1\r\nX-Evil: 1", "1\nX-Evil: 1", "1\rX", "1\x00"])
@pytest.mark.parametrize("where", ["headers", "secret"])
def test_header_is_not_split(mock, make_client, value, where):
    client, _ = make_client({"T": value})
    headers = {"X-A": value} if where == "headers" else {}
    api = make_api(headers={"X-B": "${T}"} if where == "secret" else {})
    with pytest.raises(ToolError):
        client.send(api, ApiRequest("GET", "/x", headers=headers))
    assert not mock.calls


@pytest.mark.parametrize(
    "host",
    ["http://127.0.0.1", "http://0", "http://[::1]", "http://2130706433", "http://0x7f000001", "http://127.1",
     "http://[::ffff:127.0.0.1]", "http://localhost"],
)  # fmt: skip
def test_private_address_behind_a_pattern_is_not_connected_to(make_client, monkeypatch, host):
    import socket

    from tm.http import network

    connected = []
    monkeypatch.setattr(
        network.httpcore.SyncBackend, "connect_tcp", lambda *args, **_: connected.append(args)
    )
    real = socket.getaddrinfo

    def numeric(name, *args, **kwargs):
        # The tests' guard against look-ups knows only the usual spellings of loopback.
        return (
            [(2, 1, 6, "", ("127.0.0.1", 80))]
            if name in {"0", "2130706433", "0x7f000001", "127.1"}
            else (
                [(10, 1, 6, "", ("::ffff:127.0.0.1", 80, 0, 0))]
                if "ffff" in name
                else real(name, *args, **kwargs)
            )
        )

    monkeypatch.setattr(socket, "getaddrinfo", numeric)
    client, _ = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(
            make_api(host, declared={PUBLIC_ONLY: True}), ApiRequest("GET", "/latest/meta-data")
        )
    assert caught.value.code == "TM516"
    assert not connected


@pytest.mark.parametrize(
    "address",
    ["10.0.0.1", "169.254.169.254", "fd00:ec2::254", "fe80::1%eth0", "100.64.0.1", "192.168.1.1"],
)
def test_name_that_leads_to_a_private_address_is_refused(make_client, monkeypatch, address):
    import socket

    public = (2, 1, 6, "", ("93.184.215.14", 80))
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [public, (2, 1, 6, "", (address, 80))]
    )
    client, _ = make_client()
    api = make_api("http://metadata.good.example", declared={PUBLIC_ONLY: True})
    with pytest.raises(ToolError) as caught:
        client.send(api, ApiRequest("GET", "/"))
    assert caught.value.code == "TM516"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_key_does_not_go_along_to_another_host(serve, make_client, status):
    other = serve(json_answer("{}"))
    server = serve(http(f"{status} X", location=f"{other.origin}/steal"))
    client, _ = make_client({"T": SECRET})
    api = make_api(server.origin, auth={"type": "header", "name": "X-Api-Key", "value": "${T}"})
    with pytest.raises(ToolError) as caught:
        client.send(api, ApiRequest("POST", "/x", body={"a": 1}))
    assert caught.value.code == "TM504"
    assert other.connections == 0


@pytest.mark.parametrize(
    "auth",
    [
        {"type": "bearer", "token": "${T}"},
        {"type": "basic", "username": "${T}", "password": "x${T}"},
        {"type": "header", "name": "X-Key", "value": "Key ${T}"},
        {"type": "query", "name": "k", "value": "${T}"},
    ],
)
@pytest.mark.parametrize("status", [200, 403, 302])
def test_no_form_of_a_secret_is_shown(mock, make_client, auth, status):
    if auth["type"] == "basic":
        auth = {**auth, "username": "nw-api"}
    echo = " ".join(FORMS)
    headers = {"location": f"https://other.example/?k={FORMS[1]}"}
    mock.route().respond(status, json={"echo": echo}, headers=headers)
    client, bench = make_client({"T": SECRET})
    said = ""
    try:
        client.send(make_api(auth=auth), ApiRequest("GET", "/x"))
    except ToolError as error:
        said = f"{error} {error.hint} {error.details}"
    shown = said + repr(bench.exchanges) + bench.text
    assert not [form for form in FORMS if form in shown]


def test_dry_run_is_not_got_around_by_a_lower_case_method(mock, make_client):
    client, _ = make_client(dry_run=True)
    assert client.send(make_api(), ApiRequest("post", "/x")).stubbed
    assert not mock.calls


def test_dry_run_does_not_follow_a_read_into_a_write(serve, make_client):
    server = serve(http("307 X", location="/write"), json_answer("{}"))
    client, _ = make_client(dry_run=True)
    client.send(make_api(server.origin), ApiRequest("GET", "/x"))
    assert [request.split(" ")[0] for request in server.requests] == ["GET", "GET"]


def test_replay_of_another_tenants_connection_is_impossible(serve, make_client, pool):
    server = serve(json_answer("{}"))
    for tenant in ("acme", "other"):
        client, _ = make_client(tenant=tenant)
        client.send(make_api(server.origin), ApiRequest("GET", "/x"))
    assert server.connections == 2


# -- TLS


@pytest.fixture
def certificate(tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("needs the openssl command to make a certificate")
    (tmp_path / "acme").mkdir()
    key, pem = tmp_path / "key.pem", tmp_path / "acme" / "ca.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out",
         str(pem),
         "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, pem


@pytest.fixture
def tls_origin(certificate):
    import socket

    key, pem = certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(connection, server_side=True) as secured:
                    secured.recv(65536)
                    secured.sendall(json_answer('{"tls": true}'))
            except OSError:
                continue

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield f"https://127.0.0.1:{listener.getsockname()[1]}"
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def test_unknown_certificate_is_not_trusted(tls_origin, make_client):
    client, _ = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(make_api(tls_origin), ApiRequest("GET", "/x"))
    assert caught.value.code == "TM506"
    assert "not trusted" in str(caught.value)
    assert "verify" in (caught.value.hint or "")


def test_tenants_own_authority_is_trusted_where_it_is_named(tls_origin, certificate, make_client):
    pool_ = ConnectionPool(certificate[1].parent.parent)
    client, _ = make_client(pool=pool_)
    api = make_api(tls_origin, verify="ca.pem")
    assert client.send(api, ApiRequest("GET", "/x")).body == {"tls": True}
    pool_.close()
