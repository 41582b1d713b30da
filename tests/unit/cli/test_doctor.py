import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import InProcess

EXTRAS = ("chat", "pdf", "postgres", "schedule", "watch")
APIS = """
apis:
  erp: {base_url: https://erp.example.com, auth: {type: bearer, token: "${ERP_TOKEN}"}}
settings:
  providers:
    main: {base_url: https://llm.example.com, api_key: "${LLM_KEY}"}
tools:
  sync: {description: Sync., api: erp, method: POST, path: /s, body: {key: {value: "${SYNC_KEY}"}}}
"""


def states(document: Any) -> dict[str, str]:
    return {check["subject"]: check["state"] for check in document["checks"]}


def test_each_variable_is_found_where_it_is_named(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/apis.yaml").write_text(APIS)
    (shop / "tenants/acme/.env").write_text("SYNC_KEY=k-991\n")
    done = tm("doctor", "--json")
    found = states(done.json)
    assert found["variable ERP_TOKEN"] == "missing"
    assert found["variable SYNC_KEY"] == "ok"
    assert found["variable LLM_KEY"] == "optional"
    assert (done.code, done.json["ok"]) == (1, False)
    assert "k-991" not in done.output
    text = tm("doctor").stdout
    assert "echo 'ERP_TOKEN=...' >> tenants/acme/.env" in text


def test_a_tenant_that_replays_needs_no_variables(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/apis.yaml").write_text(APIS)
    (shop / "tenants/acme/more.yaml").write_text("settings: {http: replay}\n")
    done = tm("doctor", "--json")
    assert states(done.json)["variable ERP_TOKEN"] == "optional"
    assert done.code == 0


def test_a_broken_file_is_named_with_the_command_that_shows_it(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme/broken.yaml").write_text("tools: [\n")
    checks = {check["subject"]: check for check in tm("doctor", "--json").json["checks"]}
    assert checks["tenant acme"]["state"] == "missing"
    assert "broken.yaml" in checks["tenant acme"]["message"]
    assert checks["tenant acme"]["mend"] == "tm lint -t acme"


def test_without_a_workspace_it_says_how_to_begin_one(
    tm: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    done = tm("doctor")
    assert done.code == 1
    assert "tm new tenant CODE" in done.stdout


def test_a_workspace_without_tenants_is_told(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme").rename(shop / "tenants/_other")
    assert states(tm("doctor", "--json").json)["tenants"] == "missing"


@pytest.mark.parametrize(
    ("lacks", "state", "said"),
    [(None, "ok", "--isolate works"), ("no Landlock", "optional", "can't work here: no Landlock")],
)
def test_it_says_whether_functions_can_be_isolated(
    tm: InProcess, shop: Path, monkeypatch: pytest.MonkeyPatch, lacks: str, state: str, said: str
) -> None:
    monkeypatch.setattr("tm.runner.isolation.lock.why_not", lambda: lacks)
    done = tm("doctor", "--json")
    assert states(done.json)["isolate"] == state
    assert said in done.output


def test_the_database_is_counted_and_a_damaged_one_told(tm: InProcess, shop: Path) -> None:
    tm("test-tool", "echo")
    assert "holds 1 run" in tm("doctor").stdout
    for path in (shop / ".tm").glob("tm.sqlite3-*"):
        path.unlink()
    (shop / ".tm/tm.sqlite3").write_bytes(b"no database" * 100)
    found = tm("doctor", "--json")
    assert states(found.json)["database"] == "missing"


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def test_a_folder_that_can_not_be_written_keeps_no_runs(
    tm: InProcess, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    found = {row["subject"]: row for row in tm("doctor", "--json").json["checks"]}
    assert found["database"]["state"] == "missing"
    assert "can't be written" in found["database"]["message"]


def test_secrets_in_git_are_missing_something(tm: InProcess, shop: Path) -> None:
    assert states(tm("doctor", "--json").json)["git"] == "optional"
    git(shop, "init", "-q")
    assert "echo .env >> .gitignore" in tm("doctor").stdout
    (shop / "tenants/acme/.env").write_text("A=b\n")
    git(shop, "add", "-A")
    assert "git rm --cached tenants/acme/.env" in tm("doctor").stdout
    git(shop, "rm", "-q", "--cached", "tenants/acme/.env")
    (shop / ".gitignore").write_text(".env\n")
    assert states(tm("doctor", "--json").json)["git"] == "ok"


def test_extras_are_optional_until_they_are_needed(tm: InProcess) -> None:
    found = states(tm("doctor", "--json").json)
    extras = {subject for subject in found if subject.startswith("extra ")}
    assert extras == {f"extra {name}" for name in EXTRAS}
    assert {found[extra] for extra in extras} <= {"ok", "optional"}
