from pathlib import Path

from tests.unit.cli.conftest import InProcess

ASSISTANTS = """
assistants:
  desk: {system_prompt: You help., model: m, provider: p, tools: [fail, echo]}
  lost: {system_prompt: You help., model: m, provider: p, tools: [nobodyHasIt]}
"""


def test_a_tenants_own_tools_are_exported_by_name(tm: InProcess) -> None:
    done = tm("export", "--to", "openai")
    assert [item["function"]["name"] for item in done.json] == ["bare", "echo", "fail"]
    assert "args_fixture" not in done.stdout


def test_an_assistants_tools_come_in_its_own_order(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/desk.yaml").write_text(ASSISTANTS)
    done = tm("export", "--to", "mcp", "-a", "desk")
    assert [item["name"] for item in done.json["tools"]] == ["fail", "echo"]
    assert tm("export", "--to", "mcp", "-a", "lost", "--json").json["error"]["code"] == "TM502"


def test_an_unknown_assistant_comes_with_the_nearest(tm: InProcess, shop: Path) -> None:
    done = tm("export", "--to", "gemini", "-a", "desk", "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "TM524")
    (shop / "tenants/acme/desk.yaml").write_text(ASSISTANTS)
    assert "did you mean 'desk'" in tm("export", "--to", "gemini", "-a", "dekc").stderr


def test_a_broken_neighbour_is_told_and_the_rest_exported(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/broken.yaml").write_text("tools: [\n")
    done = tm("export", "--to", "anthropic")
    assert (done.code, len(done.json)) == (0, 3)
    assert "warning: tenants/acme/broken.yaml" in done.stderr


def test_several_tenants_need_a_choice(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/zoo").mkdir()
    done = tm("export", "--to", "openai", "--json")
    assert done.code == 2
    assert "acme, zoo" in done.json["error"]["message"]
