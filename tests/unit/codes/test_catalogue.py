"""Every code that tm can report has a page, and what the pages show is true."""

import ast
import re
import shlex

import pytest
import yaml

from tm.codes import Page, all_pages, page, render_page
from tm.scan import scan_source

SPANS = ((1, 7), (101, 119), (201, 208), (301, 308), (310, 312), (401, 406), (901, 902))
LINT = [f"TM{number:03}" for first, last in SPANS for number in range(first, last + 1)]
RUN_TIME = [f"TM{number}" for number in range(500, 525)]
WARNINGS = {"TM110", "TM114", "TM401", "TM406"}
BAD_FILES_THAT_DO_NOT_PARSE = {"TM001"}
FIELDS = ("code", "name", "title", "what", "why", "fix", "bad", "good")

every_page = pytest.mark.parametrize("one", all_pages(), ids=lambda one: one.code)


def test_catalogue_has_every_code_once_and_in_order():
    assert [one.code for one in all_pages()] == sorted(LINT + RUN_TIME)


def test_short_names_are_unique():
    names = [one.name for one in all_pages()]
    assert len(set(names)) == len(names)


def test_only_the_documented_codes_are_warnings():
    assert {one.code for one in all_pages() if one.severity == "warning"} == WARNINGS


@every_page
def test_page_is_found_in_any_letter_case(one: Page):
    assert page(one.code) is one
    assert page(f" {one.code.lower()} ") is one


@pytest.mark.parametrize("code", ["TM999", "TM", "", "204"])
def test_unknown_code_has_no_page(code):
    assert page(code) is None


@every_page
def test_page_is_complete(one: Page):
    for field in FIELDS:
        assert getattr(one, field).strip(), field
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.name)
    assert not one.title.endswith(".")
    for text in (one.what, one.why, one.fix):
        assert text[-1] in ".:", text


@every_page
def test_bad_and_good_example_differ(one: Page):
    assert one.bad != one.good


@every_page
@pytest.mark.parametrize("side", ["bad", "good"])
def test_example_parses(one: Page, side):
    example = getattr(one, side)
    if side == "bad" and one.code in BAD_FILES_THAT_DO_NOT_PARSE:
        with pytest.raises(yaml.YAMLError):
            yaml.safe_load(example)
    elif one.language == "yaml":
        assert isinstance(yaml.safe_load(example), dict)
    elif one.language == "python":
        ast.parse(example)
    else:
        for line in example.strip().splitlines():
            assert shlex.split(line, comments=True)


@every_page
def test_yaml_example_uses_only_top_level_keys_of_a_config(one: Page):
    if one.language != "yaml":
        return
    known = {"tools", "apis", "assistants", "scheduled", "settings"}
    assert set(yaml.safe_load(one.good)) <= known


@every_page
def test_good_handler_logs_at_its_start_and_end(one: Page):
    if one.language != "python":
        return
    for function in ast.parse(one.good).body:
        if isinstance(function, ast.FunctionDef):
            assert ast.unparse(function.body[0]).startswith("ctx['logger']")


@every_page
def test_codes_that_are_mentioned_exist(one: Page):
    for code in re.findall(r"TM\d{3}", render_page(one)):
        assert page(code) is not None


@every_page
def test_lines_fit_a_terminal(one: Page):
    assert max(map(len, render_page(one).splitlines())) <= 100


@every_page
def test_suppression_is_told_as_the_linter_takes_it(one: Page):
    if one.code.startswith("TM3"):
        assert one.suppress is not None
        assert "[tool.tm.lint]" in one.suppress
        assert "# tm: ignore" not in one.suppress
    elif one.code.startswith(("TM5", "TM9")):
        assert one.suppress is None
        assert "## Suppress" not in render_page(one)
    else:
        assert f"# tm: ignore[{one.code}]" in (one.suppress or "")


@every_page
def test_scan_agrees_with_the_examples(one: Page):
    if one.language != "python":
        return
    bad, good = (scan_source(text.encode(), "example.py").hits for text in (one.bad, one.good))
    if one.code.startswith("TM30"):
        assert one.code in {hit.code for hit in bad}
    assert good == ()


def test_ctx_page_shows_both_spellings_and_no_other_rule():
    text = render_page(page("TM204"))
    assert 'ctx["' in text
    assert "ctx." in text
    assert set(re.findall(r"TM\d{3}", text)) == {"TM204"}


def test_path_page_names_the_folder():
    assert "files/" in render_page(page("TM518"))


def test_rendered_page_has_all_parts_in_order():
    assert (
        render_page(page("TM110"))
        == """\
# TM110 no-fixture (warning)

A tool without args_fixture

## What

There are no arguments with which `tm test-tool NAME` could run this tool.

## Why

Nobody finds out that it broke until a customer does: `tm test-tool --all` skips it.

## What to do

Give arguments that are harmless on the API that the tests use. `args_fixture: {}` for a
tool that needs none.

## Bad

    tools:
      getOrder:
        description: Fetch an order.
        parameters: {type: object, properties: {number: {type: string, description: Number.}}}

## Good

    tools:
      getOrder:
        description: Fetch an order.
        parameters: {type: object, properties: {number: {type: string, description: Number.}}}
        args_fixture: {number: "7001"}

## Suppress

On the line or the one above it, with a reason:

    # tm: ignore[TM110] why this is right here
"""
    )
