"""`--fix` and `--diff`: mends what is reported, in the files or as a difference only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import unified_diff

from tm.lint.engine import secret_redactor
from tm.lint.finding import Finding
from tm.lint.fix import Fixes, fix_until_done, write_fixes
from tm.lint.subjects import LintWorkspace
from tm.records import record

Again = Callable[[LintWorkspace], Sequence[Finding]]


@record
class Mended:
    """What was mended, or would be.

    Attributes:
        diff: as `diff -u` shows it, secrets masked; empty where nothing changes.
        notes: what was left and why, and what could not be written.
        is_written: whether files were changed.
    """

    diff: str
    notes: tuple[str, ...]
    is_written: bool


def mend(
    workspace: LintWorkspace, findings: Sequence[Finding], again: Again, *, write: bool
) -> Mended:
    """Mend what the findings tell, as far as that is safe.

    Args:
        findings: those that are shown.
        again: returns what would be shown of a workspace in memory.
        write: False: no file is touched.
    """
    fixes = fix_until_done(workspace, findings, again)
    failed = write_fixes(workspace, fixes.files) if write else []
    notes = [*_left(fixes), *failed]
    changed = len(fixes.files) - len(failed)
    if write and changed > 0:
        notes.append(f"mended {changed} file{'' if changed == 1 else 's'}")
    diff = "".join(_diff(workspace, fixes.files))
    redactor = secret_redactor(workspace) if diff else None
    return Mended(redactor.text(diff) if redactor else diff, tuple(notes), write and changed > 0)


def _left(fixes: Fixes) -> Iterator[str]:
    for left in fixes.left:
        yield f"not mended: {left.finding.at} {left.finding.code}: {left.why}"


def _diff(workspace: LintWorkspace, files: Mapping[str, bytes]) -> Iterator[str]:
    old = {file.path: file.data for home in workspace.homes for file in home.files}
    for path, data in sorted(files.items()):
        before, after = _lines(old.get(path, b"")), _lines(data)
        for row in unified_diff(before, after, f"a/{path}", f"b/{path}"):
            yield row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[str]:
    """Return the lines with their ends; only a newline ends one, as for other tools."""
    text = data.decode("utf-8", "replace")
    return [line + "\n" for line in text.split("\n")[:-1]] + [text.rpartition("\n")[2]] * (
        not text.endswith("\n") and bool(text)
    )
