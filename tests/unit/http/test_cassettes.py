import errno
import json
import os
import sys
import threading
from pathlib import Path

import pytest
import respx
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.http.conftest import http, json_answer, make_api
from tm.errors import SecurityError, ToolError, UsageError
from tm.http.cassette_file import DamagedError, Interaction, dump, kept_headers, load, pretty
from tm.http.cassettes import Cassette
from tm.http.messages import ApiRequest

EXCHANGES = json.loads(
    (Path(__file__).parents[2] / "data/http-exchanges/exchanges.json").read_text("utf-8")
)
URL = "https://erp.example/api"


@pytest.fixture
def path(tmp_path):
    (tmp_path / "tenants" / "acme").mkdir(parents=True)
    return tmp_path / "tenants" / "acme" / "cassettes" / "getRate" / "weekend.yaml"


@pytest.fixture
def mock():
    with respx.mock(assert_all_called=False) as router:
        yield router


@pytest.fixture
def record(make_client, path):
    """Return a function that records requests; it returns what they answered."""

    def run(requests, api=None, variables=None, **options):
        cassette = Cassette.new(path)
        client, bench = make_client(variables, mode="record", cassette=cassette, **options)
        found = [
            client.send(api or make_api(), request, raise_for_status=False) for request in requests
        ]
        cassette.save()
        return found, bench

    return run


@pytest.fixture
def replay(make_client, path):
    """Return a function that replays requests."""

    def run(requests, api=None, variables=None, **options):
        client, bench = make_client(
            variables, mode="replay", cassette=Cassette.load(path), **options
        )
        return [
            client.send(api or make_api(), request, raise_for_status=False) for request in requests
        ], bench

    return run


def test_recorded_exchange_is_replayed_without_secret_or_server(mock, record, replay, path):
    api = make_api(auth={"type": "bearer", "token": "${T}"}, headers={"X-A": "${T}"})
    request = ApiRequest("GET", "/rates/USD", query={"day": "2026-01-31"})
    mock.get(url__startswith=URL).respond(
        json={"mid": 1.0834, "by": "for tok-123456 only"},
        headers={"x-echo": "tok-123456", "date": "today", "set-cookie": "a=b", "x-total": "1"},
    )
    [live], _ = record([request], api, {"T": "tok-123456"})
    assert live.body["by"] == "for tok-123456 only"
    text = path.read_text()
    assert "tok-123456" not in text
    assert "today" not in text
    assert "a=b" not in text
    [found], bench = replay([request], api)
    assert found.body == {"mid": 1.0834, "by": "for *** only"}
    assert (found.status, found.headers["x-echo"], found.headers["x-total"]) == (200, "***", "1")
    assert (bench.exchanges[0].status, bench.exchanges[0].attempts) == (200, 1)
    assert bench.expanded == []


def test_cassette_reads_well_in_git(mock, record, path):
    mock.post(f"{URL}/orders").respond(
        201, json={"id": 5, "name": "Küchen-Profi KG", "lines": [{"sku": "A"}], "x": "y" * 90}
    )
    record([ApiRequest("POST", "/orders", body={"sku": "A-17", "note": "n" * 90})])
    assert path.read_text() == (
        "version: 1\n"
        "interactions:\n"
        "- request:\n"
        "    method: POST\n"
        f"    uri: {URL}/orders\n"
        "    headers:\n"
        "      content-type: application/json\n"
        "    body:\n"
        "      string: |-\n"
        "        {\n"
        '          "sku": "A-17",\n'
        f'          "note": "{"n" * 90}"\n'
        "        }\n"
        "  response:\n"
        "    status:\n"
        "      code: 201\n"
        "      message: Created\n"
        "    headers:\n"
        "      content-type: application/json\n"
        "    body:\n"
        "      string: |-\n"
        "        {\n"
        '          "id": 5,\n'
        '          "name": "Küchen-Profi KG",\n'
        '          "lines": [\n'
        "            {\n"
        '              "sku": "A"\n'
        "            }\n"
        "          ],\n"
        f'          "x": "{"y" * 90}"\n'
        "        }\n"
    )


