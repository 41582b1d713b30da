"""The catalog answers from the files as they are, and one broken file hides nothing else."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tm.config import Catalog
from tm.errors import ConfigError, ToolError, UsageError

ERP = 'apis:\n  erp: {base_url: "https://erp.example.com"}\n'
GET = "    description: d\n    api: erp\n    method: GET\n    path: /x\n"


@pytest.fixture
def catalog(workspace):
    def build(files, **options) -> Catalog:
        return Catalog(workspace(files), environ={}, **options)

    return build


def tool(name: str) -> str:
    return f"tools:\n  {name}:\n{GET}"


def config_fault(catalog: Catalog, name: str, code: str = "acme") -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        catalog.find_tool(code, name)
    return caught.value


def test_finds_a_tool_and_its_api(catalog):
    c = catalog({"tenants/acme/apis.yaml": ERP, "tenants/acme/deep/er/x.yml": tool("getX")})
    found = c.find_tool("acme", "getX")
    assert (found.tenant, found.home, str(found.at)) == (
        "acme",
        "acme",
        "tenants/acme/deep/er/x.yml:2:3",
    )
    assert c.api_for(found).base_url == "https://erp.example.com"
    assert str(found.fields["path"].at) == "tenants/acme/deep/er/x.yml:6:5"


def test_only_files_that_may_hold_the_name_are_parsed(catalog, monkeypatch):
    from tm.config import home

    files = {f"tenants/acme/t{i}.yaml": tool(f"tool{i}") for i in range(50)}
    c = catalog(files | {"tenants/acme/esc.yaml": 'tools:\n  "\\x67etY": {handler: "f.py:g"}\n'})
    parsed = []
    read = home.read_source
    monkeypatch.setattr(
        home, "read_source", lambda data, path: parsed.append(path) or read(data, path)
    )
    c.find_tool("acme", "tool7")
    assert sorted(parsed) == ["tenants/acme/esc.yaml", "tenants/acme/t7.yaml"]
    assert c.find_tool("acme", "getY").name == "getY"


def test_unknown_tool_names_the_nearest_of_tenant_and_shared(catalog):
    c = catalog(
        {
            "tenants/acme/x.yaml": tool("getInvoice"),
            "tenants/_shared/y.yaml": tool("getInvoices"),
            "tenants/nord/z.yaml": tool("getInvoic"),
        }
    )
    with pytest.raises(UsageError) as caught:
        c.find_tool("acme", "getInvoce")
    assert caught.value.code == "TM502"
    assert "'getInvoice'" in caught.value.message
    assert "'getInvoices'" in caught.value.message
    assert "'getInvoic'" not in caught.value.message


def test_unknown_tool_points_to_a_broken_file_that_may_have_it(catalog):
    c = catalog({"tenants/acme/x.yaml": "tools: {\n", "tenants/acme/y.yaml": tool("getY")})
    with pytest.raises(UsageError) as caught:
        c.find_tool("acme", "getX")
    assert caught.value.code == "TM502"
    assert "tenants/acme/x.yaml:" in caught.value.hint


@pytest.mark.parametrize("name", ["", "nord/getX", "../nord/getX", "__class__", "tools", "\ud800"])
def test_odd_names_are_unknown_tools(catalog, name):
    c = catalog({"tenants/acme/x.yaml": tool("getY"), "tenants/nord/x.yaml": tool("getX")})
    with pytest.raises(UsageError):
        c.find_tool("acme", name)


def test_unknown_tenant_is_a_usage_error(catalog):
    c = catalog({"tenants/acme/x.yaml": tool("getX")})
    for ask in (
        c.tenant,
        c.settings,
        c.apis,
        c.secrets,
        c.merged_config,
        c.tool_names,
        lambda code: c.find_tool(code, "getX"),
    ):
        for code in ("acm", "_shared", "../acme", "ACME"):
            with pytest.raises(UsageError):
                ask(code)


def test_tenants_tool_hides_the_shared_one(catalog):
    c = catalog(
        {
            "tenants/acme/x.yaml": tool("getX"),
            "tenants/_shared/x.yaml": tool("getX"),
            "tenants/nord/y.yaml": ERP,
        }
    )
    assert c.find_tool("acme", "getX").home == "acme"
    assert c.find_tool("nord", "getX").home == "_shared"
    assert "getX" not in c.tenant("acme").shared
    assert "getX" in c.tenant("nord").shared


def test_broken_file_hides_nothing_else(catalog):
    c = catalog(
        {
            "tenants/acme/good.yaml": tool("good"),
            "tenants/acme/tab.yaml": "tools:\n  broken:\n\tx: 1\n",
            "tenants/acme/code.py": (
                'def f(results, args, ctx)\n    return {}\n\ntools = {"coupon": {"handler": f}}\n'
            ),
            "tenants/acme/bad.py": "import os\ntools = {'evil': {'description': 'd'}}\n",
            "tenants/acme/list.yaml": "- just\n- a list\n",
            "tenants/acme/latin.yaml": b"tools:\n  umlaut: {description: \xfc}\n",
        }
    )
    assert c.find_tool("acme", "good")
    assert config_fault(c, "broken").code == "TM001"
    assert str(config_fault(c, "broken").at) == "tenants/acme/tab.yaml:3:1"
    assert config_fault(c, "coupon").at.path == "tenants/acme/code.py"
    assert config_fault(c, "evil").code == "TM306"
    assert config_fault(c, "umlaut").code == "TM004"
    tenant = c.tenant("acme")
    assert list(tenant.tools) == ["good"]
    missing = {name for problem in tenant.problems for name in problem.tools}
    assert missing >= {"broken", "evil", "umlaut"}
    assert len(tenant.problems) == 5


def test_unreadable_file_is_a_problem_of_its_own(catalog, monkeypatch):
    c = catalog(
        {"tenants/acme/good.yaml": tool("good"), "tenants/acme/locked.yaml": tool("locked")}
    )
    real = os.open

    def refuse(path, *args, **kwargs):
        if str(path).endswith("locked.yaml"):
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    assert c.find_tool("acme", "good")
    with pytest.raises(UsageError):
        c.find_tool("acme", "locked")
    assert [p.error.code for p in c.tenant("acme").problems] == ["TM902"]


def test_same_name_in_two_files_names_both_places(catalog):
    c = catalog(
        {
            "tenants/acme/a.yaml": tool("getX"),
            "tenants/acme/b/c.yaml": tool("getX"),
            "tenants/acme/d.yaml": tool("getY"),
        }
    )
    error = config_fault(c, "getX")
    assert error.code == "TM006"
    assert "tenants/acme/a.yaml:2:3" in error.message
    assert "tenants/acme/b/c.yaml:2:3" in error.message
    assert str(error.at) == "tenants/acme/b/c.yaml:2:3"
    assert c.find_tool("acme", "getY")
    tenant = c.tenant("acme")
    assert list(tenant.tools) == ["getY"]
    assert tenant.problems[0].tools == ("getX",)


def test_same_api_assistant_or_task_in_two_files(catalog):
    text = ERP + "settings: {vars: {a: 1}}\nscheduled: {daily: {cron: x}}\nassistants: {desk: {}}\n"
    c = catalog(
        {
            "tenants/acme/a.yaml": text,
            "tenants/acme/b.yaml": text,
            "tenants/acme/t.yaml": tool("getX"),
            "tenants/acme/s.yaml": "settings: {http: replay}\n",
        }
    )
    tenant = c.tenant("acme")
    assert [p.error.code for p in tenant.problems] == ["TM006"] * 3
    assert (tenant.apis, tenant.assistants, tenant.scheduled) == ({}, {}, {})
    assert tenant.settings == {"vars": {"a": 1}, "http": "replay"}
    with pytest.raises(ConfigError, match="api 'erp'"):
        c.api_for(c.find_tool("acme", "getX"))


def test_settings_merge_key_by_key(catalog):
    c = catalog(
        {
            "tenants/acme/a.yaml": "settings: {http: replay}\n",
            "tenants/acme/b.yaml": "settings: {vars: {x: 1}}\n",
        }
    )
    assert c.settings("acme") == {"http": "replay", "vars": {"x": 1}}


def test_settings_of_two_files_fill_the_same_mapping(catalog):
    c = catalog(
        {
            "tenants/acme/a.yaml": "settings: {vars: {shop: Acme, city: Kiel}, http: live}\n",
            "tenants/acme/b.py": "settings = {'vars': {'owner': 'Ada'}, 'http': 'live'}\n",
        }
    )
    merged = {"vars": {"shop": "Acme", "city": "Kiel", "owner": "Ada"}, "http": "live"}
    assert c.settings("acme") == c.merged_config("acme")["settings"] == merged
    assert c.tenant("acme").problems == ()


@pytest.mark.parametrize(("one", "other"), [("Kiel", "Husum"), ("1", "true"), ("{}", "[]")])
def test_settings_that_contradict_each_other_count_in_neither_file(catalog, one, other):
    c = catalog(
        {
            "tenants/acme/a.yaml": f"settings:\n  vars:\n    x: 1\n    city: {one}\n",
            "tenants/acme/b.yaml": f"settings:\n  vars:\n    city: {other}\n",
        }
    )
    tenant = c.tenant("acme")
    assert tenant.settings == {"vars": {"x": 1}}
    assert [str(p.error.at) for p in tenant.problems] == ["tenants/acme/b.yaml:3:5"]
    assert "'vars.city'" in tenant.problems[0].error.message
    assert "tenants/acme/a.yaml:4:5" in tenant.problems[0].error.message


def test_sections_that_are_no_mapping_are_problems_and_empty_ones_are_not(catalog):
    c = catalog({"tenants/acme/a.yaml": "tools: []\nsettings:\napis: 5\n"})
    tenant = c.tenant("acme")
    assert tenant.tools == {}
    assert [(p.error.code, p.error.at.line) for p in tenant.problems] == [
        ("TM007", 1),
        ("TM007", 3),
    ]


def test_openai_list_of_tools_is_tm101(catalog):
    text = (
        "tools:\n  - {type: function, function: {name: getX}}\n"
        "  - {name: getY}\n  - 5\n  - {function: x}\n"
    )
    c = catalog({"tenants/acme/a.yaml": text})
    for name in ("getX", "getY"):
        assert config_fault(c, name).code == "TM101"


def test_unknown_api_names_the_nearest_and_broken_files(catalog):
    files = {
        "tenants/acme/a.yaml": ERP.replace("erp:", "erp2:"),
        "tenants/acme/t.yaml": tool("getX"),
    }
    c = catalog(files)
    with pytest.raises(ToolError) as caught:
        c.api_for(c.find_tool("acme", "getX"))
    assert (caught.value.code, str(caught.value.at)) == ("TM515", "tenants/acme/t.yaml:4:5")
    assert "'erp2'" in caught.value.message
    assert caught.value.hint is None
    c = catalog({"tenants/acme/broken.yaml": "apis:\n  erp: {base_url: x\n"})
    with pytest.raises(ToolError) as caught:
        c.api_for(c.find_tool("acme", "getX"))
    assert "broken.yaml" in caught.value.hint


def test_tool_without_api_has_none(catalog):
    c = catalog({"tenants/acme/t.yaml": 'tools: {h: {handler: "f.py:g"}}\n'})
    assert c.api_for(c.find_tool("acme", "h")) is None


def test_apis_of_shared_are_seen_by_shared_tools_only(catalog):
    shared, own = (
        ERP.replace("erp.example", "shared.example"),
        ERP.replace("erp.example", "own.example"),
    )
    c = catalog(
        {
            "tenants/_shared/a.yaml": shared,
            "tenants/_shared/t.yaml": tool("common") + f"  base:\n{GET}",
            "tenants/acme/t.yaml": tool("getX") + "  child: {extends: base}\n",
            "tenants/nord/a.yaml": own,
            "tenants/nord/t.yaml": tool("getX") + "  child: {extends: base}\n",
        }
    )

    def url(code, name):
        return c.api_for(c.find_tool(code, name)).base_url

    assert url("acme", "common") == url("nord", "common") == "https://shared.example.com"
    assert url("nord", "getX") == url("nord", "child") == "https://own.example.com"
    assert url("acme", "child") == "https://shared.example.com"
    with pytest.raises(ToolError):
        url("acme", "getX")
    assert c.apis("acme") == {}
    assert list(c.apis("nord")) == ["erp"]


BASE = """
tools:
  base:
    description: base
    api: erp
    method: GET
    path: /base
    mapping: {a: x, b: y}
    postprocess: rules.py:finish
    args_fixture: {id: 1}
    fixtures: [{name: one}]
