"""Takes suppressed findings away, and finds suppressions that are wrong or left over (TM901)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from tm.errors import Location
from tm.lint.finding import Finding
from tm.lint.selection import lint_codes
from tm.lint.settings import FILE, Allowed
from tm.lint.suppression import Suppression

SECURITY: Final = "TM3"
"""Codes that only the settings can allow."""

NEVER: Final = frozenset({"TM901", "TM902"})
_FORM: Final = "write # tm: ignore[TMnnn] and why it is right here"

Judge = Callable[[str], bool]


def apply_comments(
    findings: Sequence[Finding], comments: Mapping[str, Sequence[Suppression]], is_judged: Judge
) -> list[Finding]:
    """Return the findings that no comment suppresses, and what is wrong with the comments.

    Args:
        comments: by path.
        is_judged: whether a code was looked for; of others a comment is not said to be unused.
    """
    kept: list[Finding] = []
    used: set[tuple[str, Suppression, str]] = set()
    for finding in findings:
        suppressing = [
            comment
            for comment in comments.get(finding.at.path, ())
            if finding.code in comment.codes and (finding.at.line or 1) in comment.covers
        ]
        used |= {(finding.at.path, comment, finding.code) for comment in suppressing}
        if not suppressing or not _by_comment(finding.code):
            kept.append(finding)
    for path, of_file in comments.items():
        for comment in of_file:
            kept += _faults(path, comment, used, is_judged)
    return kept


def _by_comment(code: str) -> bool:
    return not code.startswith(SECURITY) and code not in NEVER


def _faults(
    path: str,
    comment: Suppression,
    used: set[tuple[str, Suppression, str]],
    is_judged: Judge,
) -> Iterator[Finding]:
    at = Location(path, comment.line, comment.col)
    if not comment.codes:
        yield _bad(at, "this suppression names no code", _FORM)
        return
    faulty = False
    for code in comment.codes:
        fault = _fault(code, is_used=(path, comment, code) in used, is_judged=is_judged)
        if fault:
            faulty = True
            yield _bad(at, *fault)
    if not comment.reason and not faulty:
        codes = ", ".join(comment.codes)
        yield _bad(at, f"this suppression of {codes} gives no reason", _FORM)


def _fault(code: str, *, is_used: bool, is_judged: Judge) -> tuple[str, str] | None:
    """Return what is wrong with one code of a comment, and what to do."""
    if code not in lint_codes():
        return f"this suppression names {code!a:.40}, which is no lint code", _FORM
    if code in NEVER:
        return f"{code} can't be suppressed", "delete this suppression and mend what it hides"
    if code.startswith(SECURITY):
        return (
            f"a comment can't suppress the security rule {code}",
            f"mend it, or accept it with path and reason in [tool.tm.lint] allow of {FILE}",
        )
    if is_used or not is_judged(code):
        return None
    return f"this suppression of {code} suppresses nothing", f"delete {code} here"


def apply_allow(
    findings: Sequence[Finding], allow: Sequence[Allowed], is_judged: Callable[[Allowed], bool]
) -> list[Finding]:
    """Return the findings that the settings do not allow, and what is wrong with the settings.

    Args:
        is_judged: whether an entry's code and files were looked at.
    """
    kept: list[Finding] = []
    used: set[Allowed] = set()
    for finding in findings:
        fitting = [
            entry
            for entry in allow
            if entry.code == finding.code and path_fits(entry.path, finding.at.path)
        ]
        used.update(fitting)
        if finding.code in NEVER or not any(entry.reason for entry in fitting):
            kept.append(finding)
    faults = (
        (entry, _allow_fault(entry, is_used=entry in used or not is_judged(entry)))
        for entry in allow
    )
    kept += [_bad(Location(FILE, entry.line, 1), *fault) for entry, fault in faults if fault]
    return kept


def _allow_fault(entry: Allowed, *, is_used: bool) -> tuple[str, str] | None:
    if entry.code in NEVER:
        return f"{entry.code} can't be allowed", "delete the entry and mend what it hides"
    if not is_used:
        return (
            f"allow of {entry.code} in {entry.path!a:.100} allows nothing",
            "delete the entry, or correct its path",
        )
    if not entry.reason:
        return (
            f"allow of {entry.code} in {entry.path!a:.100} gives no reason, so it allows nothing",
            'add reason = "why this is right there"',
        )
    return None


def path_fits(pattern: str, path: str) -> bool:
    """Say whether a path is one of a pattern: `*` stands for anything but `/`, `**` for all."""
    return pattern == path or _compiled(pattern).fullmatch(path) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    words = {"**/": r"(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*+|\?)", pattern)
    whole = "".join(
        words.get(part, words["**"] if "*" in part else re.escape(part)) for part in parts
    )
    return re.compile(whole + (".*" if pattern.endswith("/") else ""), re.DOTALL)


def _bad(at: Location, message: str, help: str) -> Finding:  # noqa: A002  the field's name
    from tm.codes import page  # noqa: PLC0415  the pages are needed only where something is wrong

    known = page("TM901")
    parts = at.path.split("/")
    return Finding(
        code="TM901",
        name=known.name if known else "bad-suppression",
        severity="error",
        message=message,
        at=at,
        help=help,
        tenant=parts[1] if len(parts) > 2 else None,
    )