def test_only_what_was_recorded_is_answered(mock, record, replay):
    mock.get(url__startswith=URL).respond(json={})
    record([ApiRequest("GET", "/v1/places", query={"q": "Husum", "n": 1})])
    with pytest.raises(ToolError) as caught:
        replay([ApiRequest("GET", "/v2/places", query={"q": "Husum", "n": 1})])
    message = str(caught.value)
    assert caught.value.code == "TM513"
    assert (
        f"GET {URL}/v2/places?q=Husum&n=1 is not recorded in "
        "tenants/acme/cassettes/getRate/weekend.yaml" in message
    )
    assert f"nearest is GET {URL}/v1/places?q=Husum&n=1, which differs in the path" in message
    assert caught.value.hint == "record it: tm test-tool getRate --case weekend --record"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (ApiRequest("PUT", "/x", query={"a": 1}, body={"n": 1}), "differs in the method"),
        (ApiRequest("POST", "/x", query={"a": 2}, body={"n": 1}), "differs in the query"),
        (
            ApiRequest("POST", "/x", query={"a": 1}, body={"n": 2}),
            'the body ({"n":2} now, {"n":1} recorded)',
        ),
        (ApiRequest("POST", "/x", query={"a": 1}), 'the body (none now, {"n":1} recorded)'),
        (ApiRequest("POST", "/x", query={"a": 1}, body="n" * 999), "nnn... now"),
    ],
)
def test_error_says_what_differs(mock, record, replay, request_, words):
    mock.post(url__startswith=URL).respond(json={})
    record([ApiRequest("POST", "/x", query={"a": 1}, body={"n": 1})])
    with pytest.raises(ToolError) as caught:
        replay([request_])
    assert words in str(caught.value)


def test_order_of_query_and_of_json_keys_does_not_matter(mock, record, replay):
    mock.post(url__startswith=URL).respond(json={"ok": True})
    record([ApiRequest("POST", "/x?b=2&a=1", body={"x": 1, "y": {"p": 1, "q": 2}})])
    [found], _ = replay(
        [ApiRequest("POST", "/x", query={"a": 1, "b": 2}, body={"y": {"q": 2, "p": 1}, "x": 1})]
    )
    assert found.body == {"ok": True}


def test_equal_requests_answer_in_recorded_order_and_no_more(mock, record, replay):
    mock.get(f"{URL}/poll").mock(side_effect=[respx.MockResponse(200, json=n) for n in (1, 2)])
    poll = ApiRequest("GET", "/poll")
    record([poll, poll])
    assert [found.body for found in replay([poll, poll])[0]] == [1, 2]
    with pytest.raises(ToolError, match="only 2 times"):
        replay([poll, poll, poll])


def test_once_recorded_is_once(mock, record, replay):
    mock.get(f"{URL}/x").respond(204)
    record([ApiRequest("GET", "/x")])
    with pytest.raises(ToolError, match="only once"):
        replay([ApiRequest("GET", "/x")] * 2)


def test_missing_cassette_names_request_and_command(replay):
    with pytest.raises(ToolError, match="holds nothing") as caught:
        replay([ApiRequest("GET", "/offer")])
    assert caught.value.code == "TM513"
    assert "/offer" in str(caught.value)


def test_long_addresses_are_cut_to_what_differs_and_other_cassettes_count(
    mock, record, replay, path
):
    mock.get(url__startswith=URL).respond(json={})
    many = {"f": [f"field_{number}" for number in range(20)]}
    record([ApiRequest("GET", "/x", query={**many, "d": "one"})])
    path.rename(path.with_name("default.yaml"))
    with pytest.raises(ToolError) as caught:
        replay([ApiRequest("GET", "/x", query={**many, "d": "two"})])
    assert caught.value.message == (
        f"GET {URL}/x?...&d=two is not recorded in tenants/acme/cassettes/getRate/weekend.yaml, "
        "which is not there or holds nothing; the nearest, in default.yaml, is "
        f"GET {URL}/x?...&d=one, which differs in the query"
    )


@pytest.mark.parametrize(
    ("case", "command"),
    [
        ("default", "tm test-tool t --record"),
        ("args-0a1b2c3d", "tm test-tool t --args '...' --record, with these arguments"),
    ],
)
def test_command_to_record_fits_the_case(tmp_path, case, command):
    cassette = Cassette.new(tmp_path / "cassettes" / "t" / f"{case}.yaml")
    assert command in (cassette.missing("GET", "u", None).hint or "")


