"""What tm does with the messages of a worker, also of one that is hostile."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.errors import ConfigError, Detail, Location, SecurityError, ToolError, UsageError
from tm.runner.context import HttpAnswer
from tm.runner.isolation import desk as desks
from tm.runner.isolation.desk import Desk
from tm.runner.isolation.frames import (
    HEADER_BYTES,
    MAX_FRAME_BYTES,
    FrameError,
    decode,
    encode,
    fields,
    length_of,
)
from tm.runner.isolation.messages import error_data, read_error, read_place, unpacked
from tm.runner.isolation.zones import zone_data

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip
MESSAGES = JSON | st.fixed_dictionaries({
    "call": st.sampled_from([1, 2, True, "1"]),
    "kind": st.sampled_from(
        ["done", "failed", "log", "print", "zone", "config", "request", "tool", "x"]
    ) | JSON,
    "result": JSON, "session": JSON, "error": JSON, "level": JSON, "message": JSON,
    "context": JSON, "text": JSON, "key": JSON, "request": JSON, "name": JSON, "args": JSON,
})  # fmt: skip


class Scope:
    def __init__(self):
        self.session = {}


class Run:
    def __init__(self):
        self.scope = Scope()


class Host:
    """A host that notes what it was asked for."""

    def __init__(self, error=None):
        self.run = Run()
        self.error = error
        self.asked = []

    def log(self, level, message, context):
        self.asked.append(("log", level, message, context))

    def print(self, text):
        self.asked.append(("print", text))

    def config(self):
        return {"tools": {}}

    def request(self, request):
        self.asked.append(request)
        if self.error:
            raise self.error
        return HttpAnswer(200, {"a": "b"}, b"\xff", "", dict, "https://x")

    def call_tool(self, name, args):
        self.asked.append((name, args))
        self.run.scope.session["nested"] = name
        if self.error:
            raise self.error
        return {"of": name}


def message(kind, **content):
    return {"call": 1, "kind": kind, **content}


def made(host=None, **options):
    return Desk(host or Host(), 1, **{"may_call": True, **options})


REQUEST = {"method": "GET", "url": "/x", "params": None, "json": None, "data": None, "headers": {}}
TOOL = {"name": "t", "args": {}, "session": {}}


@given(MESSAGES)
def test_any_message_is_served_or_ends_the_worker(data):
    with suppress(FrameError, ToolError, SecurityError, ConfigError):
        made().take(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_json_or_refused(data):
    with suppress(FrameError):
        decode(data)


@given(JSON)
def test_what_is_sent_arrives(value):
    data = encode(value)
    assert length_of(data[:HEADER_BYTES]) == len(data) - HEADER_BYTES
    assert decode(data[HEADER_BYTES:]) == value


@given(st.dictionaries(st.sampled_from(
    ["kind", "message", "code", "hint", "at", "details"]), JSON))  # fmt: skip
def test_any_error_is_read_or_refused(data):
    with suppress(FrameError):
        read_error(data)


@pytest.mark.parametrize(
    "data",
    [b"", b"NaN", b"[1e999]", b"-Infinity", b"[" * 100_000, b"\xff", b'"\\', b"1" * 10_000,
     b"[" + b"0," * 5_000_001 + b"0]"],
)  # fmt: skip
def test_json_that_tm_does_not_read_is_refused(data):
    with pytest.raises(FrameError):
        decode(data)


def test_text_with_many_commas_is_no_large_message():
    text = "," * 5_000_001
    assert decode(json.dumps(text).encode()) == text


def test_frames_are_limited_on_both_sides():
    with pytest.raises(FrameError, match="announced"):
        length_of((MAX_FRAME_BYTES + 1).to_bytes(4, "big"))
    with pytest.raises(FrameError, match="are allowed"):
        encode("x" * MAX_FRAME_BYTES)


def test_fields_have_the_exact_type():
    assert fields({"n": 1, "any": None}, n=int, any=object) == [1, None]
    for bad in ([], {"n": True}, {}):
        with pytest.raises(FrameError):
            fields(bad, n=int)


@pytest.mark.parametrize(
    "error",
    [
        ToolError("m", code="TM504", hint="h", details=[Detail("a.b", "wrong")]),
        SecurityError("m", code="TM511", at=Location("tenants/a/b.py", 3, 4)),
        ConfigError("m", code="TM117", at=Location("tenants/a/b.py")),
    ],
)
def test_errors_arrive_as_they_were(error):
    came = read_error(json.loads(json.dumps(error_data(error))))
    assert type(came) is type(error)
    assert (came.message, came.code, came.hint, came.at, came.details) == (
        error.message, error.code, error.hint, error.at, error.details,
    )  # fmt: skip


def test_errors_of_the_call_become_tool_errors():
    assert type(read_error(error_data(UsageError("m", code="TM502")))) is ToolError


@pytest.mark.parametrize(
    "place",
    ["x", ["/etc/passwd", 1, 1], ["tenants/../x", 1, 1], ["tenants/a\n", 1, 1],
     ["tenants/a", "1", None], ["tenants/a"]],
)  # fmt: skip
def test_places_outside_the_workspace_are_refused(place):
    with pytest.raises(FrameError):
        read_place(place)


@pytest.mark.parametrize(
    "change",
    [{"kind": "UsageError"}, {"code": "X"}, {"hint": 1}, {"details": [1]}, {"details": [["a"]]}],
)
def test_errors_that_no_worker_makes_are_refused(change):
    with pytest.raises(FrameError):
        read_error({**error_data(ToolError("m")), **change})


def test_base64_is_strict():
    assert unpacked("aGk=") == b"hi"
    with pytest.raises(FrameError):
        unpacked("a!")


# -- one call


def test_result_and_session_are_taken():
    host = Host()
    taken = made(host).take(message("done", result=[1], session={"k": 2}))
    assert (taken, host.run.scope.session) == (("done", [1]), {"k": 2})


def test_failure_is_raised_and_the_session_kept():
    host = Host()
    error = error_data(ToolError("m", code="TM504"))
    with pytest.raises(ToolError, match="m"):
        made(host).take(message("failed", error=error, session={"k": 1}))
    assert host.run.scope.session == {"k": 1}
    with pytest.raises(ToolError):
        made(host).take(message("failed", error=error, session=None))


@pytest.mark.parametrize(
    "wrong",
    [
        {"call": 2, "kind": "done", "result": 1, "session": {}},
        message("nothing"),
        message("done", result=1, session=[]),
        message("log", level="loud", message="m", context={}),
        message("log", level="info", message=1, context={}),
        [],
    ],
)
def test_wrong_messages_end_the_worker(wrong):
    with pytest.raises(FrameError):
        made().take(wrong)


@pytest.mark.parametrize("kind", ["request", "tool"])
def test_postprocess_can_call_nothing_even_where_the_worker_is_hostile(kind):
    host = Host()
    with pytest.raises(FrameError, match="may be called"):
        made(host, may_call=False).take(message(kind, request=REQUEST, **TOOL))
    assert host.asked == []


@pytest.mark.parametrize("kind", ["log", "config", "request", "tool"])
def test_files_that_load_can_ask_for_nothing(kind):
    desk = Desk(None, 1, may_call=True)
    content = {"level": "info", "message": "m", "context": {}, "request": REQUEST, **TOOL}
    assert desk.is_loading
    with pytest.raises(FrameError, match="while its files"):
        desk.take(message(kind, **content))
    assert desk.take(message("print", text="x")) == ("print", None)
    assert desk.take(message("done", result=None, session={})) == ("done", None)


def test_lines_go_to_the_host_and_are_counted(monkeypatch):
    monkeypatch.setattr(desks, "MAX_LINES", 2)
    host = Host()
    desk = made(host)
    assert desk.take(message("log", level="info", message="m", context={"a": 1})) == ("log", None)
    desk.take(message("print", text="t"))
    assert host.asked == [("log", "info", "m", {"a": 1}), ("print", "t")]
    with pytest.raises(FrameError, match="log lines"):
        desk.take(message("print", text="t"))


def test_long_lines_are_counted(monkeypatch):
    monkeypatch.setattr(desks, "MAX_LINE_CHARS", 10)
    with pytest.raises(FrameError, match="characters"):
        made().take(message("print", text="x" * 11))


def test_config_answers_and_requests_are_replies():
    host = Host()
    desk = made(host)
    assert desk.take(message("config"))[1] == {"answer": {"tools": {}}}
    reply = desk.take(message("request", request=REQUEST))[1]
    assert reply["answer"] == {
        "status": 200, "headers": {"a": "b"}, "content": "/w==", "url": "https://x",
    }  # fmt: skip


def test_nested_tools_see_and_change_the_session():
    host = Host()
    reply = made(host).take(message("tool", name="t", args={}, session={"k": 1}))[1]
    assert reply == {"answer": {"of": "t"}, "session": {"k": 1, "nested": "t"}}


def test_failures_of_requests_and_tools_are_replies():
    error = ToolError("no", code="TM504")
    for kind in ("request", "tool"):
        reply = made(Host(error)).take(message(kind, request=REQUEST, **TOOL))[1]
        assert reply["error"]["code"] == "TM504"


def test_refusal_in_a_nested_tool_can_not_be_swallowed_by_a_hostile_worker():
    desk = made(Host(SecurityError("no", code="TM511")))
    desk.take(message("tool", **TOOL))
    with pytest.raises(SecurityError, match="no"):
        desk.take(message("done", result=1, session={}))


def test_zones_are_read_by_key_and_never_by_path():
    assert zone_data("Europe/Berlin")[:4] == b"TZif"
    assert zone_data("UTC")[:4] == b"TZif"
    for key in ("Mars/Olympus", "../etc/passwd", "/etc/passwd", "", "a" * 50, "Europe"):
        assert zone_data(key) is None


def test_unknown_zone_is_answered_with_nothing():
    assert made().take(message("zone", key="../x")) == ("zone", {"answer": None})
    assert made().take(message("zone", key="UTC"))[1]["answer"]
