import gzip
import socket
import threading
import time

import httpcore
import httpx
import pytest
import respx

from tests.unit.http.conftest import http, json_answer, make_api
from tm.errors import ToolError
from tm.http.hosts import PUBLIC_ONLY
from tm.http.messages import ApiRequest, UnansweredError
from tm.http.pool import ConnectionPool
from tm.model import Timeouts

FAST = Timeouts(connect_s=2, read_s=0.2)


def failure(client, api, method="GET", **fields):
    with pytest.raises(UnansweredError) as caught:
        client.send(api, ApiRequest(method, "/x", attempts=1, **fields))
    return caught.value


def test_connection_is_kept_within_a_tenant_and_not_across(serve, make_client):
    server = serve(json_answer("{}"))
    for tenant in ("acme", "acme", "other"):
        client, _ = make_client(tenant=tenant)
        client.send(make_api(server.origin), ApiRequest("GET", "/x"))
    assert len(server.requests) == 3
    assert server.connections == 2


def test_head_has_no_body_to_wait_for(serve, make_client):
    server = serve(http("200 OK", content_length="500", x_total="7"))
    client, _ = make_client()
    response = client.send(make_api(server.origin), ApiRequest("HEAD", "/x"))
    assert (response.body, response.headers["x-total"]) == ({}, "7")


def test_packed_answer_is_unpacked(serve, make_client):
    server = serve(
        http(
            "200 OK",
            gzip.compress(b'{"a": 1}'),
            content_type="application/json",
            content_encoding="gzip",
        )
    )
    client, bench = make_client()
    assert client.send(make_api(server.origin), ApiRequest("GET", "/x")).body == {"a": 1}
    assert bench.exchanges[0].bytes == 8


def test_environments_proxy_is_not_used(serve, make_client, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    server = serve(json_answer("{}"))
    client, _ = make_client()
    assert client.send(make_api(server.origin), ApiRequest("GET", "/x")).status == 200


# -- time


def test_silent_server_is_a_timeout(serve, make_client):
    server = serve(lambda connection: server.stopped.wait(20))
    client, bench = make_client()
    error = failure(client, make_api(server.origin), timeouts=FAST)
    assert error.code == "TM505"
    assert f"GET {server.origin}/x got no answer within 0.2 s" in str(error)
    assert "outcome" not in str(error)
    assert bench.exchanges[0].status is None


def test_timeout_of_a_write_says_that_the_outcome_is_unknown(serve, make_client):
    server = serve(lambda connection: server.stopped.wait(20))
    client, _ = make_client()
    error = failure(client, make_api(server.origin), "POST", timeouts=FAST)
    assert "outcome is unknown" in str(error)
    assert "carried out" in (error.hint or "")


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"])
def test_slow_drip_ends_at_the_runs_deadline(serve, make_client, start):
    def drip(connection):
        connection.sendall(start)
        while not server.stopped.wait(0.02):
            connection.sendall(b"H" if not start else b"x")

    server = serve(drip)
    ends = time.monotonic() + 0.5
    client, _ = make_client(remaining_s=lambda: ends - time.monotonic())
    error = failure(client, make_api(server.origin), timeouts=Timeouts(2, 5))
    assert error.code == "TM505"
    assert "max_seconds" in str(error)
    assert time.monotonic() - ends < 2


def test_nothing_is_sent_when_the_time_is_over(serve, make_client):
    server = serve(json_answer("{}"))
    client, _ = make_client(remaining_s=lambda: 0.0)
    error = failure(client, make_api(server.origin))
    assert error.code == "TM505"
    assert not server.requests


def test_no_connection_within_its_time(make_client):
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        waiting = []
        for _ in range(3):  # fills the queue of connections that nobody accepts
            waiting.append(socket.socket())
            waiting[-1].setblocking(False)
            waiting[-1].connect_ex(("127.0.0.1", port))
        client, _ = make_client()
        error = failure(
            client, make_api(f"http://127.0.0.1:{port}"), "POST", timeouts=Timeouts(0.2, 5)
        )
        for connection in waiting:
            connection.close()
    assert error.code == "TM505"
    assert "no connection within 0.2 s" in str(error)
    assert "outcome" not in str(error)


# -- failures


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def test_refused_connection_is_told_in_plain_words(make_client):
    client, _ = make_client()
    port = free_port()
    error = failure(client, make_api(f"http://127.0.0.1:{port}"), "POST")
    assert error.code == "TM506"
    assert f"nothing listens at 127.0.0.1:{port}" in str(error)
    assert "outcome" not in str(error)
    assert error.may_retry


def test_unknown_host_is_told_in_plain_words(make_client):
    client, _ = make_client()
    error = failure(client, make_api("http://nowhere.example"))
    assert (error.code, error.may_retry) == ("TM506", True)
    assert "nowhere.example is not known" in str(error)


@pytest.mark.parametrize(
    ("reply", "words", "may_retry"),
    [
        (b"", "without an answer", True),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "in the middle", True),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "in the middle", True),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n\r\n", "no HTTP", False),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "no HTTP", False),
    ],
)  # fmt: skip
def test_broken_answer_is_told_in_plain_words(serve, make_client, reply, words, may_retry):
    server = serve(lambda connection: connection.sendall(reply))
    client, _ = make_client()
    error = failure(client, make_api(server.origin), "POST", body={})
    assert (error.code, error.may_retry) == ("TM506", may_retry)
    assert words in str(error)
    assert "outcome is unknown" in str(error)


