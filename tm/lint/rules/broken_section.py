"""TM005, and TM007, TM101, TM117 of a part of a file that is not of the shape of a config."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tm.lint.rule import Hit, Rule, Subject, hit_of

_CODES: Final = ("TM005", "TM007", "TM101", "TM117")


def check(subject: Subject) -> Iterator[Hit]:
    """Yield what the reader says of a file that parses, but declares nothing in that part."""
    file = subject.file
    assert file is not None  # noqa: S101  the rule's scope
    for problem in file.source.problems:
        if problem.error.code in _CODES:
            hit = hit_of(problem.error)
            tool = problem.tools[0] if len(problem.tools) == 1 else None
            yield Hit(
                hit.at,
                hit.message,
                hit.help,
                tool=tool,
                code=problem.error.code,
                fixable=problem.error.code == "TM101",
            )


RULE = Rule("TM005", "file", check, _CODES)
