"""Isolated runs from a tool's files to its report and log row, also where the worker misbehaves."""

import os
import resource
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import respx

from tests.tenant_functions import parse_only
from tm.errors import ConfigError, SecurityError, UsageError
from tm.runner.events import LogLine
from tm.runner.homes import FunctionHomes
from tm.runner.isolation import worker_ends, workers
from tm.runner.isolation.lock import why_not
from tm.runner.isolation.workers import WorkerDiedError
from tm.runner.workspace import RunOptions, Workspace
from tm.store.place import place_of
from tm.store.reader import ExecutionLogReader

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"no lock here: {why_not()}")
ISOLATED = RunOptions(isolate=True)


def tool_files(body, top="", extra=""):
    """The files of one handler tool `run` with this body; `top` stands before its function."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").splitlines())
    head = "def handle(results, args, ctx):\n    ctx['logger'].info('start')\n"
    return {
        "run.yaml": f"""
            tools:
              run:
                description: R.
                handler: a.py:handle
                {extra or "args_fixture: {}"}
        """,
        "a.py": f"{head}{lines}\n{top}\n",
    }


GOOD = (
    "def ok(results, args, ctx):\n    return {'fine': True}\n\n"
    "tools = {'good': {'description': 'G.', 'handler': ok, 'args_fixture': {}}}\n"
)


@pytest.fixture
def shop(workspace, tmp_path):
    """Return a function that writes files of acme and gives a workspace, which is closed later."""
    opened = []

    def build(files, scan=None):
        root = workspace({f"tenants/acme/{path}": text for path, text in files.items()})
        made = Workspace(root, environ={"ERP_TOKEN": "tok-1234567890"}, cache_dir=tmp_path / "c")
        if scan is not None:  # what comes after the scan is tested: no user has such a switch
            made._functions = FunctionHomes(root, scan=scan)
        opened.append(made)
        return made

    yield build
    for made in opened:
        made.close()


@pytest.fixture
def run(shop):
    """Return a function that runs one isolated handler and checks that the next run works."""

    def once(body, top="", extra="", scan=None, **options):
        made = shop({**tool_files(body, top, extra), "good.py": GOOD}, scan)
        report = made.run_tool("acme", "run", {}, RunOptions(isolate=True, **options))
        assert made.run_tool("acme", "good", options=ISOLATED).result == {"fine": True}
        row = ExecutionLogReader(place_of(made.root, {})).show(report.log_id)
        assert row.state == ("ok" if report.ok else "failed")
        return report

    return once


# -- what a function can do all the same


def test_result_session_and_lines_come_back(run):
    report = run("ctx['session']['n'] = 1\nctx['logger'].success('end', {'a': [1]})\nreturn [1.5]")
    assert report.result == [1.5]
    assert [(line.message, line.context) for line in report.log] == [
        ("start", {}), ("end", {"a": [1]}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("top", "expression", "result"),
    [
        ("from zoneinfo import ZoneInfo\nfrom datetime import datetime",
         "datetime(2026, 5, 4, tzinfo=ZoneInfo('Europe/Berlin')).isoformat()",
         "2026-05-04T00:00:00+02:00"),
        ("from datetime import datetime", "datetime.strptime('3', '%d').day", 3),
        ("", "'ä'.encode('cp850').hex()", "84"),
        ("", "'bücher'.encode('idna').decode()", "xn--bcher-kva"),
        ("from decimal import Decimal", "Decimal('1.10') + 1", 2.1),
        ("import hashlib", "hashlib.sha256(b'').hexdigest()[:8]", "e3b0c442"),
        ("import uuid", "len(str(uuid.uuid4()))", 36),
        ("", "2 ** 80", 2**80),
        ("", "'\\ud800'", "\ud800"),
        ("", "sorted(ctx['config'])[0]", "apis"),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n", "P(1)", {"x": 1}),
    ],
)  # fmt: skip
def test_python_works_though_no_file_can_be_opened(run, top, expression, result):
    report = run(f"return {expression}", top)
    assert (report.error, report.result) == (None, result)


def test_local_times_are_those_of_the_machine(run):
    moment = time.localtime(1_700_000_000)
    report = run(
        "return datetime.fromtimestamp(1700000000).isoformat()", "from datetime import datetime"
    )
    assert report.result == time.strftime("%Y-%m-%dT%H:%M:%S", moment)


def test_unknown_zone_is_an_error_of_the_function(run):
    report = run("return str(ZoneInfo('Mars/Olympus'))", "from zoneinfo import ZoneInfo")
    assert report.error.code == "TM509"
    assert "Mars/Olympus" in report.error.message


def test_error_has_the_tenants_line(run):
    report = run("return 1 / 0")
    assert str(report.error) == (
        "tenants/acme/a.py:3:12: ZeroDivisionError: division by zero, in the line `return 1 / 0`"
    )


def test_print_goes_to_stderr_masked(run, capfd):
    run("print('hello')")
    assert "hello" in capfd.readouterr().err


def test_refusal_of_the_guard_is_told_from_inside(run):
    report = run("return open('/etc/passwd').read()", scan=parse_only)
    assert report.error.code == "TM511"
    assert isinstance(report.error, SecurityError)
    assert report.error.at.line == 3


# -- ways to end badly: each a clear error, a log row, and the next run works


def test_permission_error_that_a_function_raises_is_its_own(run):
    report = run("raise PermissionError(13, 'ask the office')")
    assert report.error.code == "TM509"
    assert "ask the office" in report.error.message


def test_endless_loop_ends_when_its_time_is_over(run):
    report = run("while True:\n    pass", extra="max_seconds: 1")
    assert report.error.code == "TM505"
    assert [step.status for step in report.steps if step.name == "handler"] == ["failed"]


def test_loop_in_c_code_ends_when_its_time_is_over(run):
    body = "return re.match(r'(a+)+$', 'a' * 64 + 'b')"
    assert run(body, "import re", "max_seconds: 1").error.code == "TM505"


def test_file_that_hangs_while_it_loads_is_a_failed_run(run):
    top = "import re\nX = re.match(r'(a+)+$', 'a' * 64 + 'b')"
    report = run("return 1", top, "max_seconds: 1", scan=parse_only)
    assert report.error.code == "TM505"
    assert "load" in report.error.message
    assert report.log_id is not None


@pytest.mark.parametrize(
    "body",
    [
        "return [0] * 10**9",
        "x = []\nwhile True:\n    x.append('x' * 10**6)",
        "return bytearray(1 << 30)",
    ],
)
def test_memory_bomb(run, body):
    report = run(body, extra="max_seconds: 60")
    assert report.error.code == "TM521"
    assert "memory" in report.error.message


def test_log_flood(run):
    report = run("while True:\n    ctx['logger'].info('x')", extra="max_seconds: 60")
    assert report.error.code == "TM521"
    assert "log lines" in report.error.message


def test_print_flood(run, capfd):
    report = run("while True:\n    print('x' * 1000000)", extra="max_seconds: 60")
    assert report.error.code == "TM521"


def test_huge_result(run):
    report = run("return ['x' * 1000000] * 60", extra="max_seconds: 60")
    assert report.error.code in {"TM512", "TM521"}


def test_deep_recursion(run):
    report = run("def down():\n    return down()\nreturn down()")
    assert report.error.code == "TM509"
    assert "RecursionError" in report.error.message


def test_file_that_cannot_load_is_told_as_without_a_worker(shop):
    made = shop(tool_files("return 1", "X = 1 // 0"), parse_only)
    errors = []
    for options in (RunOptions(), ISOLATED):
        with pytest.raises(ConfigError) as caught:
            made.run_tool("acme", "run", {}, options)
        errors.append(str(caught.value))
    assert errors[0] == errors[1]


def test_refused_file_never_reaches_a_worker(shop, monkeypatch):
    asked = []
    monkeypatch.setattr(workers.Workers, "start", lambda *words: asked.append(words))
    made = shop(tool_files("return open('x')"))
    with pytest.raises(ConfigError) as caught:
        made.run_tool("acme", "run", {}, ISOLATED)
    assert caught.value.code.startswith("TM30")
    assert asked == []


def test_system_without_a_lock_is_told_and_nothing_runs():
    error = worker_ends.death_error(None, WorkerDiedError(None, "the kernel has no Landlock"))
    assert isinstance(error, UsageError)
    assert error.exit_code == 2
    assert "no Landlock" in error.message


# -- processes


def children():
    """Ids of the processes that this one has started."""
    found = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(pid) for path in found for pid in path.read_text().split()}


def test_no_process_is_left_when_the_workspace_is_closed(shop):
    before = children()
    made = shop({"good.py": GOOD})
    made.run_tool("acme", "good", options=ISOLATED)
    (server,) = children() - before
    made.close()
    assert children() == before
    assert not Path(f"/proc/{server}").exists()


def open_descriptors(pid):
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def test_many_runs_leave_no_descriptor_and_no_process(shop):
    made = shop({"good.py": GOOD})
    made.run_tool("acme", "good", options=ISOLATED)
    server = made._functions._workers[0]._server
    before = [open_descriptors(pid) for pid in (os.getpid(), server)]
    for _ in range(25):
        assert made.run_tool("acme", "good", options=ISOLATED).ok
    after = [open_descriptors(pid) for pid in (os.getpid(), server)]
    # The last worker's end may not have been noted yet: its process and its line.
    assert after[0] <= before[0]
    assert after[1] <= before[1] + 2


LEFT_ALONE = """
import os, sys
from pathlib import Path
from tm.runner.workspace import RunOptions, Workspace

