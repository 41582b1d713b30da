"""The baseline: findings that are known and accepted for now, so that only new ones count.

A finding is known by its path, its code and the content of its line, so that it stays known where
lines are added above it. The content is kept as a digest: a line may hold a secret.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias

from tm.config.file_bytes import replace_file
from tm.errors import UsageError
from tm.lint.finding import Finding
from tm.records import record

VERSION: Final = 1
Key: TypeAlias = tuple[str, str, str]
"""Path, code, digest of the line."""

LinesOf: TypeAlias = Callable[[str], Sequence[str]]


@record
class Compared:
    """Findings against a baseline.

    Attributes:
        new: those that it does not know.
        known: number of those that it knows.
        stale: of its entries, path and code of those that were not found any more.
    """

    new: tuple[Finding, ...]
    known: int
    stale: tuple[tuple[str, str], ...]


def read_baseline(path: Path, shown: str) -> Counter[Key] | None:
    """Return the known findings with their numbers; None where there is no such file.

    Args:
        shown: the path as the user gave it, for messages.

    Raises:
        UsageError: TM500 for a file that can't be read or is no baseline.
    """
    if not path.exists() and not path.is_symlink():
        return None
    try:
        if not path.is_file():
            raise _unusable(shown, "it is no regular file")
        document = json.loads(path.read_bytes())
        return Counter({_key(entry): _count(entry) for entry in document["findings"]})
    except OSError as error:
        raise _unusable(shown, (error.strerror or "it can't be read").lower()) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _unusable(shown, "it was not written by tm lint --baseline") from error


def _key(entry: Any) -> Key:
    key = (entry["path"], entry["code"], entry["line"])
    if not all(isinstance(part, str) for part in key):
        raise TypeError("path, code and line are texts")
    return key


def _count(entry: Any) -> int:
    count = entry["count"]
    if not isinstance(count, int) or count < 1:
        raise ValueError("a count is a positive number")
    return count


def _unusable(shown: str, why: str) -> UsageError:
    return UsageError(
        f"the baseline {shown} can't be used: {why}",
        code="TM500",
        hint="delete it, and the next run writes it with the findings of that run",
    )


def compare(
    findings: Iterable[Finding],
    known: Counter[Key],
    lines_of: LinesOf,
    is_judged: Callable[[str, str], bool],
) -> Compared:
    """Return which findings are new, and which entries of the baseline are left over.

    Args:
        lines_of: returns a file's lines.
        is_judged: whether a path was looked at for a code.
    """
    left, new = Counter(known), []
    for finding in findings:
        key = key_of(finding, lines_of)
        if left[key] > 0:
            left[key] -= 1
        else:
            new.append(finding)
    stale = sorted((path, code) for path, code, _ in left.elements() if is_judged(path, code))
    return Compared(tuple(new), sum(known.values()) - sum(left.values()), tuple(stale))


def key_of(finding: Finding, lines_of: LinesOf) -> Key:
    """Return what a finding is known by."""
    lines, number = lines_of(finding.at.path), (finding.at.line or 1) - 1
    content = " ".join(lines[number].split()) if number < len(lines) else ""
    digest = sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return (finding.at.path, finding.code, digest)


def write_baseline(path: Path, shown: str, findings: Iterable[Finding], lines_of: LinesOf) -> None:
    """Write the findings as a baseline: whole or not at all, and the same for the same findings.

    Raises:
        UsageError: TM500 where it can't be written.
    """
    counts = Counter(key_of(finding, lines_of) for finding in findings)
    entries = [
        {"path": where, "code": code, "line": digest, "count": count}
        for (where, code, digest), count in sorted(counts.items())
    ]
    text = json.dumps({"version": VERSION, "findings": entries}, indent=1, ensure_ascii=False)
    try:
        replace_file(path, (text + "\n").encode("utf-8", "backslashreplace"))
    except OSError as error:
        why = (error.strerror or "").lower()
        raise UsageError(f"the baseline {shown} can't be written: {why}", code="TM500") from error
