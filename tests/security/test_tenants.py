"""One tenant never reaches another: the cases of the security material, each run or explained."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import respx

from tests.conftest import ROOT, write_tree
from tm.config.discover import find_root, is_tenant_code, tenant_codes
from tm.errors import TmError
from tm.runner.events import Report
from tm.runner.scope import RunOptions
from tm.runner.workspace import Workspace
from tm.scan import scan_source

CASES: Final = json.loads((ROOT / "tests/data/security/tenants.json").read_text("utf-8"))
CODES: Final = [case for case in CASES if case["area"] == "tenant code"]

DIFFERENCES: Final = {
    "T017": "the shared folder is _shared (SPEC 2), which is no code; `shared` is one like others",
    "T027": "tenants/ that is a link is refused; a root that is a link is the operator's choice",
    "T031": "a folder Acme is no tenant (SPEC 2), so nothing collides; `tm lint` has a note",
    "T055": "SPEC 12 makes the config tools ordinary ones, so code may call them; what decides is "
    "whether the user of the run is listed in settings.config_writers",
    "T069": "nothing extends another tenant's tool, so its fixtures can't come along either",
}
"""Cases that end in another way than they say, or for another reason."""

SHARED_TOOLS = """
tools:
  hello: {description: Says hello., handler: "hello.py:hello", args_fixture: {}}
  one: {extends: two}
  two: {extends: one}
apis:
  erp: {base_url: "https://erp.example", headers: {X-Key: "${ERP_KEY}"}}
"""
HELLO = """
def hello(results, args, ctx):
    ctx["logger"].info("hello")
    return {"from": "SHARED"}
"""


@pytest.fixture
def root(workspace: Callable[..., Path]) -> Path:
    return workspace(
        {
            "tenants/_shared/tools.yaml": SHARED_TOOLS,
            "tenants/_shared/hello.py": HELLO,
            "tenants/acme/settings.yaml": "settings: {vars: {a: b}}\n",
            "tenants/globex/tools.yaml": (
                "tools:\n  getOrder: {description: O., handler: 'order.py:order', "
                "args_fixture: {id: GLOBEX}}\n"
            ),
            "tenants/globex/order.py": HELLO.replace("hello", "order").replace("SHARED", "GLOBEX"),
            "tenants/globex/files/x": "GLOBEX",
        }
    )


def run(root: Path, name: str, args: Mapping[str, Any] | None = None, **options: Any) -> Report:
    with Workspace(root, environ={"ERP_KEY": "s3cret-key"}) as workspace:
        return workspace.run_tool("acme", name, args, RunOptions(**options))


def code_of(root: Path, name: str = "t", **options: Any) -> str:
    """Return the code with which a tool of acme fails, or `ok`."""
    try:
        report = run(root, name, **options)
    except TmError as error:
        return error.code
    assert "GLOBEX" not in json.dumps(report.to_json())
    return report.error.code if report.error else "ok"


def tool(root: Path, fields: str, code: str = "") -> Path:
    """Give acme a tool `t`."""
    files = {"tenants/acme/t.yaml": f"tools:\n  t: {fields}\n"}
    return write_tree(root, {**files, "tenants/acme/t.py": code} if code else files)


def handler(root: Path, body: str) -> Path:
    """Give acme a tool `t` whose handler has this body."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    start = 'def t(results, args, ctx):\n    ctx["logger"].info("t")\n'
    return tool(root, "{description: T., handler: 't.py:t'}", start + lines)


def test_every_case_has_a_test_or_stands_in_the_table_of_differences() -> None:
    text = Path(__file__).read_text("utf-8")
    tested = {case["id"] for case in CASES if f"# {case['id']}" in text} | {c["id"] for c in CODES}
    assert {case["id"] for case in CASES} - tested - DIFFERENCES.keys() == set()


@pytest.mark.parametrize("case", CODES, ids=[case["id"] for case in CODES])
def test_only_plain_codes_are_tenants(case: dict[str, Any]) -> None:
    is_allowed = case["expect"] == "allow" or case["id"] == "T017"
    assert is_tenant_code(case["case"]) is is_allowed


