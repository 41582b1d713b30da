"""What a run tells its author beside the result."""

from __future__ import annotations

import httpx
import pytest
import respx

from tm.runner.workspace import RunOptions, Workspace

TOOL = """
apis:
  shop: {base_url: https://shop.example}
tools:
  getBike:
    description: Get a bike.
    api: shop
    method: GET
    path: PATH
    FIELDS
  twice:
    description: Call the other.
    handler: h.py:twice
"""
HANDLER = """
def twice(results, args, ctx):
    ctx["logger"].info("starts")
    return ctx["tool"]("getBike", {})
"""


@pytest.fixture
def run(workspace, tmp_path):
    opened = []

    def run_tool(fields, name="getBike", answer=None, path="/bike"):
        text = TOOL.replace("FIELDS", fields).replace("PATH", path)
        root = workspace({"tenants/acme/bikes.yaml": text, "tenants/acme/h.py": HANDLER})
        made = Workspace(root, environ={}, cache_dir=tmp_path / "cache")
        opened.append(made)
        with respx.mock:
            respx.get("https://shop.example/bike").mock(answer or httpx.Response(200, json={}))
            return made.run_tool("acme", name, {}, RunOptions(), lambda _: None)

    yield run_tool
    for made in opened:
        made.close()


def warnings(report):
    return [entry.message for entry in report.log if entry.level == "warning"]


def test_a_misspelt_key_is_told_with_place_and_nearest_name(run):
    report = run("maping: {a: b}")
    assert report.ok
    assert warnings(report) == [
        (
            "tenants/acme/bikes.yaml:9:5: unknown key 'maping'; "
            "did you mean 'mapping' or 'api'? [TM007]"
        )
    ]


def test_a_nested_call_does_not_repeat_what_is_told_of_the_tool_itself(run):
    assert warnings(run("maping: {a: b}", name="twice")) == []


def test_a_mapping_that_finds_nothing_in_a_web_page_says_that_it_is_one(run):
    page = httpx.Response(200, html="<h1>Log in</h1>")
    report = run("mapping: {a: b.c}", answer=page)
    assert report.result == {"a": None}
    assert warnings(report) == ["the answer is text/html, not JSON: mapping finds no fields in it"]


def test_a_mapping_that_takes_the_text_of_a_page_is_no_cause_for_a_warning(run):
    page = httpx.Response(200, html="<h1>Log in</h1>")
    assert warnings(run("mapping: {a: text}", answer=page)) == []


def test_a_path_with_an_odd_brace_has_the_place_of_its_field(run):
    report = run("headers: {}", path="/bike/{id")
    assert report.error.code == "TM107"
    assert str(report.error.at) == "tenants/acme/bikes.yaml:8:5"
