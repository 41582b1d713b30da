from pathlib import Path

import pytest

from tests.unit.cli.conftest import InProcess


def test_a_new_tool_lints_clean_and_runs(tm: InProcess, shop: Path) -> None:
    done = tm("new", "tool", "findTea", "--json")
    assert done.json == {
        "ok": True,
        "files": ["tenants/acme/tools/findTea.py"],
        "next": "tm test-tool findTea -t acme",
    }
    assert tm("lint", "tenants/acme/tools/findTea.py", "--json").json["summary"]["errors"] == 0
    assert tm("test-tool", "findTea", "--json").json["result"] == {"greeting": "Hello, Ada!"}
    again = tm("new", "tool", "findTea")
    assert (again.code, "TM006" in again.stderr) == (2, True)


def test_the_next_step_is_said(tm: InProcess) -> None:
    done = tm("new", "tool", "findTea")
    assert done.stdout == "tenants/acme/tools/findTea.py\n"
    assert "next: tm test-tool findTea -t acme" in done.stderr


@pytest.mark.parametrize("name", ["../x", "a b", "", "ü", "a" * 65, "a/b"])
def test_a_name_that_models_reject_is_refused(tm: InProcess, shop: Path, name: str) -> None:
    assert tm("new", "tool", name, "--json").json["error"]["code"] == "TM115"
    assert not (shop / "tenants/acme/tools").exists()


def test_an_api_tool_needs_a_declared_api(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/api.yaml").write_text("apis:\n  erp: {base_url: 'https://a.example'}\n")
    assert "did you mean 'erp'" in tm("new", "tool", "getTea", "--api", "er").stderr
    assert tm("new", "tool", "getTea", "--api", "erp").code == 0
    found = tm("lint", "tenants/acme/tools/getTea.yaml", "--json").json
    assert [finding["code"] for finding in found["findings"]] in ([], ["TM401"])


def test_a_tool_in_a_broken_file_is_not_written_twice(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/b.yaml").write_text("tools:\n  tea: {description: [}\n")
    done = tm("new", "tool", "tea", "--json")
    assert done.json["error"]["code"] == "TM006"
    assert "b.yaml" in done.json["error"]["message"]


def test_a_shared_tool_may_be_hidden(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/_shared").mkdir()
    (shop / "tenants/_shared/s.py").write_text((shop / "tenants/acme/tools.py").read_text())
    (shop / "tenants/acme/tools.py").unlink()
    assert tm("new", "tool", "echo").code == 0


def test_a_new_tenant_lints_clean_and_its_tool_runs(tm: InProcess) -> None:
    assert tm("new", "tenant", "tea-shop").code == 0
    assert tm("lint", "-t", "tea-shop", "--strict").code == 0
    assert tm("test-tool", "greet", "-t", "tea-shop").code == 0
    assert tm("new", "tenant", "tea-shop", "--json").json["error"]["code"] == "TM524"


@pytest.mark.parametrize("code", ["Tea", "_shared", "-a", "../x", ""])
def test_a_code_that_is_none_is_refused(tm: InProcess, code: str) -> None:
    assert tm("new", "tenant", "--json", "--", code).json["error"]["code"] == "TM524"


def test_the_first_tenant_begins_a_workspace(
    tm: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert tm("new", "tenant", "shop").code == 0
    assert (tmp_path / "empty/tenants/shop/tenant.yaml").exists()
