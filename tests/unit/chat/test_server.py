"""A model's server over HTTP: tries, streams as bytes, and every way to fail."""

from __future__ import annotations

import json

import httpx
import pytest
import respx

from tests.unit.chat.conftest import says
from tests.unit.chat.test_public_bugs import CASES
from tm.chat.failures import ServerError, refusal
from tm.chat.provider import Provider, read_provider
from tm.chat.server import ModelServer
from tm.errors import ChatError, Location, TmError
from tm.http.retries import retry_after_s
from tm.model import Timeouts

URL = "http://127.0.0.1:9/v1/chat/completions"
AT = Location("tenants/acme/desk.yaml", 3)
EVENTS = {"content-type": "text/event-stream; charset=utf-8"}
OK = httpx.Response(200, json=says("ok"))


class Asked:
    """A server with its waits and what it showed."""

    def __init__(self, *, stream: bool = False) -> None:
        self.waits: list[float] = []
        self.told: list[str] = []
        self.shown: list[str] = []
        headers = {"Authorization": "Bearer k", "Content-Type": "application/json"}
        self.server = ModelServer(
            Provider("main", URL, headers, Timeouts(1, 2), stream),
            told=self.told.append,
            sleep=self.waits.append,
            wall=lambda: 1_800_000_000.0,
        )

    def ask(self):
        try:
            return self.server.complete({"model": "m", "messages": []}, self.shown.append)
        finally:
            self.server.close()


@pytest.fixture
def route():
    with respx.mock(assert_all_called=False) as mock:
        yield mock.post(URL)


def sse(*chunks, end="data: [DONE]\n\n"):
    lines = [f"data: {c if isinstance(c, str) else json.dumps(c)}\n\n" for c in chunks]
    return "".join(lines) + end


def delta(text, reason=None):
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]}


def test_a_request_holds_the_key_and_readable_letters(route):
    route.return_value = OK
    assert Asked().ask().text == "ok"
    request = route.calls.last.request
    assert request.headers["authorization"] == "Bearer k"
    assert json.loads(request.content) == {"model": "m", "messages": []}


def test_a_stream_is_asked_for_with_its_counts_and_shown_as_it_comes(route):
    route.return_value = httpx.Response(200, text=sse(delta("A"), delta("ü"), delta("", "stop")),
                                        headers=EVENTS)  # fmt: skip
    asked = Asked(stream=True)
    assert (asked.ask().text, asked.shown) == ("Aü", ["A", "ü"])
    body = json.loads(route.calls.last.request.content)
    assert (body["stream"], body["stream_options"]) == (True, {"include_usage": True})


def test_a_server_that_knows_no_token_counts_is_asked_without(route):
    refused = httpx.Response(422, json={"detail": "stream_options: extra inputs are not permitted"})
    stream = httpx.Response(200, text=sse(delta("A", "stop")), headers=EVENTS)
    route.side_effect = [refused, stream]
    asked = Asked(stream=True)
    assert (asked.ask().text, asked.waits) == ("A", [])
    assert "stream_options" not in json.loads(route.calls.last.request.content)


def test_a_server_that_does_not_stream_is_read_all_the_same(route):
    route.return_value = OK
    asked = Asked(stream=True)
    assert (asked.ask().text, asked.shown) == ("ok", ["ok"])


def test_a_stream_with_the_wrong_content_type_is_read_as_one(route):
    route.return_value = httpx.Response(200, text=sse(delta("A", "stop"), end=""))
    assert Asked(stream=True).ask().text == "A"


@pytest.mark.parametrize("name", ["chat-stream-18", "chat-stream-20"])
def test_comments_and_empty_events_are_passed_over(route, name):
    route.return_value = httpx.Response(200, text=CASES[name]["input"]["raw_sse"], headers=EVENTS)
    assert Asked(stream=True).ask().text == "ok"


def test_chat_stream_22_an_error_event_is_an_error(route):
    raw = CASES["chat-stream-22"]["input"]["raw_sse"]
    route.return_value = httpx.Response(200, text=raw, headers=EVENTS)
    with pytest.raises(ServerError, match=r"upstream overloaded \(503\)"):
        Asked(stream=True).ask()
    assert route.call_count == 4


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ({"retry-after": "2"}, [2.0]),
        ({"retry-after": "soon"}, [0.5]),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, [0.5]),
        ({"retry-after": "Fri, 15 Jan 2027 08:00:07 GMT"}, [7.0]),
        ({}, [0.5]),
    ],
)
def test_a_429_is_waited_out(route, headers, waits):
    route.side_effect = [httpx.Response(429, headers=headers, json={"error": "slow"}), OK]
    asked = Asked()
    assert asked.ask().text == "ok"
    assert asked.waits == waits
    assert "answered 429: slow; again in" in asked.told[0]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_three_more_tries_are_made_and_no_more(route, status):
    route.return_value = httpx.Response(status, text="busy")
    asked = Asked()
    with pytest.raises(ServerError, match=f"answered {status}: busy"):
        asked.ask()
    assert (route.call_count, asked.waits) == (4, [0.5, 1.0, 2.0])


def test_a_wait_of_more_than_a_minute_ends_the_tries(route):
    route.return_value = httpx.Response(429, headers={"retry-after": "61"}, text="later")
    with pytest.raises(ServerError):
        Asked().ask()
    assert route.call_count == 1


