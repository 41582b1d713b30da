"""TM117: a relative import of a file, or of a name in it, that is not there."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator

from tm.errors import did_you_mean
from tm.lint.code.home_code import imports_of
from tm.lint.code.places import end, place
from tm.lint.rule import Hit, Rule, Subject
from tm.lint.subjects import LintFile, LintHome


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit for each import that would stop the file from loading."""
    file = subject.file
    assert file is not None  # noqa: S101  the rule's scope
    if not file.is_python or b"import" not in file.data or file.scan.hits or file.tree is None:
        return
    for statement in ast.walk(file.tree):
        if isinstance(statement, ast.ImportFrom) and statement.level:
            message = _missing(subject.home, statement, file)
            if message:
                at, hint = place(file, statement), "correct the name, or write what it means there"
                yield Hit(at, message, hint, end(file, statement))


def _missing(home: LintHome, statement: ast.ImportFrom, file: LintFile) -> str | None:
    """Return what the import does not find; None where that is nothing, or not known."""
    wanted = dict(imports_of(statement, file.path)).values()
    for path, name in wanted:
        target = home.file(path)
        if target is None:
            return None if _is_hidden(home, path) else _no_file(home, path)
        bound = _bound(target)
        if target.tree is not None and not {name, "*"} & bound and name != "*":
            return f"{path} has no '{name}'{did_you_mean(name, sorted(bound))}"
    return None


def _is_hidden(home: LintHome, path: str) -> bool:
    """Say whether a file is there, but is a link or can't be read, which is told at itself."""
    relative = path.split("/", 2)[2]
    if relative in home.listing.files or relative in home.listing.unreadable:
        return True
    return any(f"{relative}/".startswith(f"{link}/") for link in home.listing.links)


def _no_file(home: LintHome, path: str) -> str:
    folder, name = posixpath.split(path)
    beside = [posixpath.split(other.path) for other in home.files if other.is_python]
    near = did_you_mean(name, [found for place_, found in beside if place_ == folder])
    return f"there is no file {path}{near}"


def _bound(file: LintFile) -> set[str]:
    """Return every name that anything in a file binds; more than the module's own is no harm."""
    found: set[str] = set()
    for node in ast.walk(file.tree) if file.tree else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
    return found


RULE = Rule("TM117", "file", check)
