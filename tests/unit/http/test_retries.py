import pytest
import respx

from tests.unit.http.conftest import make_api
from tm.errors import ToolError
from tm.http.messages import ApiRequest

URL = "https://erp.example/api/x"


@pytest.fixture
def mock():
    with respx.mock(assert_all_called=False) as router:
        yield router


def answers(mock, *statuses, headers=None):
    def reply(request):
        status = statuses[min(len(mock.calls), len(statuses) - 1)]
        if isinstance(status, Exception):
            raise status
        return respx.MockResponse(status, json={"n": len(mock.calls)}, headers=headers or {})

    return mock.route().mock(side_effect=reply)


def send(client, method="GET", **fields):
    return client.send(make_api(), ApiRequest(method, "/x", **fields))


def test_get_is_tried_again_until_it_works(mock, make_client):
    answers(mock, 503, 502, 200)
    client, bench = make_client()
    assert send(client).status == 200
    assert bench.time.slept == [0.25, 0.5]
    assert [level for level, _ in bench.lines] == ["warning", "warning", "info"]
    assert "503 (try 1 of 3)" in bench.lines[0][1]
    assert "502 (try 2 of 3)" in bench.lines[1][1]
    assert bench.exchanges[0].attempts == 3
    assert len(bench.exchanges) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_attempts_counts_all_tries(mock, make_client, status):
    answers(mock, status)
    client, bench = make_client()
    with pytest.raises(ToolError):
        send(client, attempts=2)
    assert len(mock.calls) == 2
    assert bench.exchanges[0].attempts == 2


@pytest.mark.parametrize("status", [200, 400, 404, 500, 501])
def test_other_statuses_are_not_tried_again(mock, make_client, status):
    answers(mock, status)
    client, _ = make_client()
    client.send(make_api(), ApiRequest("GET", "/x"), raise_for_status=False)
    assert len(mock.calls) == 1


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_writes_are_sent_once(mock, make_client, method):
    answers(mock, 503)
    client, _ = make_client()
    with pytest.raises(ToolError):
        send(client, method)
    assert len(mock.calls) == 1


def test_write_with_an_idempotency_key_is_tried_again(mock, make_client):
    answers(mock, 503, 201)
    client, _ = make_client()
    assert send(client, "POST", headers={"Idempotency-Key": "7"}).status == 201


def test_idempotency_key_of_the_api_counts_too(mock, make_client):
    answers(mock, 503, 201)
    client, _ = make_client()
    api = make_api(headers={"Idempotency-Key": "7"})
    assert client.send(api, ApiRequest("POST", "/x")).status == 201


@pytest.mark.parametrize(
    ("after", "slept"),
    [("7", [7.0]), ("0", [0.0]), ("Tue, 14 Nov 2023 22:13:50 GMT", [30.0]), ("soon", [0.25]),
     ("", [0.25]),
     ("Tue, 14 Nov 2000 22:13:50 GMT", [0.0])],
)  # fmt: skip
def test_retry_after_is_honoured(mock, make_client, after, slept):
    answers(mock, 429, 200, headers={"retry-after": after})
    client, bench = make_client()
    send(client)
    assert bench.time.slept == slept


@pytest.mark.parametrize("after", ["61", "3600", "Thu, 16 Nov 2023 22:13:50 GMT", "9" * 30])
def test_long_retry_after_ends_the_tries(mock, make_client, after):
    answers(mock, 429, 200, headers={"retry-after": after})
    client, bench = make_client()
    with pytest.raises(ToolError, match="429"):
        send(client)
    assert bench.time.slept == []
    assert "too long" in bench.text


def test_no_try_begins_past_the_runs_deadline(mock, make_client):
    answers(mock, 503)
    client, bench = make_client(remaining_s=lambda: 0.3)
    with pytest.raises(ToolError):
        send(client)
    assert bench.time.slept == [0.25]


def test_waits_grow_to_a_longest_one(mock, make_client):
    answers(mock, 503)
    client, bench = make_client(remaining_s=lambda: 1000)
    with pytest.raises(ToolError):
        send(client, attempts=9)
    assert bench.time.slept[-2:] == [10.0, 10.0]


def test_failed_connection_is_tried_again(mock, make_client):
    import httpx

    answers(mock, httpx.ConnectError("refused"), 200)
    client, bench = make_client()
    assert send(client).status == 200
    assert bench.lines[0][1].startswith(
        "GET https://erp.example/api/x failed: no connection to erp.example (refused) (try 1 of 3)"
    )


def test_tries_of_a_failed_connection_are_counted(mock, make_client):
    import httpx

    answers(mock, httpx.ConnectError("refused"))
    client, bench = make_client()
    with pytest.raises(ToolError):
        send(client)
    assert len(mock.calls) == 3
    assert (bench.exchanges[0].attempts, bench.exchanges[0].status) == (3, None)


def test_timeout_is_not_tried_again(mock, make_client):
    import httpx

    answers(mock, httpx.ReadTimeout("slow"), 200)
    client, _ = make_client()
    with pytest.raises(ToolError) as caught:
        send(client)
    assert caught.value.code == "TM505"
    assert len(mock.calls) == 1
