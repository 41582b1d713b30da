"""The facades that tenant functions get."""

import copy
import pickle
from types import SimpleNamespace
from typing import ClassVar

import pytest

from tm.errors import ToolError
from tm.runner.context import ConfigView, CtxFacts, HttpAnswer, build_ctx, plain
from tm.runner.guard import armed, is_armed

FACTS = CtxFacts(
    "acme", "c-1", "u-1", {"seen": 1}, {"base_url": "https://erp.example.com"}, "files"
)


class RecordingHost:
    """A host that notes what functions ask of it."""

    def __init__(self):
        self.lines, self.requests, self.calls = [], [], []
        self.loads = 0

    def log(self, level, message, context):
        self.lines.append((level, message, context))

    def request(self, request):
        self.requests.append(request)
        return HttpAnswer(201, {"etag": "7"}, b'{"id": 7}', '{"id": 7}', lambda: {"id": 7})

    def call_tool(self, name, args):
        self.calls.append((name, args))
        return {"called": name}

    def config(self):
        self.loads += 1
        return {"settings": {"vars": {"shop": "Tee"}}}


@pytest.fixture
def host():
    return RecordingHost()


def test_ctx_is_a_plain_dict_with_every_key(host):
    ctx = build_ctx(host, FACTS, may_call=True)
    assert type(ctx) is dict
    assert set(ctx) == {
        "tenant", "chat_id", "user_id", "session", "config", "api_config", "http", "logger",
        "tool", "files_path",
    }  # fmt: skip
    assert (ctx["tenant"], ctx["chat_id"], ctx["user_id"]) == ("acme", "c-1", "u-1")


def test_postprocess_gets_neither_http_nor_tool(host):
    assert {"http", "tool"}.isdisjoint(build_ctx(host, FACTS, may_call=False))


def test_each_call_gets_a_fresh_ctx_but_the_chats_own_session(host):
    first, second = (build_ctx(host, FACTS, may_call=True) for _ in range(2))
    assert first is not second
    assert first["session"] is second["session"]
    first["api_config"]["base_url"] = "changed"
    assert second["api_config"]["base_url"] == "https://erp.example.com"


@pytest.mark.parametrize("level", ["debug", "info", "success", "warning", "error"])
def test_logger_passes_each_level_with_its_context(host, level):
    ctx = build_ctx(host, FACTS, may_call=False)
    getattr(ctx["logger"], level)("hello", {"n": 1})
    assert host.lines == [(level, "hello", {"n": 1})]


def test_log_line_never_fails_whatever_it_is_given(host):
    write = build_ctx(host, FACTS, may_call=False)["logger"].info
    write(42)
    write("list", [1, 2])
    write("no json", {"x": {1, 2}, "sku": "A", "y": float("nan")})
    write("no json", {1, 2})
    assert host.lines[0] == ("info", "42", {})
    assert host.lines[1][2] == {"value": [1, 2]}
    assert host.lines[2][2]["sku"] == "A"
    assert "this is not JSON: $.x " in host.lines[2][2]["not_json"]
    assert list(host.lines[3][2]) == ["not_json"]


def test_arguments_of_a_nested_call_that_are_no_json_are_told_as_such(host):
    tool = build_ctx(host, FACTS, may_call=True)["tool"]
    with pytest.raises(
        ToolError, match=r"what 'getX' is called with is not JSON: \$\.a holds"
    ) as no:
        tool("getX", {"a": float("inf")})
    assert no.value.code == "TM512"
    assert host.calls == []


def test_tool_passes_plain_data_and_returns_the_result(host):
    tool = build_ctx(host, FACTS, may_call=True)["tool"]
    assert tool("getInvoice", {"ids": (1, 2)}) == {"called": "getInvoice"}
    tool("ping")
    assert host.calls == [("getInvoice", {"ids": [1, 2]}), ("ping", {})]


def test_tool_name_must_be_text(host):
    with pytest.raises(ToolError) as raised:
        build_ctx(host, FACTS, may_call=True)["tool"](7, {})
    assert raised.value.code == "TM502"


@pytest.mark.parametrize("verb", ["get", "head", "post", "put", "patch", "delete"])
def test_http_verbs_send_their_method(host, verb):
    http = build_ctx(host, FACTS, may_call=True)["http"]
    getattr(http, verb)("/stock", params={"place": "H1"})
    request = host.requests[0]
    assert (request.method, request.url, request.params) == (
        verb.upper(),
        "/stock",
        {"place": "H1"},
    )


def test_http_request_takes_body_and_headers(host):
    http = build_ctx(host, FACTS, may_call=True)["http"]
    http.request("post", "/sums", json={"n": 1}, headers={"X-A": "b"})
    request = host.requests[0]
    assert (request.method, request.json, request.headers) == ("POST", {"n": 1}, {"X-A": "b"})


