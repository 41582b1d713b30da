"""The shared tools as tools of a tenant: found, hidden, listed, shown, linted, run."""

from __future__ import annotations

import pytest

from tests.conftest import write_tree
from tm.builtin.declared import DECLARED
from tm.builtin.functions import function_of
from tm.builtin.names import BUILTIN_TOOLS
from tm.builtin.tools import BUILTINS, builtin_tool
from tm.config.loader import Catalog
from tm.errors import UsageError
from tm.model import BUILTIN
from tm.runner.scope import RunOptions
from tm.runner.workspace import Workspace
from tm.schema.faults import schema_faults
from tm.schema.function_tool import function_tool, token_estimate

TOOL = "tools:\n  {}: {{description: Own., handler: 'own.py:own', args_fixture: {{}}}}\n"
OWN = """
def own(results, args, ctx):
    ctx["logger"].info("own starts")
    ctx["logger"].success("own ends")
    return {"from": "own"}
"""


def calling(name: str, args: str) -> str:
    """Return the handler with a call of another tool in it."""
    end = '    ctx["logger"].success'
    return OWN.replace(end, f'    ctx["tool"]("{name}", {args})\n{end}')


@pytest.fixture
def root(workspace):
    return workspace({"tenants/shop/a.yaml": TOOL.format("mine"), "tenants/shop/own.py": OWN})


@pytest.fixture
def catalog(root):
    return Catalog(root, environ={}, builtin=BUILTINS)


@pytest.mark.parametrize("name", BUILTIN_TOOLS)
def test_each_has_words_for_models_a_sound_schema_and_a_function(name):
    tool = builtin_tool(name, "shop")
    assert (tool.tenant, tool.home) == ("shop", BUILTIN)
    assert schema_faults(tool.parameters) == []
    properties = tool.parameters["properties"]
    assert all(value["description"] for value in properties.values())
    assert set(tool.parameters["required"]) <= set(properties)
    assert callable(function_of(name))
    assert token_estimate(function_tool(tool)) < 300


def test_names_and_declarations_are_the_same_set():
    assert set(DECLARED) == set(BUILTIN_TOOLS) == set(BUILTINS)
    with pytest.raises(KeyError):
        function_of("other")


def test_every_tenant_finds_them_and_none_without_them_given(root, catalog):
    assert catalog.find_tool("shop", "readFile").home == BUILTIN
    assert set(catalog.tenant("shop").builtin) == set(BUILTIN_TOOLS)
    assert catalog.tenants_with("readFile") == ["shop"]
    with pytest.raises(UsageError, match="did you mean 'readFile'"):
        catalog.find_tool("shop", "readfile")
    with pytest.raises(UsageError):
        Catalog(root, environ={}).find_tool("shop", "readFile")


@pytest.mark.parametrize("home", ["shop", "_shared"])
def test_a_tool_of_the_same_name_hides_them(root, catalog, home):
    write_tree(root, {f"tenants/{home}/b.yaml": TOOL.format("readFile")})
    assert catalog.find_tool("shop", "readFile").home == home
    assert "readFile" not in catalog.tenant("shop").builtin


@pytest.mark.parametrize("home", ["shop", "_shared"])
def test_a_broken_tool_of_the_same_name_hides_them_too(root, catalog, home):
    write_tree(root, {f"tenants/{home}/b.yaml": "tools:\n  readFile: {description: A.}\n"})
    assert "readFile" not in catalog.tenant("shop").builtin


def test_globs_and_all_leave_them_out(tm_command, root):
    found = tm_command("test-tool", "--all", "--json", cwd=root).json
    assert [result["tool"] for result in found["results"]] == ["mine"]
    assert tm_command("test-tool", "read*", cwd=root).code == 2


def test_list_names_them_beside_the_tools(tm_command, root):
    done = tm_command("list", cwd=root)
    assert "readFile" not in done.stdout
    assert "built in: readFile, writeFile" in done.stderr
    rows = tm_command("list", "--json", cwd=root).json["tools"]
    assert [row["name"] for row in rows] == ["mine"]


def test_show_tells_what_they_are(tm_command, root):
    shown = tm_command("show", "readFile", "--json", cwd=root).json
    assert shown["fields"]["description"]["path"] == "builtin"
    definition = tm_command("show", "readFile", "--for", "openai", cwd=root).json
    assert definition["function"]["name"] == "readFile"


def test_an_assistant_may_list_them_and_lint_counts_their_tokens(tm_command, root):
    assistants = """
        assistants:
          desk: {system_prompt: P., model: m, provider: p, tools: [mine, readFile, readFiel]}
        scheduled:
          clean: {cron: "0 3 * * *", tool: listFiles, args: {}}
        settings:
          token_budget: 50
          providers: {p: {base_url: "https://llm.example.com/v1"}}
        """
    write_tree(root, {"tenants/shop/desk.yaml": assistants})
    found = tm_command("lint", "--json", cwd=root).json["findings"]
    told = {finding["code"]: finding["message"] for finding in found}
    assert "'readFiel', which is no tool; did you mean 'readFile'" in told["TM402"]
    assert sum(finding["code"] == "TM402" for finding in found) == 1
    assert "TM406" in told
    text = (root / "tenants/shop/desk.yaml").read_text().replace(", readFiel", "")
    (root / "tenants/shop/desk.yaml").write_text(text)
    exported = tm_command("export", "--to", "openai", "-a", "desk", cwd=root).json
    assert [tool["function"]["name"] for tool in exported] == ["mine", "readFile"]


def test_lint_knows_them_in_code(tm_command, root):
    code = calling("readFile", "{}")
    write_tree(root, {"tenants/shop/own.py": code})
    assert tm_command("lint", cwd=root).code == 0
    write_tree(root, {"tenants/shop/own.py": code.replace("readFile", "readFil")})
    assert "did you mean 'readFile'" in tm_command("lint", cwd=root).stdout


def test_a_run_has_its_row_with_the_nested_one_below(tm_command, root):
    code = calling("writeFile", '{"path": "a.txt", "content": "x"}')
    write_tree(root, {"tenants/shop/own.py": code})
    done = tm_command("test-tool", "mine", "--json", cwd=root).json
    row = tm_command("log", "show", str(done["log_id"]), "--json", cwd=root).json
    assert [child["tool_name"] for child in row["children"]] == ["writeFile"]
    assert row["children"][0]["result"] == {"path": "a.txt", "size": 1}


def test_a_dry_run_holds_for_nested_calls(tm_command, root):
    code = calling("writeFile", '{"path": "a.txt", "content": "x"}')
    write_tree(root, {"tenants/shop/own.py": code})
    assert tm_command("test-tool", "mine", "--dry-run", cwd=root).code == 0
    assert not (root / "tenants/shop/files").exists()


def test_written_config_counts_at_the_next_call_of_the_same_process(root):
    write_tree(root, {"tenants/shop/s.yaml": "settings: {config_writers: [ada]}\n"})
    with Workspace(root, environ={}) as workspace:
        options = RunOptions(user_id="ada")
        for word in ("one", "two"):
            args = {"path": "own.py", "content": OWN.replace('"own"}', f'"{word}"}}')}
            assert workspace.run_tool("shop", "writeTenantConfig", args, options).ok
            assert workspace.run_tool("shop", "mine").result == {"from": word}
