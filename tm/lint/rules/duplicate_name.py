"""TM006: two files of a home declare the same name."""

from __future__ import annotations

from collections.abc import Iterator

from tm.config.extends import Declaration
from tm.lint.rule import Hit, Rule, Subject, hit_of

_WORDS = {
    "tools": "tool", "apis": "api", "assistants": "assistant", "scheduled": "task",
}  # fmt: skip


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit at the second declaration of a name, and at every further one."""
    for problem in subject.home.settings_problems:
        yield hit_of(problem.error)
    for section in _WORDS:
        first: dict[str, Declaration] = {}
        for declared in subject.home.declarations(section):
            before = first.setdefault(declared.name, declared)
            if before is not declared:
                yield _hit(before, declared)


def _hit(first: Declaration, second: Declaration) -> Hit:
    what = f"{_WORDS[second.section]} '{second.name}'"
    return Hit(
        second.at,
        f"{what} is declared twice: {first.at} and {second.at}",
        "files have no order, so neither counts: keep one of them, or give one another name",
        tool=second.name if second.section == "tools" else None,
    )


RULE = Rule("TM006", "home", check)