def test_answer_has_the_documented_parts_and_nothing_behind_them(host):
    answer = build_ctx(host, FACTS, may_call=True)["http"].get("/x")
    assert (answer.status, answer.status_code, answer.text) == (201, 201, '{"id": 7}')
    assert (answer.headers, answer.content, answer.json()) == (
        {"etag": "7"},
        b'{"id": 7}',
        {"id": 7},
    )
    assert answer.read() == b'{"id": 7}'
    assert answer.close() is None
    with pytest.raises(AttributeError, match="no 'request' here"):
        _ = answer.request


def test_headers_of_an_answer_are_found_in_any_case(host):
    headers = build_ctx(host, FACTS, may_call=True)["http"].get("/x").headers
    assert (headers["ETag"], headers["etag"], headers.get("ETAG")) == ("7", "7", "7")
    assert ("Etag" in headers, "location" in headers, 7 in headers) == (True, False, False)
    assert (headers.get("Location"), headers.get("Location", "")) == (None, "")
    for name in ("Location", "location", 7):
        with pytest.raises(KeyError, match=str(name)):
            _ = headers[name]
    assert plain({"headers": headers}) == {"headers": {"etag": "7"}}


def test_facades_cannot_be_changed(host):
    ctx = build_ctx(host, FACTS, may_call=True)
    with pytest.raises(AttributeError, match="read-only"):
        ctx["http"].get = None
    with pytest.raises(AttributeError, match="read-only"):
        del ctx["logger"].info
    assert repr(ctx["http"]) == "<ctx http>"


def test_config_is_loaded_on_first_look_only_and_is_read_only(host):
    ctx = build_ctx(host, FACTS, may_call=True)
    assert host.loads == 0
    assert ctx["config"]["settings"]["vars"]["shop"] == "Tee"
    assert list(ctx["config"]) == ["settings"]
    assert len(ctx["config"]) == 1
    assert host.loads == 1
    with pytest.raises(TypeError):
        ctx["config"]["settings"] = {}


def test_plain_turns_a_config_view_into_data():
    view = ConfigView(lambda: {"a": 1})
    assert plain(view) == {"a": 1}
    assert plain({"config": view, "n": 2}) == {"config": {"a": 1}, "n": 2}


def test_plain_refuses_what_is_no_json():
    with pytest.raises(ToolError) as raised:
        plain(SimpleNamespace())
    assert raised.value.code == "TM512"


class Sly(str):
    """A text whose methods tell whether the guard holds while they run."""

    __slots__ = ()
    seen: ClassVar[list[bool]] = []

    def __str__(self):
        self.seen.append(is_armed())
        return self

    def upper(self):
        self.seen.append(is_armed())
        return self


class Wordy:
    """An object whose text is a `Sly` one."""

    def __str__(self):
        Sly.seen.append(is_armed())
        return Sly("/x")


@pytest.mark.parametrize("made", [Sly, lambda _: Wordy()])
def test_texts_of_the_tenants_own_classes_are_read_while_the_guard_holds(host, made):
    Sly.seen.clear()
    ctx = build_ctx(host, FACTS, may_call=True)
    with armed():
        ctx["http"].request(made("get"), made("/x"))
        ctx["logger"].info(made("hello"))
    assert False not in Sly.seen
    request, line = host.requests[0], host.lines[0]
    assert {type(request.method), type(request.url), type(line[1])} == {str}


class Spying(dict):
    """A memo that keeps what it is shown."""

    def kinds(self):
        kept = [value for value in self.values() if isinstance(value, list)]
        return {type(value).__name__ for values in [self.values(), *kept] for value in values}


@pytest.mark.parametrize("part", ["config", "http", "logger", "tool"])
def test_a_copy_of_ctx_leads_to_nothing_behind_it(part):
    class Behind:
        def config(self):
            return {"settings": {"vars": {"a": [1]}}}

        request = call_tool = log = config

    ctx = build_ctx(Behind(), FACTS, may_call=True)
    memo = Spying()
    for value in (ctx[part], [getattr(ctx[part], "get", None), getattr(ctx[part], "items", None)]):
        copy.deepcopy(value, memo)
    harmless = "ConfigView ItemsView dict list method _Facade function NoneType int str"
    assert memo.kinds() <= set(harmless.split())


def test_a_copy_of_config_is_plain_data_of_its_own():
    inner = {"settings": {"vars": {"a": [1]}}}
    view = ConfigView(lambda: inner)
    copied = copy.deepcopy(view)
    copied["settings"]["vars"]["a"].append(2)
    assert inner == {"settings": {"vars": {"a": [1]}}}
    assert type(copied) is type(copy.copy(view)) is dict


def test_config_can_be_neither_changed_nor_pickled():
    view = ConfigView(dict)
    with pytest.raises(AttributeError, match="read-only"):
        view._snapshot = list
    with pytest.raises(TypeError, match="can't be pickled"):
        pickle.dumps(view)