def test_declared_base_stands_for_the_live_one(serve, record, replay, path):
    server = serve(
        http("302 Found", location="/v1/there"),
        json_answer("[]"),
    )
    server.replies[1] = json_answer(
        json.dumps({"next": f"{server.origin}/v1/x?page=2", "other": f"{server.origin}0/"}),
        link=f"<{server.origin}/v1/x?page=2>; rel=next",
    )
    api = make_api("${ERP_URL}/v1")
    request = ApiRequest("GET", "/x")
    record([request], api, {"ERP_URL": server.origin})
    text = path.read_text()
    assert "${ERP_URL}/v1/there" in text
    assert f"{server.origin}/" not in text
    [found], bench = replay([request], api)
    assert found.url == "${ERP_URL}/v1/there"
    assert [exchange.url for exchange in bench.exchanges] == [
        "${ERP_URL}/v1/x",
        "${ERP_URL}/v1/there",
    ]
    [found], _ = replay([request], api, {"ERP_URL": "https://other.example"})
    assert found.body["next"] == "https://other.example/v1/x?page=2"
    assert found.headers["link"] == "<https://other.example/v1/x?page=2>; rel=next"


def test_retries_are_one_exchange(mock, record, path):
    mock.get(f"{URL}/x").mock(
        side_effect=[respx.MockResponse(503), respx.MockResponse(200, json={})]
    )
    record([ApiRequest("GET", "/x")])
    assert path.read_text().count("uri:") == 1


def test_error_status_is_recorded_and_replayed(mock, record, replay):
    mock.get(f"{URL}/x").respond(404, json={"error": "gone"})
    record([ApiRequest("GET", "/x")])
    [found], _ = replay([ApiRequest("GET", "/x")])
    assert (found.status, found.body) == (404, {"error": "gone"})


def test_dry_run_on_a_cassette_stubs_writes_and_replays_reads(mock, record, replay):
    mock.get(f"{URL}/x").respond(json=[1])
    record([ApiRequest("GET", "/x")])
    found, _ = replay([ApiRequest("GET", "/x"), ApiRequest("POST", "/x")], dry_run=True)
    assert found[0].body == [1]
    assert found[1].stubbed


def test_nothing_recorded_leaves_the_old_file(path):
    Cassette.new(path).save()
    assert not path.exists()


def test_cassette_that_can_not_be_written_is_told_with_its_path(path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    cassette = Cassette.new(path)
    cassette.add(Interaction("GET", "${ERP_URL}/x", None, 200, {}, b""))
    monkeypatch.setattr(os, "fsync", full)
    shown = f"tenants/{path.parents[2].name}/cassettes/{path.parent.name}/{path.name}"
    with pytest.raises(UsageError, match="can't be written: no space left on device") as caught:
        cassette.save()
    assert (shown in caught.value.message, caught.value.code) == (True, "TM500")


def test_link_in_the_cassettes_folder_is_not_followed(tmp_path, path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "weekend.yaml").write_text("interactions: []")
    path.parent.parent.mkdir()
    path.parent.symlink_to(outside)
    with pytest.raises(SecurityError):
        Cassette.load(path)
    cassette = Cassette.new(path)
    cassette.add(Interaction("GET", "u", None, 200))
    with pytest.raises(SecurityError):
        cassette.save()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("interactions: [", "line 2 column 1"),
        ("interactions:\n- {a: 1}\n", "interaction 1 lacks 'request'"),
        ("interactions:\n- 5\n", "interaction 1 is not in the form"),
        (
            "interactions:\n- {request: {method: GET, uri: u}, response: {status: x}}\n",
            "not in the form",
        ),
        ("interactions: 5", "no list"),
        ("- 1", "no list"),
        ("", "no list"),
        ("[" * 5000, "damaged"),
        ("a\x00b", "damaged"),
    ],
)
def test_damaged_cassette_names_its_place(path, text, words):
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(ToolError, match=words) as caught:
        Cassette.load(path)
    assert caught.value.code == "TM513"
    assert "cassettes/getRate/weekend.yaml" in str(caught.value)
    assert "record it again" in (caught.value.hint or "")


def test_bytes_that_are_no_utf8_are_a_damaged_cassette():
    with pytest.raises(DamagedError):
        load(b"interactions: \xff\xfe\xfd")