def test_reset_is_told_in_plain_words(serve, make_client):
    def reset(connection):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")

    server = serve(reset)
    client, _ = make_client()
    error = failure(client, make_api(server.origin))
    assert (error.code, error.may_retry) == ("TM506", True)
    assert "closed the connection" in str(error)


def test_tls_with_a_plain_server_fails_in_plain_words(make_client):
    def greet():
        connection, _ = listener.accept()
        connection.sendall(b"220 mail.example ready for plain text\r\n")
        connection.recv(65536)
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=greet)
        thread.start()
        client, _ = make_client()
        error = failure(client, make_api(f"https://127.0.0.1:{listener.getsockname()[1]}"))
        thread.join()
    assert (error.code, error.may_retry) == ("TM506", False)
    assert "TLS" in str(error)


def test_failure_shows_no_key(make_client):
    client, _ = make_client({"K": "k+y/1234"})
    api = make_api(
        f"http://127.0.0.1:{free_port()}", auth={"type": "query", "name": "k", "value": "${K}"}
    )
    error = failure(client, api)
    assert "k=***" in str(error)
    assert "1234" not in str(error)


# -- size


@pytest.mark.parametrize("with_length", [True, False])
def test_13_megabytes_are_cut_off(serve, make_client, with_length):
    body = b"0123456789" * 1_300_000

    def send(connection):
        head = http("200 OK", content_length=str(len(body)) if with_length else "")
        connection.sendall(head + body)

    server = serve(send)
    client, bench = make_client()
    error = failure(client, make_api(server.origin))
    assert error.code == "TM507"
    assert "10,000,000 bytes" in str(error)
    assert bench.exchanges[0].status == 200