@pytest.mark.parametrize(
    ("status", "hint"),
    [(400, None), (401, "api_key"), (404, "base_url"), (307, "redirects"), (422, None)],
)
def test_other_refusals_are_not_tried_again(route, status, hint):
    route.return_value = httpx.Response(status, json={"error": {"message": "no"}})
    with pytest.raises(ServerError, match=f"answered {status}: no") as failure:
        Asked().ask()
    assert route.call_count == 1
    assert failure.value.hint is hint or hint in failure.value.hint


def test_html_is_told_by_what_a_reader_would_see(route):
    page = "<!doctype html><title>Back at six</title><style>p{}</style><h1>Soon</h1>"
    route.return_value = httpx.Response(200, text=page, headers={"content-type": "text/html"})
    with pytest.raises(ServerError, match="sent text/html, no chat completion: Back at six Soon"):
        Asked().ask()


def test_a_cut_stream_is_started_again_only_where_nothing_was_shown(route):
    cut = httpx.Response(200, text=sse(delta("", None), end=""), headers=EVENTS)
    route.side_effect = [cut, OK]
    assert Asked(stream=True).ask().text == "ok"
    route.side_effect = [httpx.Response(200, text=sse(delta("A"), end=""), headers=EVENTS), OK]
    asked = Asked(stream=True)
    with pytest.raises(ServerError, match="not the whole answer"):
        asked.ask()
    assert (asked.shown, route.call_count) == (["A"], 3)


def test_a_chunk_that_is_no_json_is_told(route):
    route.return_value = httpx.Response(200, text=sse("{broken"), headers=EVENTS)
    with pytest.raises(ServerError, match=r"chunk that can't be read: \{broken"):
        Asked(stream=True).ask()


@pytest.mark.parametrize(
    ("error", "words", "tries"),
    [
        (httpx.ConnectError("refused"), "no connection to the model's server at 127.0.0.1:9", 1),
        (httpx.ReadTimeout("slow"), "sent nothing for 2 s", 1),
        (httpx.RemoteProtocolError("gone"), "the connection ended before the answer did", 2),
    ],
)
def test_a_connection_that_fails_is_told_in_words(route, error, words, tries):
    route.side_effect = error
    with pytest.raises(ServerError, match=words):
        Asked().ask()
    assert route.call_count == tries


def test_a_connection_that_breaks_after_text_is_not_started_again(route):
    class Breaking(httpx.SyncByteStream):
        def __iter__(self):
            yield sse(delta("A"), end="").encode()
            raise httpx.ReadError("reset")

    route.return_value = httpx.Response(200, stream=Breaking(), headers=EVENTS)
    with pytest.raises(ServerError, match="what was shown is not the whole answer"):
        Asked(stream=True).ask()
    assert route.call_count == 1


def test_retry_after_reads_seconds_and_dates():
    assert retry_after_s(" 1.5 ", 0) == 1.5
    assert retry_after_s("", 0) is None
    assert retry_after_s("-3", 0) is None


def test_an_error_body_in_any_form_gives_its_words():
    for body in ({"detail": "x"}, {"message": "x"}, [{"error": {"message": "x"}}], {"error": "x"}):
        assert refusal(400, body, "").message.endswith("400: x")
    assert refusal(400, None, "").message.endswith("400: without a word")
    assert refusal(400, {"error": 7}, "raw").message.endswith("400: raw")


def provider(fields, name="main", environ=None):
    def expand(text, at):
        for key, value in (environ or {}).items():
            text = text.replace(f"${{{key}}}", value)
        return text

    declared = {"main": fields}
    return read_provider(declared, name, assistant="desk", at=AT, place=AT, expand=expand)


def test_a_provider_is_read_with_its_variables_filled():
    fields = {
        "base_url": "${URL}/v1/",
        "api_key": "${KEY}",
        "headers": {"X-Org": "${ORG}"},
        "timeout": {"connect": 2},
        "stream": False,
    }
    read = provider(fields, environ={"URL": "http://m", "KEY": "k", "ORG": "o"})
    assert (read.url, read.stream) == ("http://m/v1/chat/completions", False)
    assert read.headers["Authorization"] == "Bearer k"
    assert read.headers["X-Org"] == "o"
    assert read.timeouts == Timeouts(2.0, 120.0)
    assert provider({"base_url": "http://m", "timeout": 300}).timeouts == Timeouts(10.0, 300.0)
    assert "Authorization" not in provider({"base_url": "http://m"}).headers


@pytest.mark.parametrize(
    ("fields", "name", "words"),
    [
        ({"base_url": "http://m"}, None, "names no provider"),
        ({"base_url": "http://m"}, "mian", "did you mean 'main'"),
        ({}, "main", "has no base_url"),
        ({"base_url": "ftp://m"}, "main", "has no base_url"),
    ],
)
def test_a_provider_that_is_not_complete_is_told_with_its_place(fields, name, words):
    with pytest.raises(TmError, match=words) as failure:
        provider(fields, name)
    assert (failure.value.code, failure.value.at) == ("TM519", AT)


def test_an_address_that_is_none_is_told():
    server = ModelServer(
        Provider("main", "http://[::x/v1/chat/completions", {}, Timeouts(1, 1)), told=print
    )
    with pytest.raises(ChatError, match="base_url of provider 'main'"):
        server.complete({}, print)
