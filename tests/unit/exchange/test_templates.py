import pytest

from tm.config.reader import read_source
from tm.exchange.templates import api_tool, new_tenant, python_tool
from tm.scan.scanner import scan_source

NAMES = ["getOrder", "a", "n-1", "7up", "_", "true", "class", "X" * 64]


@pytest.mark.parametrize("name", NAMES)
def test_a_python_tool_has_its_name_and_passes_the_scan(name: str) -> None:
    ((path, text),) = python_tool(name).items()
    assert path == f"tools/{name}.py"
    assert scan_source(text.encode(), path, depth=1).hits == ()
    source = read_source(text.encode(), f"tenants/shop/{path}")
    assert list(source.data["tools"]) == [name]


@pytest.mark.parametrize("name", [*NAMES, "no", "y", "12", "0x1"])
def test_an_api_tool_keeps_its_name_as_text(name: str) -> None:
    ((path, text),) = api_tool(name, "on").items()
    source = read_source(text.encode(), f"tenants/shop/{path}")
    assert source.problems == ()
    assert list(source.data["tools"]) == [name]
    assert source.data["tools"][name]["api"] == "on"


def test_a_tenant_keeps_its_secrets_and_runtime_data_out_of_git() -> None:
    ignored = new_tenant("teashop")[".gitignore"].split()
    assert ignored == [".env", "files/", "_backups/", "logs/", "tmp/"]
