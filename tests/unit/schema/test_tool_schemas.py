"""Schemas of real tools (tests/data/tool-schemas) with the calls that models made of them."""

import json
from pathlib import Path

import pytest

from tm.schema.arguments import check_arguments
from tm.schema.decide import compile_decider
from tm.schema.dialect import dialect_of
from tm.schema.gemini import gemini_schema
from tm.schema.validator import Explainer

DATA = Path(__file__).parents[2] / "data" / "tool-schemas"
SHOPS = json.loads((DATA / "tau-bench.json").read_text("utf-8"))
SERVERS = json.loads((DATA / "mcp.json").read_text("utf-8"))
SCHEMAS = [entry["schema"] for entry in SERVERS]
SCHEMAS += [tool["parameters"] for shop in SHOPS.values() for tool in shop["tools"]]


@pytest.mark.parametrize("shop", SHOPS)
def test_the_calls_of_models_fit(shop):
    schemas = {tool["name"]: tool["parameters"] for tool in SHOPS[shop]["tools"]}
    for call in SHOPS[shop]["calls"]:
        assert check_arguments(schemas[call["name"]], call["arguments"]).failures == ()


@pytest.mark.parametrize("shop", SHOPS)
def test_a_misspelt_argument_is_refused_with_the_right_name(shop):
    schemas = {tool["name"]: tool["parameters"] for tool in SHOPS[shop]["tools"]}
    for call in SHOPS[shop]["calls"]:
        for name in call["arguments"]:
            args = {f"{key}s" if key == name else key: v for key, v in call["arguments"].items()}
            failures = check_arguments(schemas[call["name"]], args).failures
            assert f"unknown argument '{name}s'" in failures[0].message
            assert f"'{name}'" in failures[0].message


def test_the_decider_knows_every_one_of_them():
    assert all(compile_decider(schema, dialect_of(schema)) for schema in SCHEMAS)


def test_each_is_sound_for_jsonschema_too():
    for schema in SCHEMAS:
        assert isinstance(Explainer(schema).failures({}), list)


def test_each_can_be_written_for_gemini():
    for schema in SCHEMAS:
        text = json.dumps(gemini_schema(schema))
        assert not any(word in text for word in ('"$ref"', '"const"', '"additionalProperties"'))
