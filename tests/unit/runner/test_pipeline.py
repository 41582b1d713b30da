"""The pipeline from a tenant's files to a report, with HTTP faked at its edge."""

import json
import signal
import threading
from datetime import UTC, datetime

import httpx
import pytest
import respx

from tm.errors import ConfigError, ToolError, UsageError
from tm.runner.events import HttpCall, LogLine, RunFinished, RunStarted, Step
from tm.runner.workspace import RunOptions, Workspace

API = """
    apis:
      erp:
        base_url: https://erp.example.com/v1
        auth: {type: bearer, token: "${ERP_TOKEN}"}
"""
ENVIRON = {"ERP_TOKEN": "tok-1234567890"}


class StoppedClock:
    """A clock that moves only when it is told to."""

    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return datetime(2026, 5, 4, 12, 30, tzinfo=UTC)

    def monotonic(self):
        return self.seconds


@pytest.fixture
def open_workspace(workspace, tmp_path):
    opened = []

    def build(files, **options):
        root = workspace({f"tenants/acme/{path}": text for path, text in files.items()})
        made = Workspace(
            root, environ=options.pop("environ", ENVIRON), cache_dir=tmp_path / "cache", **options
        )
        opened.append(made)
        return made

    yield build
    for made in opened:
        made.close()


@pytest.fixture
def erp():
    with respx.mock(base_url="https://erp.example.com/v1", assert_all_called=False) as router:
        yield router