def test_endless_chunks_are_cut_off(serve, make_client):
    def send(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not server.stopped.is_set():
            connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")

    server = serve(send)
    client, _ = make_client()
    assert failure(client, make_api(server.origin), max_response_bytes=100_000).code == "TM507"


def test_gzip_bomb_is_cut_off(serve, make_client):
    bomb = gzip.compress(bytes(50_000_000))
    server = serve(http("200 OK", bomb, content_encoding="gzip", content_type="text/plain"))
    client, _ = make_client()
    assert failure(client, make_api(server.origin), max_response_bytes=1_000_000).code == "TM507"


def test_stacked_encodings_are_refused(serve, make_client):
    server = serve(http("200 OK", b"x", content_encoding="gzip, gzip"))
    client, _ = make_client()
    error = failure(client, make_api(server.origin))
    assert error.code == "TM506"
    assert "several times" in str(error)


def test_connection_works_after_an_answer_that_was_cut_off(serve, make_client):
    server = serve(http("200 OK", b"x" * 1000, content_type="text/plain"), json_answer("[1]"))
    client, _ = make_client()
    failure(client, make_api(server.origin), max_response_bytes=10)
    assert client.send(make_api(server.origin), ApiRequest("GET", "/x")).body == [1]


# -- certificates, private addresses, threads


def test_ca_file_outside_the_tenant_is_refused(tmp_path, make_client):
    (tmp_path / "acme").mkdir()
    (tmp_path / "ca.pem").write_text("x")
    for pool, verify in [(ConnectionPool(tmp_path), "../ca.pem"), (ConnectionPool(), "ca.pem")]:
        client, _ = make_client(pool=pool)
        with pytest.raises(ToolError, match="CA file") as caught:
            client.send(make_api("https://127.0.0.1:1", verify=verify), ApiRequest("GET", "/x"))
        assert caught.value.code == "TM506"


def test_ca_file_that_is_none_is_named(tmp_path, make_client):
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "ca.pem").write_text("no certificate")
    client, _ = make_client(pool=ConnectionPool(tmp_path))
    with pytest.raises(ToolError, match=r"ca\.pem"):
        client.send(make_api("https://127.0.0.1:1", verify="ca.pem"), ApiRequest("GET", "/x"))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_private_address_that_nobody_named_is_refused(serve, make_client, host):
    server = serve(json_answer("{}"))
    api = make_api(server.origin.replace("127.0.0.1", host), declared={PUBLIC_ONLY: True})
    client, bench = make_client()
    with pytest.raises(ToolError) as caught:
        client.send(api, ApiRequest("GET", "/x"))
    assert caught.value.code == "TM516"
    assert not server.connections
    assert not bench.exchanges


def test_unknown_public_host_is_no_private_address(make_client):
    client, _ = make_client()
    error = failure(client, make_api("http://nowhere.example", declared={PUBLIC_ONLY: True}))
    assert error.code == "TM506"


def test_each_thread_has_its_own_connection(serve, make_client):
    server = serve(json_answer("{}"))
    client, _ = make_client()
    api = make_api(server.origin)
    client.send(api, ApiRequest("GET", "/x"))
    thread = threading.Thread(target=client.send, args=(api, ApiRequest("GET", "/x")))
    thread.start()
    thread.join()
    assert server.connections == 2


def test_closed_pool_can_be_used_again(serve, make_client, pool):
    server = serve(json_answer("{}"))
    client, _ = make_client()
    for _ in range(2):
        client.send(make_api(server.origin), ApiRequest("GET", "/x"))
        pool.close()
    assert server.connections == 2


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx.ConnectError("strange"), "no connection to"),
        (httpx.ReadError("strange"), "broke"),
        (httpx.RemoteProtocolError("strange"), "no HTTP"),
    ],
)
def test_failure_that_nobody_foresaw_is_told_all_the_same(make_client, error, words):
    client, _ = make_client()
    with respx.mock:
        respx.get("http://erp.example/x").mock(side_effect=error)
        assert words in str(failure(client, make_api("http://erp.example")))


def test_address_in_the_network_that_is_public_is_connected_to(make_client, monkeypatch):
    from tm.http import sockets

    asked = []

    class Stop(httpcore.ConnectError):
        pass

    def connect(self, host, *args):
        asked.append(host)
        raise Stop

    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("93.184.215.14", 80))]
    )
    monkeypatch.setattr(sockets.httpcore.SyncBackend, "connect_tcp", connect)
    client, _ = make_client()
    failure(client, make_api("http://good.example", declared={PUBLIC_ONLY: True}))
    assert asked == ["93.184.215.14"]
