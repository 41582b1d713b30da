import json
from typing import Any

import pytest

from tm.config.reader import read_source
from tm.errors import UsageError
from tm.exchange.openai import import_definitions
from tm.scan.scanner import scan_source

PARAMETERS = {"type": "dict", "properties": {"n": {"type": "float"}}, "required": ["n"]}
FUNCTION = {"name": "calc", "description": "Calc.", "parameters": PARAMETERS}
MCP = {"name": "calc", "description": "Calc.", "inputSchema": PARAMETERS}


def tools_of(found: Any) -> dict[str, Any]:
    (path,) = [path for path in found.files if path.endswith(".yaml")]
    source = read_source(found.files[path].encode(), f"tenants/shop/{path}")
    assert source.problems == ()
    return source.data["tools"]


@pytest.mark.parametrize(
    "document",
    [
        [{"type": "function", "function": FUNCTION}],
        [{"type": "function", **FUNCTION}],
        FUNCTION,
        {"tools": [MCP]},
        {"functions": [FUNCTION]},
        [{"functionDeclarations": [FUNCTION]}],
    ],
)
def test_every_form_gives_the_same_tool(document: Any) -> None:
    found = import_definitions(json.dumps(document), "docs/tools.json", set(), api=None)
    assert found.tools == ("calc",)
    number = {"type": "number", "description": "The n."}
    assert tools_of(found)["calc"]["parameters"] == {
        "type": "object",
        "properties": {"n": number},
        "required": ["n"],
    }


def test_stubs_pass_the_scan_and_are_named_beside_their_tools() -> None:
    lines = "\n".join(json.dumps({**FUNCTION, "name": name}) for name in ("a", "b c", "a"))
    found = import_definitions(lines, "tools.jsonl", {"a"}, api=None)
    assert found.tools == ("a_2", "b_c", "a_3")
    assert len(found.notes) == 3
    code = found.files["tools/tools.py"]
    assert scan_source(code.encode(), "tools.py", depth=1).hits == ()
    assert tools_of(found)["b_c"]["handler"] == "tools.py:answer_2"


def test_with_an_api_tools_are_posted() -> None:
    found = import_definitions(json.dumps([FUNCTION]), "t.json", set(), api="erp")
    tool = tools_of(found)["calc"]
    assert (tool["api"], tool["method"], tool["path"]) == ("erp", "POST", "/calc")
    assert list(found.files) == ["tools/t.yaml"]


def test_what_is_missing_in_a_definition_is_filled_in() -> None:
    found = import_definitions('[{"name": "x"}]', "t.json", set(), api=None)
    assert tools_of(found)["x"]["description"] == "Call x."
    assert tools_of(found)["x"]["parameters"] == {"type": "object", "properties": {}}


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", '[{"no": 1}]', "[" * 100_000])
def test_what_is_no_list_of_definitions_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"t\.json"):
        import_definitions(text, "t.json", set(), api=None)
