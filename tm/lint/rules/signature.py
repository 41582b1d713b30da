"""TM201: a function of a tool that can't be called as its role is."""

from __future__ import annotations

from collections.abc import Iterator

from tm.errors import Location
from tm.lint.code.roles import role_functions
from tm.lint.rule import Hit, Rule, Subject
from tm.scan import check_signature


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit at each `def` with the wrong parameters."""
    for function in role_functions(subject.home):
        hit = check_signature(function.node, function.role)
        if hit is not None:
            at = Location(function.file.path, hit.line, hit.col)
            end = (hit.end_line, hit.end_col)
            yield Hit(at, hit.message, hit.help, end, function.tool, fixable=True)


RULE = Rule("TM201", "home", check)