def handler_tool(body, extra=""):
    """A file with one handler-only tool `run` whose handler has this body."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return (
        f"def handle(results, args, ctx):\n    ctx['logger'].info('start')\n{lines}\n"
        f"tools = {{'run': {{'description': 'R.', 'handler': handle, "
        f"'parameters': {{'type': 'object', 'additionalProperties': True}}, {extra}}}}}\n"
    )


def statuses(report):
    return {step.name: step.status for step in report.steps}


FULL = {
    "erp.yaml": API,
    "order.yaml": """
        tools:
          getOrder:
            description: An order.
            parameters:
              type: object
              properties: {id: {type: string, description: Id.}}
              required: [id]
            api: erp
            method: GET
            path: /orders/{id}
            mapping: {number: no, gone: not.there}
            preprocess: order.py:before
            postprocess: order.py:after
            handler: order.py:finish
            args_fixture: {id: " 7 "}
    """,
    "order.py": """
        def before(args, ctx):
            args["id"] = args["id"].strip()
            args["_query"] = {"lang": "de"}
            return args


        def after(result, args, ctx):
            return {**result, "asked": args["id"]}


        def finish(results, args, ctx):
            ctx["logger"].info("finish", {"token": "tok-1234567890"})
            return {**results, "api": ctx["api_config"]["auth"]["token"]}
    """,
}


def test_every_step_runs_in_order_and_is_told(open_workspace, erp):
    route = erp.get("/orders/7", params={"lang": "de"}).respond(json={"no": "A-7", "margin": 1})
    events = []
    report = open_workspace(FULL).run_tool("acme", "getOrder", sink=events.append)
    assert report.ok
    assert report.result == {"number": "A-7", "gone": None, "asked": "7", "api": "***"}
    assert report.args == {"id": " 7 "}
    assert set(statuses(report).values()) == {"ok", "skipped"}
    assert statuses(report)["placeholders"] == "skipped"
    assert route.calls[0].request.headers["authorization"] == "Bearer tok-1234567890"
    kinds = [type(event) for event in events]
    assert kinds[0] is RunStarted
    assert kinds[-1] is RunFinished
    assert kinds.count(Step) == 7
    assert kinds.count(HttpCall) == 1
    assert LogLine in kinds


def test_nothing_that_is_told_holds_a_secret(open_workspace, erp):
    erp.get("/orders/7").respond(json={"no": "echo tok-1234567890"})
    events = []
    report = open_workspace(FULL).run_tool("acme", "getOrder", sink=events.append)
    assert "tok-1234567890" not in repr(events)
    assert report.result["number"] == "echo ***"


def test_missing_field_is_a_debug_line(open_workspace, erp):
    erp.get("/orders/7").respond(json={"no": "A-7"})
    report = open_workspace(FULL).run_tool("acme", "getOrder")
    lines = [line for line in report.log if line.level == "debug"]
    assert any("not.there" in line.message for line in lines)


def test_failed_step_is_failed_and_later_ones_are_skipped(open_workspace, erp):
    erp.get("/orders/7").respond(404, json={"error": "no such order"})
    report = open_workspace(FULL).run_tool("acme", "getOrder")
    assert not report.ok
    assert (report.error.code, report.result) == ("TM504", None)
    assert statuses(report)["request"] == "failed"
    assert statuses(report)["mapping"] == statuses(report)["handler"] == "skipped"
    assert [step.name for step in report.steps] == [
        "validate", "placeholders", "preprocess", "request", "mapping", "postprocess", "handler",
    ]  # fmt: skip


def test_invalid_arguments_send_nothing(open_workspace, erp):
    report = open_workspace(FULL).run_tool("acme", "getOrder", {"id": 7, "idd": 1})
    assert report.error.code == "TM501"
    assert {detail.path for detail in report.error.details} == {"id", "idd"}
    assert report.http == ()
    assert not erp.calls


def test_row_holds_what_the_report_says(open_workspace, erp):
    erp.get("/orders/7").respond(json={"no": "A-7"})
    made = open_workspace(FULL)
    options = RunOptions(chat_id="c-1", user_id="u-1", assistant="desk", entry_type="chat")
    report = made.run_tool("acme", "getOrder", options=options)
    row = made.log.show(report.log_id).to_json()
    assert row["state"] == "ok"
    assert (row["chat_id"], row["user_id"], row["entry_type"]) == ("c-1", "u-1", "chat")
    assert row["http_status"] == 200
    assert row["request_url"] == "https://erp.example.com/v1/orders/7?lang=de"
    assert row["result"] == report.result


def test_nested_tools_have_rows_below_their_parent_and_share_the_report(open_workspace, erp):
    erp.get("/orders/7").respond(json={"no": "A-7"})
    nested = handler_tool("return ctx['tool']('getOrder', {'id': '7'})")
    made = open_workspace({**FULL, "nested.py": nested})
    report = made.run_tool("acme", "run")
    assert report.ok
    assert len(report.http) == 1
    assert {(line.tool, line.depth) for line in report.log} >= {("run", 0), ("getOrder", 1)}
    row = made.log.show(report.log_id).to_json()
    assert [child["tool_name"] for child in row["children"]] == ["getOrder"]
    assert row["http_status"] is None


def test_uncaught_error_of_a_nested_tool_keeps_its_code(open_workspace, erp):
    erp.get("/orders/7").respond(500, text="down")
    nested = handler_tool("return ctx['tool']('getOrder', {'id': '7'})")
    report = open_workspace({**FULL, "nested.py": nested}).run_tool("acme", "run")
    assert report.error.code == "TM504"
    assert statuses(report)["handler"] == "failed"


def test_nested_call_of_an_unknown_tool_is_tm502_with_the_nearest(open_workspace):
    nested = handler_tool("return ctx['tool']('getOrdr', {})")
    report = open_workspace({**FULL, "nested.py": nested}).run_tool("acme", "run")
    assert report.error.code == "TM502"
    assert "getOrder" in report.error.message


def test_nested_call_of_a_tool_that_the_scan_refuses_is_tm520(open_workspace):
    made = open_workspace(
        {
            "nested.py": handler_tool("return ctx['tool']('evil', {})"),
            "evil.yaml": "tools: {evil: {description: E., handler: 'evil.py:f'}}",
            "evil.py": "def f(results, args, ctx):\n    return open('/etc/hosts').read()\n",
        }
    )
    assert made.run_tool("acme", "run").error.code == "TM520"
    with pytest.raises(ConfigError) as raised:
        made.run_tool("acme", "evil")
    assert raised.value.code == "TM302"


def test_limit_of_nested_calls_counts_however_they_are_nested(open_workspace):
    made = open_workspace(
        {
            "deep.py": handler_tool(
                "if args['n'] == 0:\n    return {'deep': True}\n"
                "return ctx['tool']('run', {'n': args['n'] - 1})",
                "'max_nested_calls': 3",
            )
        }
    )
    assert made.run_tool("acme", "run", {"n": 3}).result == {"deep": True}
    report = made.run_tool("acme", "run", {"n": 4})
    assert report.error.code == "TM510"


def test_two_handlers_of_equal_names_do_not_share_a_limit(open_workspace):
    made = open_workspace({"a.py": handler_tool("return 1", "'max_nested_calls': 1")})
    assert all(made.run_tool("acme", "run").ok for _ in range(3))


@pytest.mark.parametrize("body", ["return {1, 2}", "return float('nan')", "return [object()]"])
def test_result_that_is_no_json_is_tm512(open_workspace, body):
    report = open_workspace({"a.py": handler_tool(body)}).run_tool("acme", "run")
    assert (report.error.code, report.result) == ("TM512", None)


@pytest.mark.parametrize("value", ["None", "'x'", "3", "True", "[]", "{}"])
def test_result_may_be_any_json(open_workspace, value):
    report = open_workspace({"a.py": handler_tool(f"return {value}")}).run_tool("acme", "run")
    assert report.ok
    assert repr(report.result) == value


def test_silent_handler_gets_one_line_that_says_how_to_log(open_workspace):
    code = """
        def f(results, args, ctx):
            return 1

        tools = {"s": {"description": "S.", "handler": f}}
    """
    report = open_workspace({"a.py": code}).run_tool("acme", "s")
    assert [line.level for line in report.log] == ["warning"]
    assert "logger" in report.log[0].message


@pytest.mark.parametrize("returned", ["None", "[1]", "{'_query': 'x=1'}"])
def test_preprocess_must_return_the_arguments(open_workspace, erp, returned):
    broken = f"def before(args, ctx):\n    return {returned}\n"
    made = open_workspace(
        {
            "erp.yaml": API,
            "t.yaml": """
                tools:
                  t: {description: T., api: erp, method: GET, path: /x, preprocess: "p.py:before"}
            """,
            "p.py": broken,
        }
    )
    report = made.run_tool("acme", "t")
    assert report.error.code == "TM512"
    assert "tenants/acme/p.py" in report.error.message
    assert statuses(report)["preprocess"] == "failed"
    assert not erp.calls


@pytest.mark.parametrize("fields", ["mapping: {a: {b: 'x..y'}}", "fail_when: 'items[?'"])
def test_path_that_does_not_parse_is_found_before_anything_is_sent(open_workspace, erp, fields):
    tools = f"""
        tools:
          t:
            description: T.
            api: erp
            method: POST
            path: /x
            {fields}
    """
    made = open_workspace({"erp.yaml": API, "t.yaml": tools})
    with pytest.raises(ConfigError) as raised:
        made.run_tool("acme", "t")
    assert (raised.value.code, str(raised.value.at)) == ("TM112", "tenants/acme/t.yaml:7:5")
    assert not erp.calls


def test_broken_handler_file_is_found_before_anything_is_sent(open_workspace, erp):
    made = open_workspace(
        {
            "erp.yaml": API,
            "t.yaml": """
                tools:
                  t: {description: T., api: erp, method: POST, path: /x, handler: "h.py:gone"}
            """,
            "h.py": "def there(results, args, ctx):\n    return 1\n",
        }
    )
    with pytest.raises(ConfigError) as raised:
        made.run_tool("acme", "t")
    assert raised.value.code == "TM117"
    assert not erp.calls


def test_dry_run_skips_mapping_and_gives_the_handler_the_stub(open_workspace, erp):
    made = open_workspace(
        {
            "erp.yaml": API,
            "t.yaml": """
                tools:
                  t:
                    description: T.
                    api: erp
                    method: POST
                    path: /x
                    fail_when: dry_run
                    mapping: {id: data.id}
                    postprocess: h.py:after
                    handler: h.py:finish
            """,
            "h.py": """
                def after(result, args, ctx):
                    return {"reached": True}


                def finish(results, args, ctx):
                    ctx["logger"].info("finish")
                    return {"was": results["method"]}
            """,
        }
    )
    report = made.run_tool("acme", "t", options=RunOptions(dry_run=True))
    assert report.result == {"was": "POST"}
    assert (statuses(report)["request"], statuses(report)["postprocess"]) == ("stubbed", "skipped")
    assert not erp.calls


def test_fail_when_holds_for_a_response_fixture_too(open_workspace):
    made = open_workspace(
        {
            "erp.yaml": API,
            "t.yaml": """
                tools:
                  t:
                    description: T.
                    api: erp
                    method: POST
                    path: /x
                    fail_when: error
                    response_fixture: {error: no stock}
            """,
        }
    )
    report = made.run_tool("acme", "t", options=RunOptions(dry_run=True))
    assert report.error.code == "TM504"
    assert "no stock" in report.error.message


def test_ctx_http_uses_the_apis_auth_and_is_in_the_report(open_workspace, erp):
    route = erp.post("/sums").respond(201, json={"id": 3})
    body = (
        "answer = ctx['http'].post('/sums', json={'n': 1})\n"
        "return {'status': answer.status, 'id': answer.json()['id']}"
    )
    tool = handler_tool(body, "'api': 'erp', 'method': 'GET', 'path': '/first'")
    erp.get("/first").respond(json={})
    report = open_workspace({"erp.yaml": API, "a.py": tool}).run_tool("acme", "run")
    assert report.result == {"status": 201, "id": 3}
    assert route.calls[0].request.headers["authorization"] == "Bearer tok-1234567890"
    assert [call.method for call in report.http] == ["GET", "POST"]


@pytest.mark.parametrize(
    ("options", "sent"),
    [("data={'a': 1}", b"a=1"), ("data='plain'", b"plain"), ("json=[1]", b"[1]"), ("", b"")],
)
def test_ctx_http_sends_forms_texts_and_json(open_workspace, erp, options, sent):
    route = erp.post("/x").respond(json={})
    body = f"ctx['http'].post('https://erp.example.com/v1/x', {options})\nreturn 1"
    made = open_workspace({"erp.yaml": API, "a.py": handler_tool(body)})
    assert made.run_tool("acme", "run").ok
    assert route.calls[0].request.content == sent


def test_ctx_http_refuses_other_hosts(open_workspace):
    body = "ctx['http'].get('https://elsewhere.example.net/x')\nreturn 1"
    report = open_workspace({"erp.yaml": API, "a.py": handler_tool(body)}).run_tool("acme", "run")
    assert report.error.code == "TM516"


def test_session_lasts_through_nested_runs_and_config_is_masked(open_workspace):
    made = open_workspace(
        {
            "erp.yaml": API,
            "a.py": handler_tool(
                "if args.get('inner'):\n"
                "    ctx['session']['seen'] = True\n    return 1\n"
                "ctx['tool']('run', {'inner': True})\n"
                "token = ctx['config']['apis']['erp']['auth']['token']\n"
                "return {'session': ctx['session'], 'token': token}"
            ),
        }
    )
    report = made.run_tool("acme", "run", options=RunOptions(session={"a": 1}))
    assert report.result["session"] == {"a": 1, "seen": True}
    assert "tok-1234567890" not in json.dumps(report.result)


def test_unset_variable_does_not_stop_a_look_at_the_config(open_workspace):
    tool = handler_tool(
        "return ctx['api_config']['auth']", "'api': 'erp', 'method': 'POST', 'path': '/x'"
    )
    made = open_workspace({"erp.yaml": API, "a.py": tool}, environ={})
    report = made.run_tool("acme", "run", options=RunOptions(dry_run=True))
    assert report.ok
    assert report.result["token"] == "${ERP_TOKEN}"


def test_missing_secret_is_told_and_nothing_is_sent(open_workspace, erp):
    report = open_workspace(FULL, environ={}).run_tool("acme", "getOrder")
    assert report.error.code == "TM503"
    assert "ERP_TOKEN" in report.error.message
    assert not erp.calls


@pytest.mark.parametrize(
    ("text", "level"), [("<PDF:pdf-1a2b>", "warning"), ("see <PDF_CONTENT_AVAILABLE>", "warning")]
)
def test_placeholder_without_its_pdf_stays_and_is_told(open_workspace, text, level):
    made = open_workspace({"a.py": handler_tool("return args")})
    report = made.run_tool("acme", "run", {"deep": [{"text": text}]})
    assert report.result == {"deep": [{"text": text}]}
    assert statuses(report)["placeholders"] == "ok"
    assert any(line.level == level and "PDF" in line.message for line in report.log)


class Pdfs:
    """One PDF in one chat."""

    def text(self, tenant, chat_id, key):
        return "Invoice 7 <PDF:k>" if (tenant, chat_id, key) == ("acme", "c-1", "k") else None

    def latest(self, tenant, chat_id):
        return "the last" if chat_id == "c-1" else None


def test_placeholders_are_filled_after_validation_and_only_once(open_workspace):
    made = open_workspace({"a.py": handler_tool("return args")}, pdfs=Pdfs())
    given = {"a": "<PDF:k>", "b": "<PDF_CONTENT_AVAILABLE>!"}
    report = made.run_tool("acme", "run", given, RunOptions(chat_id="c-1"))
    assert report.result == {"a": "Invoice 7 <PDF:k>", "b": "the last!"}
    assert report.args == given


def test_time_that_is_over_before_a_step_ends_the_run(open_workspace, erp):
    clock = StoppedClock()

    def late(_):
        clock.seconds = 500
        return httpx.Response(200, json={"no": "A"})

    erp.get("/orders/7").mock(side_effect=late)
    report = open_workspace(FULL, clock=clock).run_tool("acme", "getOrder")
    assert report.error.code == "TM505"
    assert "max_seconds" in report.error.message


# It sleeps and ends by itself some time after it was given up: a thread that never ends, or is
# busy, would slow all tests behind it.
WAITING = "for _ in range(50):\n    time.sleep(0.1)"


def test_function_that_does_not_end_is_reported_and_its_row_closed(open_workspace):
    made = open_workspace({"a.py": "import time\n\n" + handler_tool(WAITING, "'max_seconds': 1")})
    report = made.run_tool("acme", "run")
    assert report.error.code == "TM505"
    assert statuses(report)["handler"] == "failed"
    assert made.log.show(report.log_id).to_json()["state"] == "failed"


def test_nested_run_is_closed_too_when_its_parent_is_given_up(open_workspace):
    made = open_workspace(
        {
            "a.py": handler_tool("return ctx['tool']('busy', {})", "'max_seconds': 1"),
            "b.py": "import time\n\n" + handler_tool(WAITING).replace("'run'", "'busy'"),
        }
    )
    report = made.run_tool("acme", "run")
    row = made.log.show(report.log_id).to_json()
    assert row["state"] == "failed"
    assert [child["state"] for child in row["children"]] == ["failed"]


def test_workspace_runs_on_many_threads_at_once(open_workspace, erp):
    erp.get("/orders/7").respond(json={"no": "A-7"})
    made = open_workspace(FULL)
    reports = []
    threads = [
        threading.Thread(target=lambda: reports.append(made.run_tool("acme", "getOrder")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report.ok for report in reports] == [True] * 8
    assert len({report.log_id for report in reports}) == 8


def test_what_the_mapping_missed_is_told_where_a_function_stumbles_over_it(open_workspace, erp):
    erp.get("/x").respond(json={"items": [{"price": 3}]})
    body = "def run(results, args, ctx):\n    return {'twice': results['cheapest'] + 1}\n"
    made = open_workspace(
        {
            "erp.yaml": API,
            "a.py": body,
            "t.yaml": "tools: {t: {description: T., api: erp, method: GET, path: /x, "
            "mapping: {cheapest: items.0.pryce}, handler: 'a.py:run'}}",
        }
    )
    error = made.run_tool("acme", "t").error
    assert error.code == "TM509"
    assert "mapping: cheapest is null, items.0.pryce finds nothing" in error.hint
    assert "did you mean 'price'?" in error.hint


def test_ctrl_c_leaves_a_row_that_says_killed(open_workspace, erp):
    made = open_workspace(
        {
            "erp.yaml": API,
            "t.yaml": "tools: {t: {description: T., api: erp, method: GET, path: /x}}",
        }
    )

    def interrupted(_):
        raise KeyboardInterrupt

    erp.get("/x").mock(side_effect=interrupted)
    with pytest.raises(KeyboardInterrupt):
        made.run_tool("acme", "t")
    row = made.log.show(1).to_json()
    assert (row["state"], row["error"]["code"]) == ("killed", "TM521")
    assert row["error"]["message"] == "the run was stopped by Ctrl-C"


def test_ctrl_c_in_a_run_with_functions_is_no_timeout(open_workspace, erp):
    made = open_workspace(
        {
            "erp.yaml": API,
            "a.py": "def run(results, args, ctx):\n    return {}\n",
            "t.yaml": "tools: {t: {description: T., api: erp, method: GET, path: /x, "
            "handler: 'a.py:run'}}",
        }
    )
    was_told = threading.Event()

    def interrupting(_):
        signal.raise_signal(signal.SIGINT)  # in the run's thread; the one that waits gets it
        was_told.wait(60)
        return httpx.Response(200, json={})

    erp.get("/x").mock(side_effect=interrupting)
    try:
        with pytest.raises(KeyboardInterrupt):
            made.run_tool("acme", "t")
    finally:
        was_told.set()
    row = made.log.show(1).to_json()
    assert (row["state"], row["error"]["code"]) == ("killed", "TM521")
    assert row["error"]["message"] == "the run was stopped by Ctrl-C"


def test_record_then_replay_needs_no_server_and_no_secret(open_workspace, erp):
    route = erp.get("/orders/7").respond(json={"no": "A-7"})
    made = open_workspace(FULL)
    assert made.run_tool("acme", "getOrder", options=RunOptions(mode="record")).mode == "record"
    bare = open_workspace({}, environ={})
    report = bare.run_tool("acme", "getOrder", options=RunOptions(mode="replay"))
    assert (report.mode, report.result["number"]) == ("replay", "A-7")
    assert route.call_count == 1


def test_arguments_that_were_never_recorded_are_told_with_those_that_were(open_workspace, erp):
    erp.get("/orders/7").respond(json={"no": "A-7"})
    made = open_workspace(FULL)
    made.run_tool("acme", "getOrder", options=RunOptions(mode="record"))
    error = made.run_tool("acme", "getOrder", {"id": "8"}, RunOptions(mode="replay")).error
    own = made.tool("acme", "getOrder").args_fixture
    assert error.code == "TM513"
    assert "tenants/acme/cassettes/getOrder/args-" in error.message
    assert "the nearest, in default.yaml, is GET" in error.message
    recorded, record = error.hint.split("\n")
    assert recorded == f"recorded: tm test-tool getOrder -t acme, with {json.dumps(own)}"
    assert record.endswith("""tm test-tool getOrder -t acme --args '{"id": "8"}' --record""")


def test_settings_can_make_replay_the_default_and_are_checked(open_workspace):
    made = open_workspace({"a.py": handler_tool("return 1"), "s.yaml": "settings: {http: replay}"})
    assert made.run_tool("acme", "run").mode == "replay"
    assert made.run_tool("acme", "run", options=RunOptions(mode="live")).mode == "live"
    made = open_workspace({"s.yaml": "settings: {http: sometimes}"})
    with pytest.raises(UsageError, match="sometimes"):
        made.run_tool("acme", "run")


def test_unknown_api_is_tm515_before_anything_runs(open_workspace):
    made = open_workspace(
        {
            "erp.yaml": API,
            "t.yaml": "tools: {t: {description: T., api: epr, method: GET, path: /x}}",
        }
    )
    with pytest.raises(ToolError) as raised:
        made.run_tool("acme", "t")
    assert raised.value.code == "TM515"
    assert "erp" in str(raised.value)


def test_import_tm_gives_the_public_names():
    import tm

    assert tm.Workspace is Workspace
    assert tm.ToolError is ToolError
    with pytest.raises(AttributeError):
        _ = tm.Nothing


CONSTANTS = {
    "erp.yaml": API,
    "save.yaml": """
        tools:
          save:
            description: Saves.
            api: erp
            method: POST
            path: /save
            query: {shop: {value: "s ${SHOP_NO}"}}
            body: {key: {value: ["${ERP_TOKEN}", "${GONE_KEY}"]}}
    """,
}


def test_stubbed_write_needs_no_variable_of_constants(open_workspace):
    ws = open_workspace(CONSTANTS, environ={})
    report = ws.run_tool("acme", "save", {}, RunOptions(dry_run=True))
    assert report.result["url"] == "https://erp.example.com/v1/save?shop=s%20***"
    assert report.result["body"] == {"key": ["***", "***"]}


def test_sent_write_names_the_missing_variable_of_a_constant(open_workspace, erp):
    ws = open_workspace(CONSTANTS)
    report = ws.run_tool("acme", "save", {})
    assert (report.error.code, "SHOP_NO" in report.error.message) == ("TM503", True)
    assert not erp.calls


def test_what_was_recorded_with_variables_is_replayed_without(open_workspace, erp):
    erp.post("/save").mock(return_value=httpx.Response(200, json={"ok": True}))
    full = {**ENVIRON, "SHOP_NO": "4711", "GONE_KEY": "nw key/9 9"}
    recorder = open_workspace(CONSTANTS, environ=full)
    assert recorder.run_tool("acme", "save", {}, RunOptions(mode="record")).ok
    player = Workspace(recorder.root, environ={})
    report = player.run_tool("acme", "save", {}, RunOptions(mode="replay"))
    player.close()
    assert report.result == {"ok": True}


def test_what_a_function_prints_is_no_line_of_the_log(open_workspace, capsys):
    text = "10:00:00.000 error   pay  forged\\n\\x1b[2J\\u2028"
    files = {"erp.yaml": API, "run.py": handler_tool(f"print('{text}')\nreturn 1")}
    assert open_workspace(files).run_tool("acme", "run", {}).ok
    assert capsys.readouterr().err == "| 10:00:00.000 error   pay  forged\n| \\x1b[2J\\u2028\n"


def test_what_a_function_prints_is_masked(open_workspace, capsys):
    files = {"erp.yaml": API, "run.py": handler_tool("print('key', args['k'])\nreturn 1")}
    ws = open_workspace(files)
    assert ws.run_tool("acme", "run", {"k": "tok-1234567890"}).ok
    assert capsys.readouterr().err == "| key ***\n"


PAGED = {
    "erp.yaml": API,
    "list.yaml": """
        tools:
          list:
            description: Lists.
            api: erp
            method: POST
            path: /list
            pagination: {type: page, param: page, items: rows}
            fail_when: error
            mapping: {ids: "*.id"}
            response_fixture: {rows: [{id: 1}, {id: 2}]}
    """,
}


def test_fixture_of_a_paged_write_is_its_only_page(open_workspace):
    report = open_workspace(PAGED).run_tool("acme", "list", {}, RunOptions(dry_run=True))
    assert report.result == {"ids": [1, 2]}


def test_every_page_may_say_that_the_call_failed(open_workspace, erp):
    pages = [{"rows": [{"id": 1}]}, {"rows": [], "error": "quota"}]
    erp.post("/list").mock(side_effect=[httpx.Response(200, json=page) for page in pages])
    report = open_workspace(PAGED).run_tool("acme", "list", {})
    assert (report.error.code, "quota" in report.error.message) == ("TM504", True)


def test_function_of_a_shared_tool_calls_the_shared_api_by_its_url(workspace, tmp_path, erp):
    erp.get("/full").mock(return_value=httpx.Response(200, json={"ok": True}))
    call = "return ctx['http'].get('https://erp.example.com/v1/full').json()"
    files = {
        "_shared/api.yaml": API,
        "_shared/run.py": handler_tool(call),
        "acme/x.yaml": "tools: {}",
    }
    root = workspace({f"tenants/{path}": text for path, text in files.items()})
    with Workspace(root, environ=ENVIRON, cache_dir=tmp_path / "cache") as ws:
        assert ws.run_tool("acme", "run", {}).result == {"ok": True}
    headers = erp.calls.last.request.headers
    assert headers["authorization"] == "Bearer tok-1234567890"


class Witness:
    """Stands for the end of the process."""

    def __init__(self):
        self.calls = []

    def arm(self, seconds):
        self.calls.append(round(seconds))

    def disarm(self):
        self.calls.append("disarmed")


def test_last_resort_is_armed_only_while_a_function_runs(open_workspace, erp):
    witness = Witness()
    erp.get("/x").respond(json={})
    api_only = "tools: {t: {description: T., api: erp, method: GET, path: /x}}"
    made = open_workspace(
        {"a.py": handler_tool("return 1"), "erp.yaml": API, "t.yaml": api_only},
        last_resort=witness,
    )
    made.run_tool("acme", "run")
    assert witness.calls == [125, "disarmed"]
    made.run_tool("acme", "t")
    assert len(witness.calls) == 2
