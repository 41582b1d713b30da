"""One run of the linter: files in, report out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from tm.config.discover import TENANTS, is_folder, known_tenant, list_files, tenant_codes
from tm.lint.examine import WHOLE, examine, examine_workspace
from tm.lint.finding import Finding
from tm.lint.lines import LineReader, with_end
from tm.lint.report import LintReport
from tm.lint.results import HomeResult
from tm.lint.scope import Scope
from tm.lint.selection import Selection, narrowed
from tm.lint.settings import Allowed, Settings
from tm.lint.suppress import apply_allow, apply_comments
from tm.model import SHARED
from tm.records import record

if TYPE_CHECKING:
    from tm.lint.subjects import LintWorkspace

MAX_STALE = 20
"""Left over entries of a baseline that are named one by one."""

Fix: TypeAlias = Literal["no", "write", "diff"]


@record
class LintRequest:
    """What a call asks for.

    Attributes:
        root: of the workspace.
        settings: of the workspace.
        tenant: code; None: every tenant, and `_shared`.
        baseline: where it is, and how the user calls it; None: there is none.
        since: git ref; None: everything counts as changed.
        fix: whether files are mended, or only shown as they would be.
        environ: of the process, for git.
        cache: folder of the user's caches; None: nothing is kept.
    """

    root: Path
    settings: Settings = Settings()
    tenant: str | None = None
    scope: Scope = Scope()
    selection: Selection = Selection()
    strict: bool = False
    baseline: tuple[Path, str] | None = None
    since: str | None = None
    fix: Fix = "no"
    environ: Mapping[str, str] = {}
    cache: Path | None = None


def check(request: LintRequest) -> LintReport:
    """Lint a workspace; mend it first, where that is asked for.

    Raises:
        UsageError: unknown tenant or ref, or a baseline that can't be used.
    """
    return _Check(request).report()


class _Check:
    """Findings of the rules, as the settings, comments and baseline let them through."""

    def __init__(self, request: LintRequest) -> None:
        self._request = request
        self._codes = _homes(request)
        is_whole = set(tenant_codes(request.root)) <= set(self._codes)
        self._homes = [*self._codes, WHOLE] if is_whole else self._codes
        folder = request.root / TENANTS
        self._listings = {code: list_files(folder / code) for code in {*self._codes, SHARED}}
        self._selection = narrowed(request.selection, request.settings.selection)
        self._lines = LineReader(request.root, request.settings)
        self._notes = _odd_folders(request)
        self._scope = request.scope
        if request.since is not None:
            self._scope = request.scope.only(self._changed(request.since))

    def report(self) -> LintReport:
        """Return the outcome."""
        request, diff = self._request, ""
        findings = self._mended_or_found()
        if isinstance(findings, tuple):
            findings, diff = findings
        if request.baseline:
            findings = self._against_baseline(findings, *request.baseline)
        return LintReport(
            findings=tuple(with_end(finding, self._lines) for finding in findings),
            files=self._count_files(),
            strict=request.strict or request.settings.strict,
            lines_of=self._lines.shown,
            notes=tuple(self._notes),
            diff=diff,
        )

    def _changed(self, ref: str) -> set[str] | None:
        from tm.config.git import Git  # noqa: PLC0415  as above
        from tm.lint.changes import changed_files  # noqa: PLC0415  only --since needs it

        git = Git(self._request.root, self._request.environ)
        return changed_files(self._workspace(), git, ref)

    def _workspace(self) -> LintWorkspace:
        from tm.lint.collect import collect  # noqa: PLC0415  results of earlier runs need it not

        return collect(self._request.root, self._codes)

    def _mended_or_found(self) -> list[Finding] | tuple[list[Finding], str]:
        """Return what is found, or what is left, with the difference that mending makes."""
        if self._request.fix == "no":
            return self._passing(self._examined())
        from tm.lint.mend import mend  # noqa: PLC0415  only --fix and --diff need it

        workspace = self._workspace()
        findings = self._new(self._again(workspace))
        mended = mend(
            workspace,
            findings,
            lambda changed: self._new(self._again(changed)),
            write=self._request.fix == "write",
        )
        self._notes += mended.notes
        if mended.is_written:
            self._lines.forget()
            return self._again(self._workspace()), mended.diff
        return self._again(workspace), mended.diff

    def _examined(self) -> dict[str, HomeResult]:
        return examine(self._request.root, self._homes, self._listings, self._request.cache)

    def _again(self, workspace: LintWorkspace) -> list[Finding]:
        return self._passing(examine_workspace(workspace, self._homes))

    def _passing(self, results: Mapping[str, HomeResult]) -> list[Finding]:
        """Return what is to be reported, sorted."""
        comments = {path: c for result in results.values() for path, c in result.comments.items()}
        findings = [finding for result in results.values() for finding in result.findings]
        findings = apply_comments(findings, comments, self._selection.takes)
        findings = apply_allow(findings, self._request.settings.allow, self._is_judged)
        return [
            finding
            for finding in sorted(set(findings), key=lambda finding: finding.order)
            if self._selection.takes(finding.code) and self._scope.holds(finding.at.path)
        ]

    def _is_judged(self, entry: Allowed) -> bool:
        """Say whether an entry of `allow` had its chance: its code and all its files."""
        if not self._selection.takes(entry.code):
            return False
        tenant = self._request.tenant
        return tenant is None or entry.path.startswith(f"{TENANTS}/{tenant}/")

    def _new(self, findings: list[Finding]) -> list[Finding]:
        """Return the findings that the baseline does not know; it is only read."""
        from tm.lint.baseline import compare, read_baseline  # noqa: PLC0415  few calls have one

        known = read_baseline(*self._request.baseline) if self._request.baseline else None
        if known is None:
            return findings
        return list(compare(findings, known, self._lines.raw, self._is_looked_at).new)

    def _against_baseline(
        self, findings: Sequence[Finding], path: Path, shown: str
    ) -> list[Finding]:
        """Return the findings that the baseline does not know; one that is missing is written."""
        from tm.lint.baseline import compare, read_baseline, write_baseline  # noqa: PLC0415  as above

        known = read_baseline(path, shown)
        if known is None:
            write_baseline(path, shown, findings, self._lines.raw)
            count = _counted(len(findings), "finding", "findings")
            self._notes.append(f"baseline {shown} written with {count}; they are known from now on")
            return []
        compared = compare(findings, known, self._lines.raw, self._is_looked_at)
        self._notes += [
            f"baseline {shown}: {code} in {where} is not found any more"
            for where, code in compared.stale[:MAX_STALE]
        ]
        if compared.stale:
            count = _counted(len(compared.stale), "entry", "entries")
            self._notes.append(f"{count} left over in {shown}; delete it to have it written anew")
        return list(compared.new)

    def _is_looked_at(self, path: str, code: str) -> bool:
        home = path.split("/")[1] if path.startswith(f"{TENANTS}/") else None
        is_read = home is None or home in self._codes or not self._request.tenant
        return is_read and self._selection.takes(code) and self._scope.holds(path)

    def _count_files(self) -> int:
        return sum(
            self._scope.holds(f"{TENANTS}/{code}/{path}")
            for code in self._codes
            for path in self._listings[code].files
        )


def _homes(request: LintRequest) -> list[str]:
    """Return the homes to lint: the tenant, or all of them and `_shared`."""
    codes = tenant_codes(request.root)
    if request.tenant:
        return [known_tenant(request.tenant, codes)]
    if is_folder(request.root / TENANTS / SHARED):
        codes = [SHARED, *codes]
    asked = request.scope.homes()
    # What tenants use of the shared tools is seen only where all of them are looked at.
    if asked is None or SHARED in asked:
        return codes
    return [code for code in codes if code in asked]


def _odd_folders(request: LintRequest) -> list[str]:
    """Return a note for each folder beside the tenants that is none, for its name."""
    if request.tenant or request.scope.paths:
        return []
    known = set(tenant_codes(request.root))
    with os.scandir(request.root / TENANTS) as entries:
        names = [e.name for e in entries if e.is_dir(follow_symlinks=False)]
    return [
        f"{TENANTS}/{name!a} is no tenant and not looked at: a code has a-z, 0-9, - and _"
        for name in sorted(names)
        if name not in known and name[0] not in "._"
    ]


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