def tell(event):
    if getattr(event, "message", "") == "start":
        server = made._functions._workers[0]._server
        worker = Path(f"/proc/{server}/task/{server}/children").read_text()
        print(server, worker, flush=True)

made = Workspace(Path(sys.argv[1]), environ={})
made.run_tool("acme", "run", {}, RunOptions(isolate=True), tell)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_process_that_asked_for_them(shop, number):
    made = shop(tool_files("while True:\n    pass"))
    words = [sys.executable, "-c", LEFT_ALONE, str(made.root)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as asking:
        ends = [os.pidfd_open(int(pid)) for pid in asking.stdout.readline().split()]
        asking.send_signal(number)
        assert len(ends) == 2
        for end in ends:
            assert select.select([end], [], [], 10)[0], "a process was left behind"
            os.close(end)


def test_refused_descriptors_are_an_error_of_the_run(shop):
    made = shop({"good.py": GOOD})
    assert made.run_tool("acme", "good", options=ISOLATED).ok
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    server = made._functions._workers[0]._server
    resource.prlimit(server, resource.RLIMIT_NOFILE, (4, before[1]))
    told = []
    for _ in range(2):  # the other one has a new fork server
        report = made.run_tool("acme", "good", options=ISOLATED)
        told.append(report.error.code if report.error else "ok")
    assert told[-1] == "ok"
    assert told[0] in {"ok", "TM521"}


def test_fork_server_that_dies_is_replaced(shop):
    made = shop({"good.py": GOOD})
    made.run_tool("acme", "good", options=ISOLATED)
    os.kill(made._functions._workers[0]._server, 9)
    codes = []
    for _ in range(2):
        report = made.run_tool("acme", "good", options=ISOLATED)
        codes.append(report.error.code if report.error else "ok")
    assert codes[-1] == "ok"


def test_setting_of_the_tenant_isolates_every_run(shop):
    made = shop({"good.py": GOOD, "settings.yaml": "settings: {isolate: true}\n"})
    made.run_tool("acme", "good")
    assert made._functions._workers is not None


def test_other_systems_are_told_that_they_can_not_isolate(shop, monkeypatch):
    made = shop({"good.py": GOOD})
    monkeypatch.setattr(workers, "sys", SimpleNamespace(platform="plan9"))
    with pytest.raises(UsageError) as caught:
        made.run_tool("acme", "good", options=ISOLATED)
    assert (caught.value.code, caught.value.exit_code) == ("TM521", 2)
    assert "plan9" in caught.value.message


def test_threads_share_one_fork_server(shop):
    made = shop({"good.py": GOOD})
    with ThreadPoolExecutor(4) as threads:
        reports = list(
            threads.map(lambda _: made.run_tool("acme", "good", options=ISOLATED), range(12))
        )
    assert [report.result for report in reports] == [{"fine": True}] * 12


STEPS = {
    "steps.yaml": """
        apis:
          erp: {base_url: "https://erp.example.com", auth: {type: bearer, token: "${ERP_TOKEN}"}}
        tools:
          order:
            description: An order.
            parameters:
              type: object
              properties: {id: {type: string, description: Id.}}
            api: erp
            method: GET
            path: /orders/{id}
            preprocess: steps.py:before
            postprocess: steps.py:after
            handler: steps.py:finish
            args_fixture: {id: " 7 "}
          child:
            description: Nested.
            handler: steps.py:child
            args_fixture: {}
    """,
    "lib/money.py": "def euro(value):\n    return f'{value} EUR'\n",
    "steps.py": """
        from tm import ToolError
        from .lib.money import euro


        def before(args, ctx):
            args["id"] = args["id"].strip()
            return args


        def after(result, args, ctx):
            return {**result, "may_call": "http" in ctx}


        def child(results, args, ctx):
            ctx["logger"].info("child")
            ctx["session"]["child"] = True
            return {"seen": ctx["session"].get("n")}


        def finish(results, args, ctx):
            ctx["logger"].info("begin", {"token": ctx["api_config"]["auth"]["token"]})
            ctx["session"]["n"] = 1
            answer = ctx["http"].get("/stock", params={"q": "ä"})
            try:
                ctx["http"].get("/missing")
            except ToolError as why:
                code = why.code
            try:
                ctx["tool"]("unknown", {})
            except ToolError as why:
                unknown = why.message
            nested = ctx["tool"]("child", {})
            ctx["logger"].success("end")
            return {
                **results, "stock": answer.json(), "text": answer.text,
                "kind": answer.headers["X-Kind"],
                "code": code, "unknown": unknown, "nested": nested, "session": ctx["session"],
                "price": euro(3), "secret": ctx["config"]["apis"]["erp"]["auth"]["token"],
            }
    """,
}


def test_reports_are_equal_in_both_homes(shop):
    made = shop(STEPS)
    with respx.mock(base_url="https://erp.example.com") as erp:
        erp.get("/orders/7").respond(json={"no": "A-7"})
        erp.get("/stock").respond(json={"qty": 2}, headers={"X-Kind": "bin"})
        erp.get("/missing").respond(404, text="no such thing")
        reports = [
            made.run_tool("acme", "order", options=options).to_json()
            for options in (RunOptions(), ISOLATED)
        ]
    assert reports[0]["error"] is None
    assert "tok-1234567890" not in repr(reports)
    local, isolated = (comparable(report) for report in reports)
    assert isolated == local


def comparable(report):
    """A report without its times and ids."""
    report.pop("duration_ms")
    report.pop("log_id")
    for part in ("steps", "http", "log"):
        for entry in report[part]:
            entry.pop("ms", None)
            entry.pop("time", None)
    return report


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGSYS])
def test_worker_that_is_ended_by_a_signal_is_an_error_of_its_run(shop, number):
    others = children()  # servers of other tests
    made = shop({**tool_files("while True:\n    pass"), "good.py": GOOD})

    def end_worker(event):
        if isinstance(event, LogLine):
            (server,) = children() - others
            told = Path(f"/proc/{server}/task/{server}/children").read_text()
            os.kill(int(told), number)

    report = made.run_tool("acme", "run", {}, ISOLATED, end_worker)
    expected = "TM511" if number == signal.SIGSYS else "TM521"
    assert report.error.code == expected
    assert number == signal.SIGSYS or number.name in report.error.message
    assert made.log.show(report.log_id).state == "failed"
    assert made.run_tool("acme", "good", options=ISOLATED).ok