def test_cassettes_of_other_recorders_can_be_read():
    text = yaml.safe_dump(
        {
            "interactions": [
                {
                    "request": {
                        "method": "get",
                        "uri": "https://e.example/",
                        "body": "a=1",
                        "headers": {},
                    },
                    "response": {
                        "status": {"code": 200, "message": "OK"},
                        "headers": {"Content-Type": ["text/plain"], "X": ["1", "2"]},
                        "body": {"string": "hello"},
                    },
                },
                {
                    "request": {"method": "POST", "uri": "u", "body": None},
                    "response": {"status": 204, "body": "x"},
                },
                {"request": {"method": "POST", "uri": "u"}, "response": {"status": 204}},
            ]
        }
    )
    first, second, third = load(text)
    assert first == Interaction(
        "GET",
        "https://e.example/",
        "a=1",
        200,
        {"content-type": "text/plain", "x": "1, 2"},
        b"hello",
    )
    assert (second.sent, second.content, third.content) == (None, b"x", b"")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.tuples(TEXTS, st.none() | TEXTS.filter(bool), TEXTS, st.binary())))
def test_every_text_and_every_byte_survives_the_file(entries):
    interactions = [
        Interaction(
            "GET",
            uri,
            sent,
            200,
            {"content-type": "text/plain", "x": header},
            content,
            "t" if sent else "",
        )
        for uri, sent, header, content in entries
    ]
    assert load(dump(interactions)) == interactions


@pytest.mark.parametrize(
    "content_type",
    ["text/plain; charset=latin-1", "application/json; charset=utf-16", "text/plain; charset=nope"],
)
def test_other_charsets_survive_the_file(content_type):
    encoding = content_type.partition("charset=")[2].replace("nope", "utf-8")
    entry = Interaction(
        "GET", "u", None, 200, {"content-type": content_type}, "Größe\n€"[:5].encode(encoding)
    )
    assert load(dump([entry])) == [entry]


def test_text_that_its_charset_can_not_write_is_read_as_utf8():
    text = (
        "interactions:\n- request: {method: GET, uri: u}\n  response: {status: 200,"
        " body: {string: ü}, headers: {content-type: text/plain; charset=ascii}}\n"
    )
    assert load(text)[0].content == "ü".encode()


@pytest.mark.parametrize(
    "content",
    [
        b'{"a":1}',
        b'{"a":\n1' + b" " * 200 + b"}",
        b'{"a": NaN, "b": "' + b"x" * 200 + b'"}',
        b"\xff" * 200,
        b"x" * 200,
    ],
)
def test_layout_leaves_alone_what_is_short_or_broken(content):
    assert pretty(content, "application/json") == content


def test_layout_keeps_values_and_other_types():
    value = {"n": 12345678901234567890, "f": 1.10, "pad": "x" * 100}
    laid_out = pretty(json.dumps(value).encode(), "application/json")
    assert b"\n" in laid_out
    assert json.loads(laid_out) == value
    text = json.dumps(value).encode()
    assert pretty(text, "text/plain") == text


def test_lone_surrogate_in_recorded_json_survives(mock, record, replay):
    body = b'{"s":"\\ud800","pad":"' + b"x" * 100 + b'"}'
    mock.get(f"{URL}/x").respond(content=body, headers={"content-type": "application/json"})
    record([ApiRequest("GET", "/x")])
    assert replay([ApiRequest("GET", "/x")])[0][0].body["s"] == "\ud800"


def test_secret_in_binary_is_masked(mock, record, path):
    mock.get(f"{URL}/x").respond(
        content=b"\xff\xfetok-123456\xff", headers={"content-type": "image/png"}
    )
    record(
        [ApiRequest("GET", "/x")],
        make_api(auth={"type": "bearer", "token": "${T}"}),
        {"T": "tok-123456"},
    )
    assert load(path.read_text())[0].content == b"\xff\xfe***\xff"


def test_volatile_headers_are_dropped():
    assert kept_headers({"date": "x", "etag": "1", "content-length": "3"}) == {"etag": "1"}


def test_threads_share_a_cassette():
    cassette = Cassette(
        Path("a/b/c/d.yaml"), [Interaction("GET", "u", None, 200) for _ in range(50)]
    )
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(cassette.take("GET", "u", None)))
        for _ in range(50)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(entry) for entry in found}) == 50
    assert cassette.take("GET", "u", None) is None


