from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tm.errors import ChatError, ConfigError, UsageError
from tm.runner.scope import RunOptions
from tm.runner.tasks import TaskOutcome, find_task, next_run, run_due, run_task
from tm.runner.workspace import Workspace, ignore
from tm.store.claims import Claims
from tm.store.tables import Tables, open_tables

TOOLS = """
def run(results, args, ctx):
    ctx["logger"].info("start")
    ctx["logger"].info("end")
    return {"shop": args.get("shop")}


SHOP = {"type": "object", "properties": {"shop": {"type": "string"}}}
tools = {
    "sync": {"description": "Sync.", "parameters": SHOP, "handler": run},
}
"""
TASKS = """
settings: {timezone: Europe/Berlin}
scheduled:
  daily: {cron: "0 6 * * *", tool: sync, args: {shop: a}}
  minute: {cron: "* * * * *", timezone: UTC, tool: sync}
  wrong: {cron: "x", tool: sync}
  none: {tool: sync}
  zone: {cron: "* * * * *", timezone: Nowhere, tool: sync}
  asks: {cron: "0 7 * * *", assistant: desk, message: Sum up.}
  both: {cron: "0 8 * * *", assistant: desk, tool: sync}
"""
NOON = datetime(2026, 5, 4, 12, 0, 20, tzinfo=UTC)


class SetClock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = NOON

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return self.time.timestamp()


class Office:
    """A workspace with one tenant, its clock, and an assistant that notes what it is asked."""

    def __init__(self, root: Path) -> None:
        self.clock = SetClock()
        self.workspace = Workspace(root, environ={}, clock=self.clock, cache_dir=root / "cache")
        self.tables: Tables = open_tables(root, {}, now=self.clock.now)
        self.asked: list[tuple[str, str, str]] = []

    def ask(self, tenant: str, assistant: str, message: str, options: RunOptions) -> str:
        self.asked.append((tenant, assistant, message))
        if assistant == "gone":
            raise ChatError("the model is away", code="TM519")
        return f"answer as {options.entry_type}"

    @property
    def tenant(self) -> Any:
        return self.workspace.catalog.tenant("shop")

    def due(self) -> dict[str, TaskOutcome]:
        claims = Claims(self.tables)
        found = run_due(self.workspace, self.tenant, claims, ask=self.ask, sink=ignore)
        return {outcome.task: outcome for outcome in found}

    def run(self, name: str, **options: Any) -> TaskOutcome:
        task = find_task(self.tenant, name)
        return run_task(self.workspace, "shop", task, ask=self.ask, sink=ignore, **options)


@pytest.fixture
def office(workspace: Callable[..., Path]) -> Iterator[Office]:
    root = workspace({"tenants/shop/tools.py": TOOLS, "tenants/shop/tasks.yaml": TASKS})
    found = Office(root)
    yield found
    found.tables.close()
    found.workspace.close()


def names(outcomes: dict[str, TaskOutcome]) -> set[str]:
    return {name for name, outcome in outcomes.items() if outcome.ok}


def test_the_present_minute_is_due_and_then_no_more(office: Office) -> None:
    assert names(office.due()) == {"minute"}
    assert names(office.due()) == set()
    office.clock.time += timedelta(minutes=1)
    assert names(office.due()) == {"minute"}


def test_a_task_is_due_in_its_zone(office: Office) -> None:
    office.clock.time = datetime(2026, 5, 4, 4, 0, tzinfo=UTC)
    outcome = office.due()["daily"]
    assert (outcome.result, outcome.log_id is not None) == ({"shop": "a"}, True)


def test_what_was_missed_is_caught_up_by_one_run(office: Office) -> None:
    office.due()
    office.clock.time += timedelta(days=3)
    assert {"daily", "minute", "asks"} <= names(office.due())
    assert names(office.due()) == set()


def test_a_new_task_is_not_caught_up_before_it_was_known(office: Office) -> None:
    assert "daily" not in office.due()


def test_one_that_can_not_run_is_reported_each_time(office: Office) -> None:
    for _ in range(2):
        found = office.due()
        errors = {name: found[name].error for name in ("wrong", "none", "zone")}
        assert {error.code for error in errors.values() if error} == {"TM405"}
        assert all("tasks.yaml" in str(error) for error in errors.values())


def test_the_log_says_that_a_schedule_ran_it(office: Office) -> None:
    outcome = office.run("minute")
    assert outcome.log_id is not None
    row = office.workspace.log.show(outcome.log_id)
    assert row is not None
    assert (row.entry_type, row.args) == ("scheduled_task", {})


def test_an_assistant_is_asked_with_its_message(office: Office) -> None:
    outcome = office.run("asks")
    assert office.asked == [("shop", "desk", "Sum up.")]
    document = outcome.to_json()
    assert document["answer"] == "answer as scheduled_task"
    assert "result" not in document


def test_an_assistant_that_fails_is_an_outcome(office: Office) -> None:
    (office.workspace.root / "tenants/shop/more.yaml").write_text(
        "scheduled: {lost: {cron: '* * * * *', assistant: gone, message: Hi.}}\n"
    )
    document = office.run("lost").to_json()
    assert (document["ok"], document["error"]["code"], document["answer"]) == (False, "TM519", None)


def test_a_task_of_two_kinds_is_refused(office: Office) -> None:
    error = office.run("both").error
    assert error is not None
    assert error.code == "TM402"


def test_a_dry_run_says_so_in_the_log(office: Office) -> None:
    row = office.workspace.log.show(office.run("minute", dry_run=True).log_id or 0)
    assert row is not None
    assert row.dry_run


def test_the_next_run_is_in_the_tasks_zone(office: Office) -> None:
    tenant = office.tenant
    found = next_run(tenant.scheduled["daily"], tenant.settings, NOON)
    assert found is not None
    assert found.isoformat() == "2026-05-05T06:00:00+02:00"
    with pytest.raises(ConfigError, match=r"task 'wrong'"):
        next_run(tenant.scheduled["wrong"], tenant.settings, NOON)


def test_an_unknown_task_comes_with_the_nearest(office: Office) -> None:
    with pytest.raises(UsageError, match="did you mean 'daily'"):
        find_task(office.tenant, "dayly")