def test_links_are_no_tenants_and_a_linked_tenants_folder_is_no_root(root, tmp_path) -> None:
    (root / "tenants/linked").symlink_to(root / "tenants/globex")
    assert tenant_codes(root) == ["acme", "globex"]  # T025
    (tmp_path / "second").mkdir()
    (tmp_path / "second/tenants").symlink_to(root / "tenants")
    with pytest.raises(TmError):
        find_root(tmp_path / "second", option=str(tmp_path / "second"), environ={})


def test_linked_config_is_not_read(root) -> None:  # T029
    (root / "tenants/acme/x.yaml").symlink_to("../globex/tools.yaml")
    (root / "tenants/acme/linked").symlink_to("../globex")
    assert code_of(root, "getOrder") == "TM502"


def test_backups_are_never_loaded(root) -> None:  # T033
    write_tree(root, {"tenants/acme/_backups/x/old.yaml": "tools: {old: {handler: 'a.py:a'}}\n"})
    assert code_of(root, "old") == "TM502"


def test_a_file_beside_a_handler_does_not_replace_a_module(root) -> None:  # T035
    write_tree(root, {"tenants/acme/json.py": "def dumps(value):\n    return 'PLANTED'\n"})
    code = "import json\n\n\ndef t(results, args, ctx):\n    return {'is': json.dumps(1)}\n"
    tool(root, "{description: T., handler: 't.py:t'}", code)
    assert run(root, "t").result == {"is": "1"}


@pytest.mark.parametrize(
    "base",
    [
        "globex/getOrder",  # T037
        "getOrder",
        "/tenants/globex/tools.yaml",  # T039
        "../globex/tools.yaml",
        "one",  # T041
        "[hello, one]",  # T043
        "constructor",  # T049
        "__proto__",
        "__class__",
    ],
)
def test_only_shared_tools_are_extended(root, base) -> None:
    tool(root, f"{{extends: {base}}}")
    assert code_of(root) == "TM111"


def test_a_circle_is_named_as_a_whole(root) -> None:
    tool(root, "{extends: one}")
    with pytest.raises(TmError, match="one -> two -> one"):
        run(root, "t")


def test_a_shared_tool_may_get_a_handler_of_the_tenant(root) -> None:  # T045
    code = "def t(results, args, ctx):\n    return {'from': 'acme'}\n"
    tool(root, "{extends: hello, handler: 't.py:t'}", code)
    assert run(root, "t").result == {"from": "acme"}


def test_mapping_sees_the_answer_and_never_the_request(root) -> None:  # T047
    tool(
        root,
        "{description: T., api: erp, method: POST, path: /x, response_fixture: {a: 1}, "
        "mapping: {b: '$headers', c: 'request.headers', d: '@'}}",
    )
    write_tree(root, {"tenants/acme/api.yaml": SHARED_TOOLS[SHARED_TOOLS.index("apis") :]})
    report = run(root, "t", dry_run=True)
    assert report.ok
    assert "s3cret" not in json.dumps(report.to_json())
    tool(root, "{description: T., api: erp, method: GET, path: /x, mapping: {a: '$request'}}")
    assert code_of(root) == "TM112"


def test_code_calls_no_tool_of_another_tenant(root) -> None:  # T051
    assert code_of(handler(root, 'return ctx["tool"]("getOrder", {})')) == "TM502"
    assert code_of(handler(root, 'return ctx["tool"]("globex/getOrder", {})')) == "TM502"


def test_code_reads_no_file_of_another_tenant(root) -> None:  # T053
    path = "../../globex/files/x"
    assert (
        code_of(handler(root, f'return ctx["tool"]("readFile", {{"path": "{path}"}})')) == "TM518"
    )


WRITE = 'return ctx["tool"]("writeTenantConfig", {{"path": "{}", "content": {!r}}})'


def test_code_writes_config_only_for_a_listed_user(root) -> None:
    handler(root, WRITE.format("new.yaml", "tools: {n: {description: N., handler: 't.py:t'}}\n"))
    assert code_of(root) == "TM517"
    assert code_of(root, user_id="eve") == "TM517"
    write_tree(root, {"tenants/acme/settings.yaml": "settings: {config_writers: [ada]}\n"})
    assert code_of(root, user_id="ada") == "ok"
    assert (root / "tenants/acme/new.yaml").exists()


