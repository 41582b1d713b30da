import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import InProcess

TASKS = """
settings: {timezone: Europe/Berlin}
scheduled:
  minutely: {cron: "* * * * *", tool: echo, args: {n: 5}}
  leap: {cron: "30 4 29 2 *", timezone: UTC, tool: echo}
  fails: {cron: "* * * * *", tool: fail}
  wrong: {cron: "61 * * * *", tool: echo}
"""
ASKS = """
assistants:
  desk: {system_prompt: You help., model: m, provider: p, tools: [echo]}
settings:
  providers: {p: {base_url: "http://127.0.0.1:9/v1", stream: false}}
scheduled:
  asks: {cron: "0 7 * * *", assistant: desk, message: Sum up.}
"""


@pytest.fixture
def office(shop: Path) -> Path:
    (shop / "tenants/acme/tasks.yaml").write_text(TASKS)
    return shop


def test_the_list_shows_when_each_is_due(tm: InProcess, office: Path) -> None:
    done = tm("schedule", "list", "--json")
    rows = {row["name"]: row for row in done.json["tasks"]}
    assert done.code == 0
    assert rows["leap"]["next"].endswith("-02-29T04:30:00+00:00")
    assert rows["minutely"]["timezone"] == "Europe/Berlin"
    assert (rows["wrong"]["next"], rows["wrong"]["cron"]) == (None, "61 * * * *")
    assert "TM405" in done.stderr
    assert rows["minutely"]["last"] is None


def test_the_list_is_a_table_with_a_head(tm: InProcess, office: Path) -> None:
    lines = tm("schedule", "list").stdout.splitlines()
    assert lines[0].split()[:4] == ["tenant", "task", "cron", "next"]
    assert len(lines) == 5


def test_a_tenant_without_tasks_is_told(tm: InProcess) -> None:
    done = tm("schedule", "list")
    assert (done.code, done.stdout) == (0, "")
    assert "there are no tasks" in done.stderr
    assert tm("schedule", "list", "--json").json == {"tasks": []}


def test_a_task_runs_by_name_and_is_remembered(tm: InProcess, office: Path) -> None:
    done = tm("schedule", "run", "minutely")
    assert (done.code, json.loads(done.stdout)["args"]) == (0, {"n": 5})
    assert "ok  minutely" in done.stderr
    assert "echo starts" in done.stderr
    rows = {row["name"]: row for row in tm("schedule", "list", "--json").json["tasks"]}
    assert rows["minutely"]["last"] is not None


def test_a_dry_run_takes_no_minute(tm: InProcess, office: Path) -> None:
    assert tm("schedule", "run", "minutely", "--dry-run", "--json").json["ok"] is True
    rows = {row["name"]: row for row in tm("schedule", "list", "--json").json["tasks"]}
    assert rows["minutely"]["last"] is None


def test_a_task_that_fails_is_exit_1_with_the_reason(tm: InProcess, office: Path) -> None:
    done = tm("schedule", "run", "fails")
    assert done.code == 1
    assert "TM509" in done.stderr
    assert tm("schedule", "run", "fails", "--json").json["error"]["code"] == "TM509"


def test_due_runs_the_good_ones_and_reports_the_others(tm: InProcess, office: Path) -> None:
    done = tm("schedule", "due", "--json")
    found = {task["task"]: task["ok"] for task in done.json["tasks"]}
    assert (done.code, done.json["ok"]) == (1, False)
    assert found == {"fails": False, "minutely": True, "wrong": False}
    assert "minutely" not in {
        task["task"] for task in tm("schedule", "due", "--json").json["tasks"]
    }


def test_due_says_what_became_of_each(tm: InProcess, office: Path) -> None:
    done = tm("schedule", "due")
    assert "ok  minutely" in done.stderr
    assert "failed  wrong" in done.stderr
    assert "TM405" in done.stderr


def test_an_unknown_task_comes_with_the_nearest(tm: InProcess, office: Path) -> None:
    done = tm("schedule", "run", "minutly", "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "TM524")
    assert "minutely" in done.json["error"]["message"]


def test_a_task_of_several_tenants_needs_a_choice(tm: InProcess, office: Path) -> None:
    (office / "tenants/zoo").mkdir()
    (office / "tenants/zoo/tasks.yaml").write_text(TASKS)
    assert "acme, zoo" in tm("schedule", "run", "leap").stderr
    assert tm("schedule", "run", "leap", "-t", "acme").code == 0
    assert "minutely" in tm("schedule", "run", "minutly").stderr
    assert "tm schedule list" in tm("schedule", "run", "qqqqqqq").stderr


def test_a_task_of_one_tenant_is_found_among_several(tm: InProcess, office: Path) -> None:
    (office / "tenants/zoo").mkdir()
    assert tm("schedule", "run", "leap").code == 0


def test_an_assistant_that_can_not_be_reached_is_told(tm: InProcess, office: Path) -> None:
    (office / "tenants/acme/asks.yaml").write_text(ASKS)
    done = tm("schedule", "run", "asks", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "TM519")
    assert done.json["answer"] is None


def test_a_workspace_without_tenants_has_no_tasks(tm: InProcess, shop: Path) -> None:
    (shop / "tenants/acme").rename(shop / "tenants/_away")
    assert tm("schedule", "run", "leap", "--json").json["error"]["code"] == "TM524"
