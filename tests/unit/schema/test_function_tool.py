import pytest

from tm.errors import ConfigError, Location
from tm.model import Tool
from tm.schema.function_tool import (
    exported_name,
    exported_names,
    for_model,
    function_tool,
    token_estimate,
)
from tm.schema.gemini import gemini_schema

PARAMETERS = {
    "type": "object",
    "properties": {"words": {"type": "string", "description": "Suchwörter.", "minLength": 1}},
    "required": ["words"],
}


def tool(name="findArticles", parameters=PARAMETERS):
    return Tool(
        name=name,
        tenant="shop",
        home="shop",
        at=Location("tenants/shop/shop.yaml", 4, 3),
        description="Findet Artikel, auch mit Umlauten.",
        parameters=parameters,
        path="/articles",
        args_fixture={"words": "Vase"},
    )


HEAD = {"name": "findArticles", "description": "Findet Artikel, auch mit Umlauten."}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("openai", {"type": "function", "function": {**HEAD, "parameters": PARAMETERS}}),
        ("anthropic", {**HEAD, "input_schema": PARAMETERS}),
        ("gemini", {**HEAD, "parameters": PARAMETERS}),
        ("mcp", {**HEAD, "inputSchema": PARAMETERS}),
    ],
)
def test_each_kind_of_provider_gets_its_form_and_nothing_more(kind, expected):
    assert for_model(tool(), kind) == expected


def test_a_tool_without_arguments_has_an_empty_object():
    for parameters in ({}, {"type": "object"}, {"properties": {}}):
        function = function_tool(tool(parameters=parameters))["function"]
        assert function["parameters"] == {"type": "object", "properties": {}}


def test_a_root_reference_stays_alone():
    parameters = {"$ref": "#/$defs/P", "$defs": {"P": {"type": "object"}}}
    assert for_model(tool(parameters=parameters), "mcp")["inputSchema"] == parameters


def test_names_are_exported_in_the_letters_that_providers_take():
    assert exported_name("getInvoice-2_b") == "getInvoice-2_b"
    assert exported_name("get order!") == "get_order_"
    assert exported_name("größe") == "gr__e"
    assert exported_name("x" * 70) == "x" * 64


def test_two_tools_of_one_exported_name_are_an_error():
    assert exported_names(["a", "b c"]) == {"a": "a", "b_c": "b c"}
    with pytest.raises(ConfigError, match=r"'b c' and 'b\.c' would both be exported as 'b_c'"):
        exported_names(["b c", "b.c"])


def test_tokens_are_a_quarter_of_the_characters_rounded_up():
    assert token_estimate({}) == 1
    assert token_estimate({"a": "ä" * 13}) == 6


class TestGemini:
    @pytest.mark.parametrize(
        ("schema", "expected"),
        [
            ({"type": "string", "$comment": "x"}, {"type": "string"}),
            ({"type": "object", "additionalProperties": False}, {"type": "object"}),
            ({"const": "a"}, {"enum": ["a"]}),
            ({"const": 1, "description": "N."}, {"description": "N. One of: 1."}),
            ({"enum": [1, 2]}, {"description": "One of: 1, 2."}),
            ({"type": ["string", "null"]}, {"type": "string", "nullable": True}),
            ({"type": ["string", "integer"]}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            ({"type": ["null"]}, {"nullable": True}),
            ({"type": "string", "format": "uuid"}, {"type": "string"}),
            (
                {"type": "string", "format": "date-time"},
                {"type": "string", "format": "date-time"},
            ),
            (
                {"type": "array", "items": {"$ref": "#/$defs/a"}},
                {"type": "array", "items": {"type": "string", "title": "A"}},
            ),
            (
                {"anyOf": [{"type": "string"}, {"type": "null"}]},
                {"anyOf": [{"type": "string"}], "nullable": True},
            ),
            ({"oneOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}]}),
            (
                {"$ref": "#/$defs/a", "description": "Mine."},
                {"type": "string", "title": "A", "description": "Mine."},
            ),
            ({"$ref": "#/$defs/none", "title": "T"}, {"title": "T"}),
            (True, {}),
        ],
    )
    def test_a_schema_is_written_in_its_subset(self, schema, expected):
        root = {
            "type": "object",
            "properties": {"x": schema},
            "$defs": {"a": {"type": "string", "title": "A"}},
        }
        assert gemini_schema(root) == {"type": "object", "properties": {"x": expected}}

    def test_a_schema_that_holds_itself_ends(self):
        tree = {"type": "object", "properties": {"below": {"$ref": "#"}}}
        below = gemini_schema(tree)["properties"]["below"]
        assert below["properties"]["below"]["type"] == "object"

    def test_deep_nesting_ends(self):
        schema = {"type": "string"}
        for _ in range(50):
            schema = {"type": "array", "items": schema}
        assert gemini_schema(schema)["type"] == "array"