@pytest.mark.parametrize(
    ("path", "content", "code"),
    [
        ("files/x.py", "", "TM518"),  # T057
        ("t2.yaml", "tools: {n: {handler: '../globex/order.py:order'}}\n", "TM520"),  # T059
        ("../globex/t2.yaml", "tools: {}\n", "TM518"),
        ("../_shared/t2.yaml", "tools: {}\n", "TM518"),
        ("t2.yaml", "tools: {n: {extends: getOrder}}\n", "TM520"),
    ],
)
def test_config_for_another_tenant_is_refused(root, path, content, code) -> None:
    write_tree(root, {"tenants/acme/settings.yaml": "settings: {config_writers: [ada]}\n"})
    assert code_of(handler(root, WRITE.format(path, content)), user_id="ada") == code


def test_what_is_swapped_after_the_scan_does_not_run(root, monkeypatch) -> None:  # T061
    handler(root, 'return {"is": "scanned"}')
    source = root / "tenants/acme/t.py"

    def scan_then_swap(data: bytes, path: str, *, depth: int) -> Any:
        found = scan_source(data, path, depth=depth)
        source.write_text("def t(results, args, ctx):\n    return {'is': 'PLANTED'}\n")
        return found

    monkeypatch.setattr(
        "tm.runner.sources.SourceFiles.__init__.__kwdefaults__", {"scan": scan_then_swap}
    )
    assert run(root, "t").result == {"is": "scanned"}


def test_two_chains_count_together(root) -> None:  # T063
    call = 'ctx["tool"]("hello", {})\n'
    handler(root, call * 6 + 'return {"n": 6}')
    assert code_of(root) == "ok"
    assert code_of(handler(root, call * 11 + "return {}")) == "TM510"


def test_ctx_does_not_travel_in_a_result(root) -> None:  # T065
    for value in ("ctx", 'ctx["tool"]', 'ctx["http"]'):
        assert code_of(handler(root, f'return {{"a": {value}}}')) == "TM512"
    assert code_of(handler(root, 'return ctx["tool"]("hello", {"a": ctx["logger"]})')) == "TM512"


def test_cookies_of_one_tenant_are_not_sent_for_another(root) -> None:  # T067
    fields = "{description: T., api: erp, method: GET, path: /x, args_fixture: {}}"
    config = f"tools: {{c: {fields}}}\n{SHARED_TOOLS[SHARED_TOOLS.index('apis') :]}"
    write_tree(root, {f"tenants/{code}/c.yaml": config for code in ("acme", "globex")})
    with respx.mock as router, Workspace(root, environ={"ERP_KEY": "s3cret-key"}) as workspace:
        router.get("https://erp.example/x").respond(json={}, headers={"Set-Cookie": "id=ACME"})
        for code in ("acme", "globex", "acme"):
            assert workspace.run_tool(code, "c").ok
        assert all("cookie" not in call.request.headers for call in router.calls)


class ChatPdfs:
    """PDFs of one chat of one tenant; the second's text looks like a placeholder."""

    TEXTS: Final = {("acme", "c1", "pdf-1"): "text", ("acme", "c1", "pdf-2"): "<PDF:pdf-1>"}

    def text(self, tenant: str, chat_id: str | None, key: str) -> str | None:
        return self.TEXTS.get((tenant, chat_id or "", key))

    def latest(self, tenant: str, chat_id: str | None) -> str | None:
        return None


