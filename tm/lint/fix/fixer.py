"""Mends what can be mended safely, in memory; what is left is said, with the reason."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from tm.config.reader import read_source
from tm.config.source import Source
from tm.lint.code.home_code import code_of
from tm.lint.code.roles import Role, role_functions
from tm.lint.finding import Finding
from tm.lint.fix.ctx_key import fix_ctx_key
from tm.lint.fix.edits import CantFixError
from tm.lint.fix.flatten_python import flatten_python
from tm.lint.fix.flatten_yaml import flatten_yaml
from tm.lint.fix.named_list import name_list_python, name_list_yaml
from tm.lint.fix.parameters import fix_parameters
from tm.lint.fix.required import fix_required_python, fix_required_yaml
from tm.lint.subjects import LintFile, LintHome, LintWorkspace
from tm.records import record

FIXABLE: Final = frozenset({"TM101", "TM104", "TM201", "TM204"})
_ROUNDS: Final = 5
_Roles: TypeAlias = dict[tuple[str, str], set[Role]]


@record
class Left:
    """A finding that a fix is known for, but that was not mended here."""

    finding: Finding
    why: str


@record
class Fixes:
    """What a fix changes.

    Attributes:
        files: the new bytes of each changed file, by path from the root.
        left: what was not mended, in the order of the findings.
    """

    files: Mapping[str, bytes]
    left: tuple[Left, ...]


def fix_files(workspace: LintWorkspace, findings: Sequence[Finding]) -> Fixes:
    """Mend what the findings tell, in files of the homes that are linted. Writes nothing.

    Args:
        findings: those that are shown; what is suppressed or not selected stays as it is.
    """
    files: dict[str, bytes] = {}
    left: list[Left] = []
    roles = _roles(workspace)
    # From the bottom up: an edit moves nothing that stands above it.
    for finding in sorted(findings, key=lambda finding: finding.order, reverse=True):
        place = _place(workspace, finding.at.path) if finding.code in FIXABLE else None
        if place is None:
            continue
        file = place[0]
        before = files.get(file.path, file.data)
        try:
            after = _mend(before, place, finding, roles)
        except CantFixError as reason:
            left.append(Left(finding, str(reason)))
            continue
        except RecursionError:
            left.append(Left(finding, "the file is nested too deep to be rewritten"))
            continue
        if after != before:
            files[file.path] = after
    return Fixes(files, tuple(reversed(left)))


def fix_until_done(
    workspace: LintWorkspace,
    findings: Sequence[Finding],
    again: Callable[[LintWorkspace], Sequence[Finding]],
) -> Fixes:
    """Mend what the findings tell, and what only shows once that is mended.

    Args:
        again: lints a workspace in memory and returns what would be shown.
    """
    files: dict[str, bytes] = {}
    fixes = fix_files(workspace, findings)
    for _ in range(_ROUNDS):
        if not fixes.files:
            break
        files |= fixes.files
        workspace = with_files(workspace, fixes.files)
        fixes = fix_files(workspace, again(workspace))
    return Fixes(files, fixes.left)


def with_files(workspace: LintWorkspace, files: Mapping[str, bytes]) -> LintWorkspace:
    """Return the workspace with other bytes in some files."""
    shared = _home(workspace.shared, files, None)
    homes = [
        shared if home is workspace.shared else _home(home, files, shared)
        for home in workspace.homes
    ]
    return LintWorkspace(workspace.root, homes, shared)


def _home(home: LintHome, files: Mapping[str, bytes], shared: LintHome | None) -> LintHome:
    return LintHome(
        home.code,
        home.listing,
        [_changed(file, files.get(file.path)) for file in home.files],
        shared,
    )


def _changed(old: LintFile, data: bytes | None) -> LintFile:
    if data is None:
        return old
    file = LintFile(old.path, old.home, data, Source(old.path))
    file.source = read_source(data, old.path, file.scan if file.is_python else None)
    return file


def _place(workspace: LintWorkspace, path: str) -> tuple[LintFile, LintHome] | None:
    return next(((file, home) for home in workspace.homes if (file := home.file(path))), None)


def _roles(workspace: LintWorkspace) -> _Roles:
    found: _Roles = {}
    for home in workspace.homes:
        for function in role_functions(home):
            found.setdefault((function.file.path, function.node.name), set()).add(function.role)
    return found


def _mend(data: bytes, place: tuple[LintFile, LintHome], finding: Finding, roles: _Roles) -> bytes:
    file, home = place
    if finding.code == "TM101" and isinstance(file.source.data.get("tools"), list):
        return (name_list_python if file.is_python else name_list_yaml)(data)
    if finding.code == "TM101":
        return (flatten_python if file.is_python else flatten_yaml)(data, finding)
    if finding.code == "TM104":
        return (fix_required_python if file.is_python else fix_required_yaml)(data, finding)
    if finding.code == "TM204":
        return fix_ctx_key(data, finding)
    name = _function_at(file, finding)
    _refuse_callers(file, name, home)
    return fix_parameters(data, finding, roles.get((file.path, name), set()))


def _function_at(file: LintFile, finding: Finding) -> str:
    """Return the name of the top-level `def` that a finding stands at."""
    for node in file.functions.values():
        if node.lineno == finding.at.line:
            return node.name
    raise CantFixError("the function is not at the top of its file")


def _refuse_callers(file: LintFile, name: str, home: LintHome) -> None:
    """Refuse to change a function that code of another file calls."""
    code = code_of(home)
    for other in home.files:
        if other is file or other.tree is None or name.encode() not in other.data:
            continue
        for node in ast.walk(other.tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            found = code.function(other, node.func.id)
            if found is not None and found[1] is file.functions[name]:
                where = f"{other.path}:{node.lineno}"
                raise CantFixError(f"{where} calls it, and would have to change as well")
