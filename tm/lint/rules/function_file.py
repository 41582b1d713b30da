"""TM117, TM312: `FILE:FUNCTION` that is not there, or not inside the tenant."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from tm.errors import ConfigError, Location, did_you_mean
from tm.lint.rule import Hit, Rule, Subject, hit_of
from tm.lint.subjects import LintTool, LintWorkspace
from tm.model import FunctionRef


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit for each function field of the tool's own file that leads nowhere."""
    tool = subject.tool
    assert tool is not None  # noqa: S101  the rule's scope
    if not tool.is_whole:
        return
    for role, ref in tool.references:
        if not tool.is_own(role) or not isinstance(tool.values[role], str):
            continue
        if isinstance(ref, ConfigError):
            hit = hit_of(ref)
            yield Hit(hit.at, hit.message, hit.help, code=ref.code)
        else:
            yield from _missing(subject.workspace, tool, role, ref)


def _missing(
    workspace: LintWorkspace, tool: LintTool, role: str, ref: FunctionRef
) -> Iterator[Hit]:
    home = workspace.home_of(ref.home)
    if home is None:
        return
    at = tool.locate(role)
    relative = ref.path.split("/", 2)[2]
    if any(f"{relative}/".startswith(f"{link}/") for link in home.listing.links):
        return  # TM312 stands at the link
    file = home.file(ref.path)
    if file is None:
        yield _no_file(tool, role, at, ref, [file.path for file in home.files if file.is_python])
    elif file.tree is not None and ref.name not in file.functions:
        near = did_you_mean(ref.name, list(file.functions))
        hint = f"write a top-level def {ref.name} there, or correct the name"
        yield Hit(at, f"{role}: {ref.path} has no function '{ref.name}'{near}", hint, code="TM117")


def _no_file(tool: LintTool, role: str, at: Location, ref: FunctionRef, known: list[str]) -> Hit:
    folder = posixpath.dirname(tool.own.source.path)
    names = [posixpath.relpath(path, folder) for path in known]
    near = did_you_mean(posixpath.relpath(ref.path, folder), names)
    if not near:
        same = [n for n in names if posixpath.basename(n) == posixpath.basename(ref.path)]
        near = f"; did you mean '{same[0]}'?" if same else ""
    hint = "FILE counts from the folder of the file that names it"
    return Hit(at, f"{role}: there is no file {ref.path}{near}", hint, code="TM117")


RULE = Rule("TM117", "tool", check, ("TM117", "TM312"))
