"""What servers send that no HTTP library would: each ends in an answer or a plain error."""

import shutil
import socket
import ssl
import subprocess
import threading

import pytest

from tests.unit.http.conftest import json_answer, make_api
from tm.errors import Location, ToolError
from tm.http.messages import ApiRequest
from tm.http.pool import ConnectionPool
from tm.model import Timeouts
from tm.records import replace

BODY = b'{"a": 1}'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
OK = HEAD + b"Content-Length: 8\r\n\r\n" + BODY
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
FAST = Timeouts(connect_s=2, read_s=2)


def get(client, server, **fields):
    request = ApiRequest("GET", "/x", attempts=1, timeouts=FAST, **fields)
    return client.send(make_api(server.origin), request)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(OK.replace(b" OK", b""), id="no reason phrase"),
        pytest.param(OK.replace(b"\r\n", b"\n"), id="bare line feeds"),
        pytest.param(HEAD.replace(b"1.1", b"1.0") + b"\r\n" + BODY, id="HTTP/1.0 without length"),
        pytest.param(b"HTTP/1.1 100 Continue\r\n\r\n" * 50 + OK, id="many 100"),
        pytest.param(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK, id="early hints"),
        pytest.param(OK + OK, id="two answers to one request"),
        pytest.param(HEAD + b"Content-Length: 8\r\nContent-Length: 8\r\n\r\n" + BODY, id="twice 8"),
        pytest.param(OK.replace(b"\r\n\r\n", b"\r\nX-A: \xff\xe4\r\n\r\n"), id="8-bit header"),
        pytest.param(OK.replace(b"\r\n\r\n", b"\r\nX-A: a\r\n b\r\n\r\n"), id="folded header"),
        pytest.param(CHUNKED + b"8;x=y\r\n" + BODY + b"\r\n0\r\nT: x\r\n\r\n", id="trailers"),
        pytest.param(
            CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Length: 3\r\n\r\n")
            + b"8\r\n" + BODY + b"\r\n0\r\n\r\n",
            id="length and chunks",
        ),
    ],
)  # fmt: skip
def test_odd_answers_are_read(serve, make_client, reply):
    client, _ = make_client()
    assert get(client, serve(lambda connection: connection.sendall(reply))).body == {"a": 1}


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(b"\x00\xff\xfe garbage\r\n\r\n", id="bytes"),
        pytest.param(b"<html>hi</html>", id="HTTP/0.9"),
        pytest.param(b"HTTP/1.1 000 X\r\n\r\n", id="status 000"),
        pytest.param(b"HTTP/1.1 -20 X\r\n\r\n", id="negative status"),
        pytest.param(b"HTTP/1.1 2000 X\r\nContent-Length: 0\r\n\r\n", id="status 2000"),
        pytest.param(b"HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n", id="unasked upgrade"),
        pytest.param(b"\x15\x03\x01\x00\x02\x02\x28", id="TLS alert"),
        pytest.param(HEAD + b"Content-Length: -5\r\n\r\n" + BODY, id="negative length"),
        pytest.param(HEAD + b"Content-Length: abc\r\n\r\n" + BODY, id="length in words"),
        pytest.param(HEAD + b"Content-Length: 8\r\nContent-Length: 9\r\n\r\n", id="two lengths"),
        pytest.param(HEAD + b"No colon here\r\n\r\n", id="header without colon"),
        pytest.param(HEAD + b"X-A: a\x00b\r\n\r\n", id="NUL in a header"),
        pytest.param(HEAD + b"X-A: " + b"a" * 200_000, id="huge header"),
        pytest.param(CHUNKED + b"-8\r\n" + BODY + b"\r\n", id="negative chunk"),
        pytest.param(CHUNKED + b"8;" + b"x" * 300_000 + b"\r\n", id="huge chunk header"),
        pytest.param(CHUNKED + b"8\r\n" + BODY + b"\r\n", id="no last chunk"),
        pytest.param(HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", id="two codings"),
        pytest.param(
            HEAD + b"Content-Encoding: \xc3\r\nContent-Length: 8\r\n\r\n" + BODY, id="odd"
        ),
    ],
)
def test_what_is_no_answer_is_told_in_plain_words(serve, make_client, reply):
    client, bench = make_client()
    server = serve(lambda connection: connection.sendall(reply))
    with pytest.raises(ToolError) as caught:
        get(client, server)
    assert caught.value.code == "TM506"
    assert f"GET {server.origin}/x" in caught.value.message
    assert "Error" not in caught.value.message
    assert len(bench.exchanges) == 1


def test_headers_without_end_are_named(serve, make_client):
    client, _ = make_client()
    with pytest.raises(ToolError, match=r"headers that 127\.0\.0\.1:\d+ sent are too large"):
        get(client, serve(lambda connection: connection.sendall(HEAD + b"X: y\r\n" * 30_000)))


def test_100_without_end_ends_at_the_runs_deadline(serve, make_client):
    left = iter(range(50, -10_000, -1))

    def flood(connection):
        while not server.stopped.is_set():
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)

    server = serve(flood)
    client, _ = make_client(remaining_s=lambda: float(next(left)))
    with pytest.raises(ToolError, match="max_seconds") as caught:
        get(client, server)
    assert caught.value.code == "TM505"


def test_huge_length_is_refused_before_it_is_read(serve, make_client):
    client, _ = make_client()
    reply = HEAD + b"Content-Length: 99999999999999999999\r\n\r\n"
    with pytest.raises(ToolError) as caught:
        get(client, serve(lambda connection: connection.sendall(reply)))
    assert caught.value.code == "TM507"


