import pytest

from tm.errors import ConfigError, Location
from tm.exchange.export import export_tools
from tm.model import Tool


def tool(name: str) -> Tool:
    return Tool(
        name=name,
        tenant="shop",
        home="shop",
        at=Location("tenants/shop/shop.yaml", 4, 3),
        description=f"Does {name}.",
        parameters={"type": "object", "properties": {"id": {"type": "string"}}},
        api="erp",
        path="/intern/{id}",
        args_fixture={"id": "7"},
    )


@pytest.mark.parametrize(
    ("kind", "key"),
    [("openai", None), ("anthropic", None), ("gemini", "functionDeclarations"), ("mcp", "tools")],
)
def test_each_system_gets_its_own_document_in_the_given_order(kind: str, key: str | None) -> None:
    document = export_tools([tool("b"), tool("a")], kind)
    definitions = document if key is None else document[key]
    names = [item.get("function", item)["name"] for item in definitions]
    assert names == ["b", "a"]
    assert "intern" not in str(document)


def test_tools_whose_names_become_equal_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"exported as 'get_x'") as caught:
        export_tools([tool("get.x"), tool("get x")], "mcp")
    assert caught.value.code == "TM115"


def test_a_tenant_without_tools_gives_an_empty_document() -> None:
    assert export_tools([], "openai") == []
    assert export_tools([], "mcp") == {"tools": []}