@pytest.mark.parametrize(
    "exchange", EXCHANGES, ids=lambda exchange: f"{exchange['from']}: {exchange['name']}"
)
def test_real_exchange_is_the_same_live_and_replayed(mock, record, replay, exchange):
    sent, came = exchange["request"], exchange["response"]
    headers = {
        k: v for k, v in came["headers"].items() if k not in {"content-length", "content-encoding"}
    }
    text = came["body"]
    content = json.dumps(text).encode() if came["body_kind"] == "json" else (text or "").encode()
    mock.route().respond(came["status"], content=content, headers=headers)
    origin = "/".join(sent["url"].split("/")[:3])
    api = make_api(origin, follow_redirects=False)
    body_format = "json" if isinstance(sent["body"], dict) else "text"
    body = {} if sent["body"] is None else {"body": sent["body"], "body_format": body_format}
    request = ApiRequest(sent["method"], sent["url"].removeprefix(origin), **body)
    [live], _ = record([request], api)
    [found], _ = replay([request], api)
    assert (found.status, found.body) == (live.status, live.body)
    if came["status"] == 204 or not content:
        assert live.body == {}
    elif came["body_kind"] == "json":
        assert live.body == text
    else:
        assert live.body["content_type"] == came["headers"].get("content-type", "")


def test_replay_loads_no_http_library(path):
    import subprocess

    cassette = Cassette.new(path)
    cassette.add(
        Interaction(
            "GET", "https://e.example/x", None, 200, {"content-type": "application/json"}, b"[1]"
        )
    )
    cassette.save()
    script = (
        "import sys, pathlib\n"
        "from tm.errors import Location\n"
        "from tm.http.cassettes import Cassette\n"
        "from tm.http.client import HttpClient\n"
        "from tm.http.messages import ApiRequest\n"
        "from tm.http.pool import ConnectionPool\n"
        "from tm.model import Api\n"
        "from tm.redact import Redactor\n"
        "cassette = Cassette.load(pathlib.Path(sys.argv[1]))\n"
        "client = HttpClient(tenant='a', expand=str, redactor=Redactor(), pool=ConnectionPool(),"
        " mode='replay', cassette=cassette)\n"
        "api = Api(name='e', home='a', at=Location('a'), base_url='https://e.example')\n"
        "print(client.send(api, ApiRequest('GET', '/x')).body)\n"
        "print(sorted({'httpx', 'httpcore', 'ssl', 'email', 'asyncio'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[1]\n[]\n"


def test_text_that_only_looks_like_json_is_compared_as_text(mock, record, replay):
    mock.post(f"{URL}/x").respond(204)
    request = ApiRequest("POST", "/x", body="{no json", body_format="text")
    record([request])
    assert replay([request])[0][0].status == 204
    with pytest.raises(ToolError, match="the body"):
        replay([ApiRequest("POST", "/x", body="{other", body_format="text")])


@pytest.mark.parametrize(
    ("body", "body_format"),
    [
        ({"shop": "4711", "key": "part/77"}, "json"),
        ({"shop": "4711", "key": "part/77"}, "form"),
        ({"shop": "4711", "key": "part/77"}, "multipart"),
    ],
)
def test_values_that_a_replay_does_not_know_match_what_was_sent(
    mock, record, replay, body, body_format
):
    mock.post(url__startswith=f"{URL}/parts").respond(json={"ok": True})
    query = {"shop": "4711", "b": 1}
    sent = ApiRequest("POST", "/parts", query=query, body=body, body_format=body_format)
    unknown = dict.fromkeys(body, "***")
    record([sent])
    same = sent._replace(query={**query, "shop": "***"}, body=unknown)
    assert replay([same])[0][0].body == {"ok": True}
    for other in (
        same._replace(query={"shop": "***", "b": 2}),
        same._replace(query={"shop": "***"}),
        same._replace(body={**unknown, "more": "1"}),
        same._replace(method="PUT"),
        same._replace(path="/parts/***"),
    ):
        with pytest.raises(ToolError, match="not recorded"):
            replay([other])


def test_multipart_with_another_secret_is_the_same_request(mock, record, replay):
    mock.post(f"{URL}/parts").respond(json={"ok": True})
    sent = ApiRequest("POST", "/parts", body={"key": "nw-secret-1"}, body_format="multipart")
    keys = make_api(headers={"X-Key": "${PART_KEY}"})
    client_of = {"variables": {"PART_KEY": "nw-secret-1"}}
    record([sent], keys, **client_of)
    now = sent._replace(body={"key": "***"})
    assert replay([now])[0][0].body == {"ok": True}
