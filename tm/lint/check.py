"""One run of the linter: files in, report out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from tm.config.discover import TENANTS, is_folder, known_tenant, tenant_codes
from tm.confine import read_bytes
from tm.errors import TmError
from tm.lint.baseline import compare, read_baseline, write_baseline
from tm.lint.changes import changed_files
from tm.lint.collect import MAX_BYTES, collect
from tm.lint.comments import Suppression, find_suppressions
from tm.lint.engine import lint, secret_redactor
from tm.lint.finding import Finding
from tm.lint.git import Git
from tm.lint.report import LintReport
from tm.lint.scope import Scope
from tm.lint.selection import Selection, narrowed
from tm.lint.settings import FILE, Allowed, Settings
from tm.lint.source_lines import split_lines
from tm.lint.subjects import LintWorkspace
from tm.lint.suppress import apply_allow, apply_comments
from tm.model import SHARED
from tm.records import record, replace

MAX_STALE = 20
"""Left over entries of a baseline that are named one by one."""


_COMMENT = re.compile(r"(?<=\S)\s+#[^'\"]*$")
"""A comment at the end of a line, which a finding without an end does not mean."""


@record
class LintRequest:
    """What a call asks for.

    Attributes:
        root: of the workspace.
        settings: of the workspace.
        tenant: code; None: every tenant, and `_shared`.
        baseline: where it is, and how the user calls it; None: there is none.
        since: git ref; None: everything counts as changed.
        environ: of the process, for git.
    """

    root: Path
    settings: Settings = Settings()
    tenant: str | None = None
    scope: Scope = Scope()
    selection: Selection = Selection()
    strict: bool = False
    baseline: tuple[Path, str] | None = None
    since: str | None = None
    environ: Mapping[str, str] = {}


def check(request: LintRequest) -> LintReport:
    """Lint a workspace.

    Raises:
        UsageError: unknown tenant or ref, or a baseline that can't be used.
    """
    workspace = collect(request.root, _homes(request))
    scope = request.scope
    if request.since is not None:
        git = Git(request.root, request.environ)
        scope = scope.only(changed_files(workspace, git, request.since))
    found = _Check(request, workspace, scope)
    findings = found.findings()
    notes: list[str] = []
    if request.baseline:
        findings, notes = found.against_baseline(findings, *request.baseline)
    files = [file.path for home in workspace.homes for file in home.files]
    return LintReport(
        findings=tuple(findings),
        files=sum(map(scope.holds, files)),
        strict=request.strict or request.settings.strict,
        lines_of=_shown_lines(workspace, found.lines_of),
        notes=tuple(notes),
    )


def _shown_lines(
    workspace: LintWorkspace, lines_of: Callable[[str], Sequence[str]]
) -> Callable[[str], Sequence[str]]:
    """Return the lines as a report may show them: without the secrets that the files hold."""
    redactor = secret_redactor(workspace)
    if redactor is None:
        return lines_of
    return lambda path: [redactor.text(line) for line in lines_of(path)]


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


class _Check:
    """Findings of the rules, as the settings, comments and baseline let them through."""

    def __init__(self, request: LintRequest, workspace: LintWorkspace, scope: Scope) -> None:
        self._request = request
        self._workspace = workspace
        self._scope = scope
        self._selection = narrowed(request.selection, request.settings.selection)
        self.lines_of = line_reader(request.root, request.settings)

    def findings(self) -> list[Finding]:
        """Return what is to be reported, sorted."""
        findings = lint(self._workspace)
        findings = apply_comments(findings, self._comments(), self._selection.takes)
        findings = apply_allow(findings, self._request.settings.allow, self._is_judged)
        return [
            with_end(finding, self.lines_of)
            for finding in sorted(findings, key=lambda finding: finding.order)
            if self._selection.takes(finding.code) and self._scope.holds(finding.at.path)
        ]

    def _comments(self) -> dict[str, Sequence[Suppression]]:
        found = {
            file.path: find_suppressions(file)
            for home in self._workspace.homes
            for file in home.files
        }
        return {path: comments for path, comments in found.items() if comments}

    def _is_judged(self, entry: Allowed) -> bool:
        """Say whether an entry of `allow` had its chance: its code and all its files."""
        if not self._selection.takes(entry.code):
            return False
        tenant = self._request.tenant
        return tenant is None or entry.path.startswith(f"{TENANTS}/{tenant}/")

    def against_baseline(
        self, findings: list[Finding], path: Path, shown: str
    ) -> tuple[list[Finding], list[str]]:
        """Return the findings that the baseline does not know; one that is missing is written."""
        known = read_baseline(path, shown)
        if known is None:
            write_baseline(path, shown, findings, self.lines_of)
            count = _counted(len(findings), "finding")
            return [], [f"baseline {shown} written with {count}; they are known from now on"]
        compared = compare(findings, known, self.lines_of, self._is_looked_at)
        notes = [
            f"baseline {shown}: {code} in {where} is not found any more"
            for where, code in compared.stale[:MAX_STALE]
        ]
        if compared.stale:
            count = _counted(len(compared.stale), "entry", "entries")
            notes.append(f"{count} left over in {shown}; delete it to have it written anew")
        return list(compared.new), notes

    def _is_looked_at(self, path: str, code: str) -> bool:
        codes = {home.code for home in self._workspace.homes}
        home = path.split("/")[1] if path.startswith(f"{TENANTS}/") else None
        is_read = home is None or home in codes or not self._request.tenant
        return is_read and self._selection.takes(code) and self._scope.holds(path)


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def line_reader(root: Path, settings: Settings) -> Callable[[str], Sequence[str]]:
    """Return a function that gives the lines of a file of the workspace, or none."""

    @lru_cache(maxsize=64)
    def lines_of(path: str) -> Sequence[str]:
        if path == FILE:
            return settings.lines
        parts = path.split("/", 2)
        if len(parts) < 3 or parts[0] != TENANTS:
            return ()
        try:
            data = read_bytes(root / TENANTS / parts[1], parts[2], limit=MAX_BYTES)
        except (TmError, OSError):
            return ()
        return split_lines(data, is_python=path.endswith(".py"))

    return lines_of


def with_end(finding: Finding, lines_of: Callable[[str], Sequence[str]]) -> Finding:
    """Return the finding with its end: where it has none, that of its line."""
    if finding.end is not None:
        return finding
    lines, line, col = lines_of(finding.at.path), finding.at.line or 1, finding.at.col or 1
    text = _COMMENT.sub("", lines[line - 1]) if line <= len(lines) else ""
    return replace(finding, end=(line, max(len(text.rstrip()) + 1, col)))
