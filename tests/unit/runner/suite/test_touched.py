"""Which tools a change of files reaches."""

from __future__ import annotations

import pytest

from tm.config.source import Source
from tm.runner.suite.outcomes import Check
from tm.runner.suite.touched import touched_by
from tm.runner.workspace import Workspace

CODE = """
    def f(results, args, ctx):
        ctx["logger"].info("f starts")
        ctx["logger"].success("f ends")
        return {}
"""
FILES = {
    "tenants/_shared/base.yaml": """
        tools:
          base: {description: B., handler: "base.py:f"}
          chain: {extends: base}
    """,
    "tenants/_shared/base.py": CODE,
    "tenants/a/apis.yaml": """
        apis: {shop: {base_url: "https://shop.example.com"}}
        settings: {vars: {x: 1}, token_budget: 9}
    """,
    "tenants/a/get.yaml": """
        tools: {get: {description: G., api: shop, method: GET, path: /x}}
    """,
    "tenants/a/ext.yaml": "tools: {ext: {extends: chain, description: E.}}",
    "tenants/a/code.yaml": """
        tools:
          direct: {description: D., handler: "code/direct.py:f"}
          caller: {description: C., handler: "code/caller.py:f"}
          fetch: {description: F., handler: "code/fetch.py:f"}
    """,
    "tenants/a/code/direct.py": "from .deep.helper import x\n" + CODE.replace("\n    ", "\n"),
    "tenants/a/code/deep/helper.py": "from . import more\nx = 1\n",
    "tenants/a/code/deep/more.py": "y = 2\n",
    "tenants/a/code/caller.py": """
        def f(results, args, ctx):
            ctx["logger"].info("f starts")
            found = ctx["tool"]("direct", {})
            ctx["logger"].success("f ends", {"get": 1})
            return found
    """,
    "tenants/a/code/fetch.py": """
        def f(results, args, ctx):
            ctx["logger"].info("f starts")
            found = ctx["http"].get("https://shop.example.com/x").json()
            ctx["logger"].success("f ends")
            return found
    """,
    "tenants/b/t.yaml": "tools: {alone: {description: A., handler: 't.py:f'}}",
    "tenants/b/t.py": CODE,
    "tenants/b/broken.yaml": "tools:\n  lost: {description: [\n",
    "tenants/b/no.py": "from .x import (\n",
}


@pytest.fixture
def made(workspace, tmp_path):
    with Workspace(workspace(FILES), environ={}, cache_dir=tmp_path / "cache") as found:
        yield found


def touched(made, *paths, old=None):
    catalog = made.catalog
    checks = [
        Check(code, name, at=tool.at)
        for code in ("a", "b")
        for name, tool in sorted(
            {**catalog.tenant(code).shared, **catalog.tenant(code).tools}.items()
        )
    ]
    problem = catalog.tenant("b").problems[0].error
    checks.append(Check("b", "lost", error=problem, at=problem.at))
    return {f"{c.tenant}/{c.tool}" for c in touched_by(catalog, checks, paths, old)}


EXTENDED = {"a/base", "a/chain", "a/ext", "b/base", "b/chain"}


@pytest.mark.parametrize(
    ("path", "reached"),
    [
        ("tenants/a/get.yaml", {"a/get"}),
        ("tenants/a/ext.yaml", {"a/ext"}),
        ("tenants/a/code/deep/more.py", {"a/direct", "a/caller"}),
        ("tenants/a/code/deep/helper.py", {"a/direct", "a/caller"}),
        ("tenants/a/code/caller.py", {"a/caller"}),
        ("tenants/_shared/base.py", EXTENDED),
        ("tenants/_shared/base.yaml", EXTENDED),
        ("tenants/b/t.py", {"b/alone"}),
        ("tenants/b/broken.yaml", {"b/lost"}),
        ("tenants/a/cassettes/get/default.yaml", {"a/get"}),
        ("tenants/a/cassettes/other/default.yaml", set()),
        ("tenants/a/knowledge/get.md", set()),
        ("README.md", set()),
    ],
)
def test_change_reaches(made, path, reached):
    assert touched(made, path) == reached


def test_change_of_an_api_reaches_those_that_use_it(made):
    old = {"tenants/a/apis.yaml": Source("tenants/a/apis.yaml", {"settings": {"vars": {"x": 1}}})}
    assert touched(made, "tenants/a/apis.yaml", old=old) == {"a/get", "a/fetch"}


def test_setting_that_runs_depend_on_reaches_all_of_its_tenant(made):
    def before(**settings):
        apis = {"shop": {"base_url": "https://shop.example.com"}}
        data = {"apis": apis, "settings": settings}
        return {"tenants/a/apis.yaml": Source("tenants/a/apis.yaml", data)}

    path = "tenants/a/apis.yaml"
    same = before(vars={"x": 1}, token_budget=5)
    assert touched(made, path, old=same) == set()
    found = touched(made, path, old=before(vars={"x": 2}, token_budget=9))
    assert {"a/get", "a/direct", "a/ext"} <= found
    assert not any(name.startswith("b/") for name in found)


def test_deleted_base_is_a_change_of_what_extended_it(made):
    gone = Source("tenants/_shared/old.yaml", {"tools": {"base": {"description": "B."}}})
    assert "a/ext" in touched(made, gone.path, old={gone.path: gone})
