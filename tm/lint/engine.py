"""Runs the rules over a workspace: every subject, every rule, nothing silent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from tm.codes import page
from tm.errors import Location
from tm.lint.catalog import RULES
from tm.lint.finding import Finding
from tm.lint.rule import Hit, Rule, Scope, Subject
from tm.lint.subjects import LintFile, LintHome, LintTool, LintWorkspace
from tm.records import replace
from tm.redact import Redactor

_SECTIONS: Final[Mapping[Scope, str]] = {
    "api": "apis",
    "assistant": "assistants",
    "task": "scheduled",
}

# One cause gives one finding: beside the key, what stands behind it in the same tool is left out.
SILENCED_BESIDE: Final[Mapping[str, frozenset[str]]] = {
    "TM101": frozenset({"TM007", "TM102", "TM105", "TM108", "TM109", "TM110", "TM113", "TM114"}),
    "TM111": frozenset({"TM102", "TM105", "TM108", "TM109", "TM110", "TM113", "TM107"}),
    "TM103": frozenset({"TM109", "TM118"}),
    "TM104": frozenset({"TM109"}),
    "TM119": frozenset({"TM109"}),
}


def lint(workspace: LintWorkspace, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Return what the rules find, sorted by place. A rule that crashes is a TM902 finding."""
    findings = lint_whole(workspace, rules)
    for home in workspace.homes:
        findings += lint_home(workspace, home, rules)
    return sorted(set(findings), key=lambda finding: finding.order)


def lint_home(
    workspace: LintWorkspace, home: LintHome, rules: Sequence[Rule] = RULES
) -> list[Finding]:
    """Return what the rules find in one home, which is one of the workspace's."""
    by_scope: dict[Scope, list[Rule]] = {}
    for rule in rules:
        by_scope.setdefault(rule.scope, []).append(rule)
    findings: list[Finding] = []
    for scope, subject in _subjects(workspace, home):
        findings += _one_cause(_found(subject, by_scope.get(scope, ())))
    return list(_masked(workspace, findings))


def lint_whole(workspace: LintWorkspace, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Return what the rules find that look at the workspace as a whole."""
    subject = Subject(workspace, workspace.shared)
    chosen = [rule for rule in rules if rule.scope == "workspace"]
    return list(_masked(workspace, _found(subject, chosen)))


def _masked(workspace: LintWorkspace, findings: list[Finding]) -> Iterable[Finding]:
    """Return the findings without the secrets of the files, which any rule may have quoted."""
    redactor = secret_redactor(workspace)
    if redactor is None:
        return findings
    return [
        replace(
            finding,
            message=redactor.text(finding.message),
            help=redactor.text(finding.help) if finding.help else finding.help,
        )
        for finding in findings
    ]


def secret_redactor(workspace: LintWorkspace) -> Redactor | None:
    """Return what masks the secrets that the files hold; None where they hold none."""
    values = {secret.value for file in _files(workspace) for secret in file.secrets}
    return Redactor(values) if values else None


def _files(workspace: LintWorkspace) -> Iterator[LintFile]:
    for home in {id(home): home for home in (*workspace.homes, workspace.shared)}.values():
        yield from home.files


def _subjects(workspace: LintWorkspace, home: LintHome) -> Iterator[tuple[Scope, Subject]]:
    for file in home.files:
        yield "file", Subject(workspace, home, file=file)
    for tool in home.tools:
        yield "tool", Subject(workspace, home, tool=tool)
    for scope, section in _SECTIONS.items():
        for declared in home.declarations(section):
            yield scope, Subject(workspace, home, declared=declared)
    yield "home", Subject(workspace, home)


def _found(subject: Subject, rules: Iterable[Rule]) -> list[Finding]:
    findings: list[Finding] = []
    for rule in rules:
        try:
            findings += [_finding(rule, hit, subject) for hit in rule.check(subject)]
        except Exception as problem:  # noqa: BLE001  a rule that crashes must not hide the others
            findings.append(_crashed(rule, problem, subject))
    return findings


def _finding(rule: Rule, hit: Hit, subject: Subject) -> Finding:
    code = hit.code or rule.code
    known = page(code)
    if known is None:
        raise LookupError(f"no page for {code}")
    return Finding(
        code=code,
        name=known.name,
        severity=known.severity,
        message=hit.message,
        at=hit.at,
        end=hit.end,
        help=hit.help,
        tool=hit.tool or (subject.tool.name if subject.tool else None),
        tenant=subject.home.code,
        fixable=hit.fixable,
    )


def _crashed(rule: Rule, problem: Exception, subject: Subject) -> Finding:
    return Finding(
        code="TM902",
        name="linter-failed",
        severity="error",
        message=f"rule {rule.code} failed here: {type(problem).__name__}: {problem}",
        at=_place(subject),
        help="this is a fault of tm: please report it with this file",
        tool=subject.tool.name if subject.tool else None,
        tenant=subject.home.code,
    )


def _place(subject: Subject) -> Location:
    if subject.file is not None:
        return Location(subject.file.path, 1)
    if isinstance(subject.tool, LintTool):
        return subject.tool.own.at
    if subject.declared is not None:
        return subject.declared.at
    return Location(f"tenants/{subject.home.code}", 1)


def _one_cause(findings: list[Finding]) -> list[Finding]:
    silenced: set[str] = set()
    for finding in findings:
        silenced |= SILENCED_BESIDE.get(finding.code, frozenset())
    return [finding for finding in findings if finding.code not in silenced]