"""


def test_extends_replaces_whole_fields(catalog):
    c = catalog(
        {
            "tenants/_shared/shop/b.yaml": BASE,
            "tenants/acme/apis.yaml": ERP,
            "tenants/acme/t.yaml": "tools:\n  child:\n    extends: base\n    mapping: {c: z}\n",
        }
    )
    child = c.find_tool("acme", "child")
    assert child.mapping == {"c": "z"}
    assert (child.description, child.args_fixture, child.fixtures[0].name) == (
        "base",
        {"id": 1},
        "one",
    )
    assert (child.home, child.postprocess.home) == ("acme", "_shared")
    assert child.postprocess.path == "tenants/_shared/shop/rules.py"
    assert (child.fields["mapping"].home, str(child.fields["mapping"].at)) == (
        "acme",
        "tenants/acme/t.yaml:4:5",
    )
    assert (child.fields["path"].home, child.fields["path"].at.path) == (
        "_shared",
        "tenants/_shared/shop/b.yaml",
    )
    assert "extends" not in child.declared


def test_tenant_tool_may_extend_the_shared_one_of_its_own_name(catalog):
    c = catalog(
        {
            "tenants/_shared/b.yaml": BASE,
            "tenants/acme/t.yaml": "tools: {base: {extends: base, path: /own}}\n",
        }
    )
    assert c.find_tool("acme", "base").path == "/own"


def test_chains_within_shared(catalog):
    more = "tools: {mid: {extends: base, path: /mid}}\n"
    c = catalog(
        {
            "tenants/_shared/b.yaml": BASE,
            "tenants/_shared/m.yaml": more,
            "tenants/acme/t.yaml": "tools: {child: {extends: mid}}\n",
        }
    )
    child = c.find_tool("acme", "child")
    assert (child.path, child.method) == ("/mid", "GET")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("bas", "'base'"),
        ("[base, base]", "one shared tool"),
        ("5", "one shared tool"),
        ("''", "one shared tool"),
        ("nord/own", "no shared tool"),
        ("own", "no shared tool"),
        ("../nord/t.yaml", "no shared tool"),
        ("__class__", "no shared tool"),
        ("null", "one shared tool"),
    ],
)
def test_extends_of_anything_else_is_tm111(catalog, value, words):
    c = catalog(
        {
            "tenants/_shared/b.yaml": BASE,
            "tenants/nord/t.yaml": tool("own"),
            "tenants/acme/t.yaml": f"tools:\n  child:\n    extends: {value}\n",
        }
    )
    error = config_fault(c, "child")
    assert (error.code, str(error.at)) == ("TM111", "tenants/acme/t.yaml:3:5")
    assert words in error.message


def test_circle_is_named_whole(catalog):
    loops = (
        "tools:\n  a: {extends: b}\n  b: {extends: c}\n  c: {extends: a}\n  self: {extends: self}\n"
    )
    c = catalog(
        {"tenants/_shared/l.yaml": loops, "tenants/acme/t.yaml": "tools: {x: {extends: a}}\n"}
    )
    assert "x -> a -> b -> c -> a" in config_fault(c, "x").message
    assert "self -> self" in config_fault(c, "self").message


def test_extends_of_a_broken_file_names_the_first_cause(catalog):
    c = catalog(
        {
            "tenants/_shared/b.yaml": "tools:\n  base: {description: [\n",
            "tenants/acme/t.yaml": "tools: {x: {extends: base}}\n",
        }
    )
    error = config_fault(c, "x")
    assert error.code == "TM001"
    assert "tenants/_shared/b.yaml:2" in error.message
    assert error.at.path == "tenants/acme/t.yaml"


def test_extends_of_openai_nesting(catalog):
    c = catalog(
        {
            "tenants/_shared/b.yaml": "tools: {base: {type: function, function: {name: x}}}\n",
            "tenants/acme/t.yaml": "tools: {x: {extends: base}}\n",
        }
    )
    assert config_fault(c, "x").code == "TM101"


def test_tenants_with(catalog):
    c = catalog(
        {
            "tenants/acme/x.yaml": tool("getX"),
            "tenants/kiel/x.yaml": "tools:\n  getX: {a: [\n",
            "tenants/nord/x.yaml": tool("getY"),
            "tenants/_shared/s.yaml": tool("common"),
        }
    )
    assert c.tenants_with("getX") == ["acme", "kiel"]
    assert c.tenants_with("common") == ["acme", "kiel", "nord"]
    assert c.tenants_with("getZ") == []


def test_changed_new_and_deleted_files_count_at_the_next_question(catalog, workspace):
    c = catalog({"tenants/acme/a.yaml": ERP, "tenants/acme/t.yaml": tool("getX")})
    assert c.find_tool("acme", "getX").path == "/x"
    workspace({"tenants/acme/t.yaml": tool("getX").replace("/x", "/y")})
    assert c.find_tool("acme", "getX").path == "/y"
    path = c.root / "tenants" / "acme" / "t.yaml"
    path.write_text(tool("getX").replace("/x", "/z"))
    os.utime(path, (1_500_000_000, 1_500_000_000))
    assert c.find_tool("acme", "getX").path == "/z"
    workspace({"tenants/acme/n.yaml": tool("getN")})
    assert c.find_tool("acme", "getN")
    path.unlink()
    with pytest.raises(UsageError):
        c.find_tool("acme", "getX")


def test_secrets_begin_a_request_and_see_changed_files(catalog, workspace):
    c = catalog(
        {
            "tenants/acme/a.yaml": ERP,
            "tenants/acme/t.yaml": tool("getX"),
            "tenants/acme/.env": "A=1",
        }
    )
    c.secrets("acme")
    c.find_tool("acme", "getX")
    workspace(
        {"tenants/acme/a.yaml": ERP.replace("erp.example", "new.example"), ".env": "B=2\nA=9"}
    )
    variables = c.secrets("acme")
    assert (variables.get("A"), variables.get("B")) == ("1", "2")
    assert c.apis("acme")["erp"].base_url == "https://new.example.com"


def walks(monkeypatch) -> list[str]:
    from tm.config import home

    seen: list[str] = []
    real = home.list_files
    monkeypatch.setattr(home, "list_files", lambda folder: seen.append(folder.name) or real(folder))
    return seen


def test_one_request_lists_the_files_once(catalog, monkeypatch):
    c = catalog({"tenants/acme/a.yaml": ERP, "tenants/acme/t.yaml": tool("getX")})
    seen = walks(monkeypatch)
    for _ in range(2):
        c.tenants_with("getX")
        c.secrets("acme")
        c.settings("acme")
        c.apis("acme")
        c.api_for(c.find_tool("acme", "getX"))
    # _shared is asked once: whether it has the tool is of no interest where a tenant has it.
    assert seen == ["acme", "acme"]


def test_pinned_and_unfresh_questions_list_nothing(catalog, monkeypatch, workspace):
    c = catalog({"tenants/acme/t.yaml": tool("getX")})
    c.find_tool("acme", "getX")
    seen = walks(monkeypatch)
    workspace({"tenants/acme/t.yaml": tool("getX").replace("/x", "/y")})
    assert c.find_tool("acme", "getX", fresh=False).path == "/x"
    with c.pinned():
        assert c.find_tool("acme", "getX").path == "/x"
    assert seen == []
    assert c.find_tool("acme", "getX").path == "/y"


def test_merged_config_is_plain_data(catalog):
    code = (
        "def f(results, args, ctx):\n    return {}\n\n\n"
        "tools = {'p': {'description': 'd', 'handler': f}}\n"
    )
    c = catalog(
        {
            "tenants/acme/a.yaml": ERP + "settings: {x: 1}\n",
            "tenants/acme/t.yaml": tool("getX"),
            "tenants/acme/p.py": code,
        }
    )
    merged = c.merged_config("acme")
    assert set(merged) == {"tools", "apis", "assistants", "scheduled", "settings"}
    assert merged["tools"]["p"] == {"description": "d", "handler": "p.py:f"}
    assert merged["settings"] == {"x": 1}


def test_links_are_problems(catalog):
    c = catalog({"tenants/acme/t.yaml": tool("getX"), "tenants/nord/n.yaml": tool("getN")})
    (c.root / "tenants" / "acme" / "n.yaml").symlink_to("../nord/n.yaml")
    with pytest.raises(UsageError):
        c.find_tool("acme", "getN")
    assert [p.error.code for p in c.tenant("acme").problems] == ["TM312"]


def test_tenant_holds_everything(catalog):
    c = catalog(
        {
            "tenants/acme/a.yaml": ERP
            + tool("getX")
            + "assistants: {desk: {tools: [getX]}}\nscheduled: {d: {cron: x}}\n"
            "settings: {k: v}\n"
        }
    )
    tenant = c.tenant("acme")
    assert (tenant.code, tenant.folder) == ("acme", c.root / "tenants" / "acme")
    assert (list(tenant.tools), list(tenant.apis)) == (["getX"], ["erp"])
    assert (list(tenant.assistants), list(tenant.scheduled), tenant.settings) == (
        ["desk"],
        ["d"],
        {"k": "v"},
    )
    assert tenant.problems == ()


def test_threads_share_a_catalog(catalog):
    c = catalog(
        {"tenants/acme/a.yaml": ERP} | {f"tenants/acme/t{i}.yaml": tool(f"t{i}") for i in range(20)}
    )
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for i in range(20):
                found = c.find_tool("acme", f"t{(i + number) % 20}")
                assert c.api_for(found)
        except BaseException as error:  # noqa: BLE001  a thread's failure is the test's
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_nothing_heavy_is_loaded_for_a_yaml_tool(workspace):
    import subprocess
    import sys

    root = workspace({"tenants/acme/a.yaml": ERP, "tenants/acme/t.yaml": tool("getX")})
    code = (
        "import sys; from pathlib import Path; from tm.config import Catalog\n"
        f"c = Catalog(Path({str(root)!r}), environ={{}})\n"
        "c.api_for(c.find_tool('acme', 'getX'))\n"
        "heavy = {'httpx', 'jsonschema', 'rich', 'asyncio', 'logging', 'typer', 'tm.scan'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert Path(root).exists()


def test_a_tool_is_built_again_only_after_its_file_has_changed(tmp_path, monkeypatch):
    monkeypatch.setattr("tm.config.home.YOUNG_NS", 0)
    folder = tmp_path / "tenants" / "acme"
    folder.mkdir(parents=True)
    path = folder / "tools.yaml"
    text = "tools:\n  ping: {description: ONE, handler: 'p.py:p'}\n"
    path.write_text(text)
    catalog = Catalog(tmp_path, environ={})
    first = catalog.find_tool("acme", "ping")
    assert catalog.find_tool("acme", "ping") is first
    path.write_text(text.replace("ONE", "ANOTHER"))
    assert catalog.find_tool("acme", "ping").description == "ANOTHER"
