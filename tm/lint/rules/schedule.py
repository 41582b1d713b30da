"""TM405: cron expressions and time zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tm.errors import ConfigError, Location, did_you_mean
from tm.grammar.cron import parse_cron
from tm.lint.rule import Hit, Rule, Subject, hit_of


def check_task(subject: Subject) -> Iterator[Hit]:
    """Yield what is wrong with when a task runs."""
    task = subject.declared
    if task is None or not isinstance(task.value, Mapping):
        return
    cron = task.value.get("cron")
    if cron is None:
        yield Hit(task.at, f"task '{task.name}' has no cron expression", "cron: '0 6 * * 1-5'")
    elif isinstance(cron, str):
        try:
            parse_cron(cron)
        except ConfigError as error:
            hit = hit_of(error)
            yield Hit(task.locate("cron"), hit.message, hit.help)
    if "timezone" in task.value:
        yield from _zone(task.value["timezone"], task.locate("timezone"))


def check_home(subject: Subject) -> Iterator[Hit]:
    """Yield a `settings.timezone` that is none."""
    for declared in subject.home.declarations("settings"):
        if declared.name == "timezone":
            yield from _zone(declared.value, declared.at)


def _zone(name: object, at: Location) -> Iterator[Hit]:
    """Yield a hit for a name that the time zone database does not have."""
    if not isinstance(name, str) or name == "UTC":
        return
    import zoneinfo  # noqa: PLC0415  only a workspace with tasks needs it

    try:
        zoneinfo.ZoneInfo(name)
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        known = zoneinfo.available_timezones()
        if known:  # a machine without a time zone database can't tell
            near = did_you_mean(name, sorted(known)) or "; for example Europe/Berlin"
            yield Hit(at, f"there is no time zone {name!r:.60}{near}")


TASK_RULE = Rule("TM405", "task", check_task)
HOME_RULE = Rule("TM405", "home", check_home)
