"""The two ends of the pipe in one process: no lock, but the same messages."""

import json
import marshal
import socket
import sys
import threading
import zoneinfo
from importlib import import_module

import pytest

from tm.errors import ConfigError, ToolError
from tm.runner.context import HttpRequest
from tm.runner.isolation import rehearsal, server, worker
from tm.runner.isolation.codecs_held import HeldCodecs, hold_codecs
from tm.runner.isolation.messages import error_data, packed
from tm.runner.isolation.pipe_host import DescriptorPipe, PipeHost
from tm.runner.isolation.worker import ShippedFiles, Worker
from tm.runner.isolation.workers import Worker as Process
from tm.runner.isolation.workers import WorkerDiedError, Workers

PATH = "tenants/acme/a.py"


class Script:
    """A pipe with fixed replies, which keeps what is sent."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.sent = []

    def send(self, message):
        self.sent.append(message)

    def receive(self):
        if not self.replies:
            raise EOFError
        return self.replies.pop(0)


@pytest.fixture(autouse=True)
def put_back(monkeypatch):
    """A worker changes what its whole process has: standard streams and zones."""
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr(zoneinfo._common, "load_tzdata", zoneinfo._common.load_tzdata)
    path = zoneinfo.TZPATH
    yield
    zoneinfo.reset_tzpath(path)
    zoneinfo.ZoneInfo.clear_cache()


def load(source, **files):
    code = packed(marshal.dumps(compile(source, PATH, "exec")))
    own = {PATH: {"source": packed(source.encode()), "code": code}}
    return {
        "tenant": "acme", "files": {**own, **files},
        "functions": {"handler": ["acme", PATH, "f", PATH, 1, 1]},
    }  # fmt: skip


def call(**facts):
    base = {"tenant": "acme", "chat_id": None, "user_id": None, "session": {}, "api_config": None}
    facts = {**base, "files_path": "files", **facts}
    return {"call": 1, "role": "handler", "values": [{}, {}], "facts": facts}


def serve(body, *replies, top="", **facts):
    """Let a worker load a handler, call it, and return what it sent in the call."""
    source = f"{top}\ndef f(results, args, ctx):\n    {body}\n"
    pipe = Script(load(source), call(**facts), *replies)
    Worker(pipe).serve()
    return [message for message in pipe.sent if message["call"] == 1]


def test_result_and_session_come_together():
    (done,) = serve("ctx['session']['n'] = 2\n    return (1, 2)", session={"n": 1})
    assert done == {"call": 1, "kind": "done", "result": [1, 2], "session": {"n": 2}}


def test_log_print_and_failure_are_told():
    log, text, failed = serve("ctx['logger'].info('m')\n    print('p')\n    return 1 / 0")
    assert (log["kind"], log["message"]) == ("log", "m")
    assert (text["kind"], text["text"]) == ("print", "p\n")
    assert failed["error"]["at"] == [PATH, 5, 12]
    assert failed["error"]["code"] == "TM509"


def test_memory_that_is_used_up_is_told():
    (failed,) = serve("raise MemoryError")
    assert failed["error"]["code"] == "TM521"


def test_session_that_is_no_json_is_an_error():
    (failed,) = serve("ctx['session']['x'] = object()\n    return 1")
    assert failed["error"]["code"] == "TM512"
    assert failed["session"] is None


def test_result_past_the_limit_of_a_message_is_an_error(monkeypatch):
    monkeypatch.setattr("tm.runner.isolation.frames.MAX_FRAME_BYTES", 100)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        pipe = DescriptorPipe(theirs.fileno())
        host = PipeHost(pipe, 1, {})
        with pytest.raises(Exception, match="are allowed"):
            host.tell("done", result="x" * 200)


def test_zone_is_asked_for():
    top = "from zoneinfo import ZoneInfo"
    zone, failed = serve("return str(ZoneInfo('Mars/X'))", {"answer": None}, top=top)
    assert (zone["kind"], zone["key"]) == ("zone", "Mars/X")
    assert "Mars/X" in failed["error"]["message"]


def test_what_the_interpreter_writes_goes_over_the_pipe():
    pipe = Script(load("def f(results, args, ctx):\n    return 1\n"))
    made = Worker(pipe)
    made.tell_print("before anything is loaded")
    pipe.receive = lambda: pipe.replies.pop(0) if pipe.replies else write()

    def write():
        sys.stderr.write("FutureWarning: x")
        raise EOFError

    made.serve()
    assert pipe.sent[-1]["text"] == "FutureWarning: x"


def test_file_that_is_broken_fails_when_it_is_needed():
    broken = {"tenants/acme/b.py": {"error": error_data(ConfigError("no", code="TM117"))}}
    pipe = Script(load("from .b import x\ndef f(results, args, ctx):\n    return x\n", **broken))
    Worker(pipe).serve()
    assert pipe.sent[0]["error"]["code"] == "TM117"


def test_file_that_was_not_shipped_is_told():
    with pytest.raises(ToolError, match="not handed"):
        ShippedFiles({}).get("tenants/acme/x.py", "acme", None)


# -- the host


def host(*replies, session=None):
    pipe = Script(*replies)
    return PipeHost(pipe, 1, {} if session is None else session), pipe


def test_request_gives_text_and_json_of_the_bytes():
    made, _ = host({"answer": {
        "status": 200, "headers": {"content-type": "application/json; charset=latin-1"},
        "content": packed('{"a": "ä"}'.encode("latin-1")), "url": "https://x",
    }})  # fmt: skip
    answer = made.request(HttpRequest("GET", "/x"))
    assert (answer.text, answer.read_json()) == ('{"a": "ä"}', {"a": "ä"})


def test_empty_answer_is_an_empty_mapping():
    made, _ = host({"answer": {"status": 204, "headers": {}, "content": "", "url": ""}})
    assert made.request(HttpRequest("GET", "/x")).read_json() == {}


def test_failure_of_a_tool_is_raised_and_its_session_taken():
    session = {"n": 1}
    made, pipe = host(
        {"error": error_data(ToolError("m", code="TM504")), "session": {"n": 2}}, session=session
    )
    with pytest.raises(ToolError, match="m"):
        made.call_tool("t", {})
    assert session == {"n": 2}
    assert pipe.sent[0]["session"] == {"n": 1}


def test_config_and_zones_are_answers():
    made, _ = host({"answer": {"tools": {}}}, {"answer": packed(b"TZif")})
    assert made.config() == {"tools": {}}
    assert made.zone("UTC") == b"TZif"


# -- bytes


def pipes():
    ours, theirs = socket.socketpair()
    line, its_line = socket.socketpair()
    return Process(ours, line), DescriptorPipe(theirs.fileno()), theirs, its_line


def test_both_ends_understand_each_other():
    process, pipe, theirs, its_line = pipes()
    with theirs, its_line:
        long = "ä" * 300_000
        sender = threading.Thread(target=process.send, args=([long], lambda: 9.0))
        sender.start()
        assert pipe.receive() == [long]
        sender.join()
        pipe.send({"n": 1})
        assert process.receive(lambda: 9.0) == {"n": 1}
        process.close()
        with pytest.raises(EOFError):
            pipe.receive()


def test_time_that_is_over_is_told():
    process, _, theirs, its_line = pipes()
    with theirs, its_line:
        for remaining in (0.0, -1.0, 0.01):
            with pytest.raises(TimeoutError):
                process.receive(lambda left=remaining: left)
        with pytest.raises(TimeoutError):
            process.send("x", lambda: 0.0)
        process.close()


@pytest.mark.parametrize(
    ("told", "words"),
    [(b'{"ended": -9}', "SIGKILL"), (b'{"ended": -99}', "signal 99"), (b'{"ended": 3}', "code 3"),
     (b"{}", "without a word"), (b"no json", "without a word"), (b'{"unable": "x"}', "x")],
)  # fmt: skip
def test_end_of_a_worker_is_told_in_words(told, words):
    process, _, theirs, its_line = pipes()
    its_line.send(told)
    theirs.close()
    its_line.close()
    with pytest.raises(WorkerDiedError, match=words):
        process.receive(lambda: 5.0)
    process.close()


def test_workers_that_were_never_used_are_closed():
    Workers().close()


# -- the fork server's own


def test_rehearsal_is_a_whole_conversation():
    rehearsal.rehearse()


def test_modules_beyond_the_policy_are_not_loaded(monkeypatch):
    asked = []
    monkeypatch.setattr(server, "import_module", asked.append)
    monkeypatch.delitem(sys.modules, "heapq", raising=False)
    server.load_modules(["heapq", "subprocess_", "tm", "os"])
    assert [name for name in asked if name != "email.charset"] == ["heapq"]


def test_missing_module_is_the_tenants_import_error():
    server._load("no_such_module_anywhere")


def test_codecs_load_from_memory(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delitem(sys.modules, "encodings.cp1006", raising=False)
    finder = hold_codecs()
    assert isinstance(finder, HeldCodecs)
    monkeypatch.setattr(sys, "meta_path", [finder])
    assert import_module("encodings.cp1006").getregentry().name == "cp1006"
    assert finder.get_source("encodings.cp1006") is None
    assert finder.find_spec("os") is None


def test_worker_that_can_not_be_locked_says_why(monkeypatch):
    ended = []

    def end(code):
        ended.append(code)
        raise SystemExit

    ours, theirs = socket.socketpair()
    monkeypatch.setattr(worker, "why_not", lambda: "no Landlock")
    monkeypatch.setattr(worker.os, "_exit", end)
    with ours, theirs, pytest.raises(SystemExit):
        worker.run_locked(theirs.fileno(), parent=1, cpu_s=1)
    assert ended[0] == 0


def test_fork_server_forks_tells_ends_and_ends_all():
    control, its_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    served = threading.Thread(target=server.ForkServer(its_control).serve)
    served.start()
    processes = []
    for _ in range(3):
        pipe, its_pipe = socket.socketpair()
        line, its_line = socket.socketpair()
        request = json.dumps({"modules": ["re"], "cpu_s": 20}).encode()
        with its_pipe, its_line:
            socket.send_fds(control, [request], [its_pipe.fileno(), its_line.fileno()])
        processes.append(Process(pipe, line))
    source = "def f(results, args, ctx):\n    return 1\n"
    for process in processes[:2]:
        process.send(load(source), lambda: 20.0)
        assert process.receive(lambda: 20.0)["kind"] == "done"
    processes[0].send({"call": "no call"}, lambda: 20.0)  # what no tm sends ends the worker
    with pytest.raises(WorkerDiedError, match="exit code 1"):
        processes[0].receive(lambda: 20.0)
    processes[1].close()  # a closed line ends it
    control.close()
    served.join(20)
    assert not served.is_alive()
    for process in processes:
        process.close()
    its_control.close()


def test_server_that_was_begun_is_the_one_that_is_asked():
    workers = Workers()
    workers.begin()
    begun = workers._server
    try:
        workers.start([], 5).close()
        assert workers._server == begun > 0
    finally:
        workers.close()


def test_begin_leaves_what_goes_wrong_to_the_first_start(monkeypatch):
    monkeypatch.setattr(
        "tm.runner.isolation.workers.sys", type("System", (), {"platform": "plan9"})
    )
    workers = Workers()
    workers.begin()
    with pytest.raises(WorkerDiedError, match="plan9"):
        workers.start([], 5)
