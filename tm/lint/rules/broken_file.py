"""TM001 to TM004, TM902 and the scan's codes: what stops a file, or a part of it, from loading."""

from __future__ import annotations

from collections.abc import Iterator

from tm.lint.rule import Hit, Rule, Subject, hit_of


def check(subject: Subject) -> Iterator[Hit]:
    """Yield what could not be read in a file."""
    file = subject.file
    assert file is not None  # noqa: S101  the rule's scope
    for problem in file.source.problems:
        hit = hit_of(problem.error)
        yield Hit(hit.at, hit.message, hit.help, code=problem.error.code)


RULE = Rule("TM001", "file", check, ("TM001", "TM002", "TM003", "TM004", "TM902"))