def test_answer_before_the_body_was_read_counts(make_client):
    answer = b"HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 7\r\n\r\ntoo big"

    def refuse():
        connection, _ = listener.accept()
        with connection:
            connection.recv(10)
            connection.sendall(answer)
            while connection.recv(65536):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=refuse)
        thread.start()
        api = make_api(f"http://127.0.0.1:{listener.getsockname()[1]}")
        client, _ = make_client()
        request = ApiRequest("POST", "/x", body={"b": "B" * 3_000_000}, timeouts=FAST)
        with pytest.raises(ToolError, match="413"):
            client.send(api, request)
        client._pool.close()
        thread.join()


def test_connection_that_was_closed_between_two_calls_is_opened_again(serve, make_client):
    server = serve(lambda connection: connection.sendall(OK))  # closes, without saying so
    client, _ = make_client()
    for _ in range(3):
        request = ApiRequest("GET", "/x", attempts=2, timeouts=FAST)
        assert client.send(make_api(server.origin), request).status == 200
    assert server.connections >= 3


def test_ipv6_loopback_is_reached(make_client):
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("no IPv6 loopback here")

    def answer():
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(OK)

    with listener:
        thread = threading.Thread(target=answer)
        thread.start()
        client, bench = make_client()
        api = make_api(f"http://[::1]:{listener.getsockname()[1]}/v1")
        assert client.send(api, ApiRequest("GET", "/x")).body == {"a": 1}
        thread.join()
    assert bench.exchanges[0].url.startswith("http://[::1]:")


def test_localhost_is_reached_by_name(serve, make_client):
    server = serve(json_answer("[1]"))
    client, _ = make_client()
    api = make_api(server.origin.replace("127.0.0.1", "LocalHost"))
    assert client.send(api, ApiRequest("GET", "/x")).body == [1]


# -- TLS with an authority of one's own


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Return a folder with an authority (`ca.pem`) and its certificate for 127.0.0.1."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs the openssl command")
    folder = tmp_path_factory.mktemp("certificates")

    def run(*words):
        subprocess.run([openssl, *words], cwd=folder, check=True, capture_output=True)

    new = ["req", "-newkey", "rsa:2048", "-nodes"]
    authority = ["-x509", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Nordwerk"]
    usage = ["keyUsage=critical,keyCertSign", "basicConstraints=critical,CA:TRUE"]
    run(*new, *authority, "-days", "2", *(word for u in usage for word in ("-addext", u)))
    run(*new, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=127.0.0.1")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    run("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
        "-CAcreateserial", "-out", "server.pem", "-days", "1", "-extfile", "names")  # fmt: skip
    return folder


@pytest.fixture
def tls_server(certificates):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "server.pem", certificates / "server.key")
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            with plain:
                try:
                    with context.wrap_socket(plain, server_side=True) as connection:
                        connection.recv(65536)
                        connection.sendall(OK)
                except OSError:
                    continue

    thread = threading.Thread(target=answer)
    thread.start()
    yield f"127.0.0.1:{listener.getsockname()[1]}"
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


@pytest.mark.parametrize(
    ("place", "verify", "at"),
    [
        ("certs/ca.pem", "certs/ca.pem", "tenants/acme/apis/erp.yaml"),
        ("apis/ca.pem", "ca.pem", "tenants/acme/apis/erp.yaml"),
        ("certs/ca.pem", "../certs/ca.pem", "tenants/acme/apis/erp.yaml"),
        ("ca.pem", "./ca.pem", "tenants/acme/erp.yaml"),
    ],
)
def test_authority_of_the_config_is_trusted(
    tmp_path, certificates, tls_server, make_client, place, verify, at
):
    (tmp_path / "acme" / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(certificates / "ca.pem", tmp_path / "acme" / place)
    pool = ConnectionPool(tmp_path)
    client, _ = make_client(pool=pool)
    api = replace(make_api(f"https://{tls_server}", verify=verify), at=Location(at))
    assert client.send(api, ApiRequest("GET", "/x")).body == {"a": 1}
    pool.close()


def test_unknown_authority_is_refused(tls_server, make_client):
    client, bench = make_client()
    with pytest.raises(
        ToolError, match=r"certificate of 127\.0\.0\.1:\d+ is not trusted"
    ) as caught:
        client.send(make_api(f"https://{tls_server}"), ApiRequest("GET", "/x"))
    assert caught.value.code == "TM506"
    assert "verify" in (caught.value.hint or "")
    assert bench.exchanges[0].attempts == 1


def test_authority_does_not_vouch_for_another_name(tmp_path, certificates, tls_server, make_client):
    (tmp_path / "acme").mkdir()
    shutil.copy(certificates / "ca.pem", tmp_path / "acme" / "ca.pem")
    client, _ = make_client(pool=ConnectionPool(tmp_path))
    api = make_api(f"https://{tls_server}".replace("127.0.0.1", "localhost"), verify="ca.pem")
    with pytest.raises(ToolError, match="not trusted"):
        client.send(api, ApiRequest("GET", "/x"))


def test_plain_request_to_a_tls_port_is_told(tls_server, make_client):
    client, _ = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(make_api(f"http://{tls_server}"), ApiRequest("GET", "/x", attempts=1))
    assert caught.value.code == "TM506"
