"""TM001 to TM004, TM902 and the scan's codes: what stops a file, or a part of it, from loading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tm import scan
from tm.errors import Location
from tm.lint.rule import Hit, Rule, Subject, hit_of
from tm.lint.subjects import LintFile

_SCANNED: Final = ("TM201", *(f"TM30{number}" for number in range(1, 9)))
_CODES: Final = ("TM001", "TM002", "TM003", "TM004", *_SCANNED, "TM902")


def check(subject: Subject) -> Iterator[Hit]:
    """Yield what could not be read in a file, and what the scan refuses in it."""
    file = subject.file
    assert file is not None  # noqa: S101  the rule's scope
    if file.is_python and file.scan.hits:
        yield from _scanned(file)
        return
    for problem in file.source.problems:
        if problem.error.code in _CODES:
            hit = hit_of(problem.error)
            yield Hit(hit.at, hit.message, hit.help, code=problem.error.code)


def _scanned(file: LintFile) -> Iterator[Hit]:
    """Yield the scan's hits; of a call inside a call that is refused, only the outer one."""
    told: list[scan.Hit] = []
    for hit in file.scan.hits:
        if any(_is_same_cause(hit, other) for other in told):
            continue
        told.append(hit)
        at = Location(file.path, hit.line, hit.col)
        is_range = (hit.end_line, hit.end_col) > (hit.line, hit.col)
        end = (hit.end_line, hit.end_col) if is_range else None
        yield Hit(at, hit.message, hit.help, end, code=hit.code)


def _is_same_cause(hit: scan.Hit, other: scan.Hit) -> bool:
    """Return whether a hit is only a part of what another one tells."""
    if hit.code != other.code:
        return False
    inside = (hit.end_line, hit.end_col) <= (other.end_line, other.end_col)
    # The address in `requests.get("https://...")` adds nothing to the call.
    return inside or (hit.line == other.end_line and hit.message.startswith("a text for"))


RULE = Rule("TM001", "file", check, _CODES)