@pytest.mark.parametrize(
    ("tenant", "chat", "key", "expected"),
    [
        ("acme", "c1", "pdf-1", "text"),
        ("acme", "c2", "pdf-1", "<PDF:pdf-1>"),  # T071
        ("globex", "c1", "pdf-1", "<PDF:pdf-1>"),
        ("acme", "c1", "pdf-2", "<PDF:pdf-1>"),  # T073
    ],
)
def test_pdfs_are_found_by_tenant_chat_and_key(root, tenant, chat, key, expected) -> None:
    fields = (
        "{description: T., parameters: {type: object, properties: {a: {type: string, "
        "description: A.}}}, handler: 't.py:t'}"
    )
    code = 'def t(results, args, ctx):\n    return {"a": args["a"]}\n'
    for home in ("acme", "globex"):
        files = {"t.yaml": f"tools: {{t: {fields}}}\n", "t.py": code}
        write_tree(root, {f"tenants/{home}/{name}": text for name, text in files.items()})
    with Workspace(root, environ={}, pdfs=ChatPdfs()) as workspace:
        args = {"a": f"<PDF:{key}>"}
        assert workspace.run_tool(tenant, "t", args, RunOptions(chat_id=chat)).result == {
            "a": expected
        }


def test_an_argument_is_no_address(root) -> None:  # T075
    write_tree(root, {"tenants/acme/api.yaml": "apis: {x: {base_url: '{host}'}}\n"})
    tool(
        root,
        "{description: T., parameters: {type: object, properties: {host: {type: string, "
        "description: H.}}}, api: x, method: GET, path: /x, args_fixture: {host: 'https://evil'}}",
    )
    with respx.mock(assert_all_called=False) as router:
        assert code_of(root) != "ok"
        assert not router.calls


def test_files_of_equal_names_are_modules_of_their_own(root) -> None:
    code = 'SEEN = []\n\n\ndef t(results, args, ctx):\n    SEEN.append("{0}")\n    return SEEN\n'
    for home in ("acme", "globex"):
        files = {"t.yaml": "tools: {m: {description: M., handler: 'mod.py:t'}}\n"}
        files["mod.py"] = code.replace("{0}", home)
        write_tree(root, {f"tenants/{home}/m/{name}": text for name, text in files.items()})
    with Workspace(root, environ={}) as workspace:
        for home in ("acme", "globex", "acme"):
            assert set(workspace.run_tool(home, "m").result) == {home}


def test_a_shared_file_keeps_no_state_between_tenants(root) -> None:
    body = "    SEEN.append(ctx['tenant'])\n    return SEEN\n"
    code = f"SEEN = []\n\n\ndef s(results, args, ctx):\n{body}"
    files = {"s.yaml": "tools: {s: {description: S., handler: 's.py:s'}}\n", "s.py": code}
    write_tree(root, {f"tenants/_shared/{name}": text for name, text in files.items()})
    with Workspace(root, environ={}) as workspace:
        for home in ("acme", "globex", "acme"):
            assert set(workspace.run_tool(home, "s").result) == {home}


def test_cassettes_are_below_the_tenant_that_recorded_them(root) -> None:
    fields = "{description: T., api: erp, method: GET, path: /x, args_fixture: {}}"
    config = f"tools: {{c: {fields}}}\n{SHARED_TOOLS[SHARED_TOOLS.index('apis') :]}"
    write_tree(root, {f"tenants/{code}/c.yaml": config for code in ("acme", "globex")})
    with respx.mock as router, Workspace(root, environ={"ERP_KEY": "s3cret-key"}) as workspace:
        router.get("https://erp.example/x").respond(json={"of": "acme"})
        assert workspace.run_tool("acme", "c", options=RunOptions(mode="record")).ok
        other = workspace.run_tool("globex", "c", options=RunOptions(mode="replay"))
    assert other.error is not None
    assert other.error.code == "TM513"
    (root / "tenants/globex/cassettes").symlink_to("../acme/cassettes")
    with Workspace(root, environ={"ERP_KEY": "s3cret-key"}) as workspace:
        linked = workspace.run_tool("globex", "c", options=RunOptions(mode="replay"))
    assert not linked.ok


def test_knowledge_of_another_tenant_is_not_searched(root) -> None:
    write_tree(root, {"tenants/globex/knowledge/a.md": "# Tea\n\nGLOBEX sells tea.\n"})
    assert run(root, "getKnowledge", {"query": "tea"}).result == {"hits": []}
    (root / "tenants/acme/knowledge").symlink_to("../globex/knowledge")
    report = run(root, "getKnowledge", {"query": "tea"})
    assert "GLOBEX" not in json.dumps(report.result)
