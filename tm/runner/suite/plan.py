"""Which checks the names and globs of one call give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from tm.errors import ConfigError, UsageError, did_you_mean
from tm.model import Problem, Tool
from tm.records import replace
from tm.runner.cases import choose_case, named_cases
from tm.runner.suite.outcomes import Check
from tm.runner.workspace import Workspace

_GLOB_CHARACTERS = frozenset("*?[")
_READS = frozenset({"GET", "HEAD"})
_KEPT_TENANTS = 4


def is_pattern(name: str) -> bool:
    """Say whether a name given on the command line is a glob."""
    return not _GLOB_CHARACTERS.isdisjoint(name)


def plan_checks(
    workspace: Workspace,
    names: Iterable[str],
    *,
    choose_tenant: Callable[[str], str],
    tenants: Sequence[str],
    case: str | None = None,
    has_args: bool = False,
) -> list[Check]:
    """Return the checks of several names and globs, each tool once, in the order given.

    Args:
        choose_tenant: says for which tenant a plain name is meant, or raises UsageError.
        tenants: where globs look.
        case: run this case of every tool.
        has_args: arguments are given, with which each tool runs once instead of its cases.

    Raises:
        UsageError: an unknown name, or a glob that no tool fits; before anything runs.
    """
    checks: dict[tuple[str, str, str | None], Check] = {}
    taken: set[tuple[str, str]] = set()
    for name in names:
        found = (
            list(_matching(workspace, name, tenants, case))
            if is_pattern(name)
            else _named(workspace, choose_tenant(name), name, case)
        )
        for check in map(_with_args, found) if has_args and case is None else found:
            if (check.tenant, check.tool) not in taken:
                checks.setdefault((check.tenant, check.tool, check.case), check)
        taken.update((check.tenant, check.tool) for check in found)
    return list(checks.values())


def _with_args(check: Check) -> Check:
    """Return the check of given arguments: a tool without any of its own can be run, too."""
    return check if check.error is not None else replace(check, case=None, skipped=None)


def _named(workspace: Workspace, tenant: str, name: str, case: str | None) -> list[Check]:
    """Return the one check of a tool that was named: with its own arguments, or none."""
    try:
        tool = workspace.tool(tenant, name)
    except ConfigError as problem:
        return [Check(tenant, name, case, error=problem, at=problem.at)]
    needs_args = tool.args_fixture is None and tool.parameters.get("required")
    if case is None and needs_args:
        return [_check(tool, skipped=_no_fixture(tool))]
    choose_case(tool, None, case)  # an unknown case is told before anything runs
    return [_check(tool, case)]


def _matching(
    workspace: Workspace, pattern: str, tenants: Sequence[str], case: str | None
) -> Iterator[Check]:
    """Yield every case of every tool that a glob fits; broken files count as failed.

    Shared tools count where the tenant does not hide them, since it may call them.
    """
    found: list[Check] = []
    broken: list[Check] = []
    cases: set[str] = set()
    for number, code in enumerate(tenants):
        tenant = workspace.catalog.tenant(code)
        tools = {**tenant.shared, **tenant.tools}
        for tool in (tools[name] for name in sorted(tools) if fnmatchcase(name, pattern)):
            found += _cases(tool, case)
            cases |= {known.name or "" for known in named_cases(tool)}
        broken += _broken(code, tenant.problems, pattern)
        if number >= _KEPT_TENANTS:  # of many, each is read again where it runs
            workspace.catalog.forget(code)
    if not found and not broken:
        where = f"tenant '{tenants[0]}'" if len(tenants) == 1 else "the tenants"
        raise UsageError(
            f"no tool of {where} fits '{pattern}'",
            code="TM502",
            hint="tm list shows what there is; quote the pattern, or the shell fills it in",
        )
    if case is not None and found and case not in cases:
        raise _unknown_case(case, cases)
    yield from found
    yield from broken


def _broken(code: str, problems: Iterable[Problem], pattern: str) -> Iterator[Check]:
    """Yield a failed check for each tool of a broken file that a glob fits.

    A file of which not even the tools' names can be read fails under its path, where the glob
    fits everything: a run of all tools must not stay green beside it.
    """
    for problem in problems:
        names = [name for name in sorted(problem.tools) if fnmatchcase(name, pattern)]
        if not problem.tools and pattern == "*" and problem.error.at is not None:
            names = [problem.error.at.path]
        for name in names:
            yield Check(code, name, error=problem.error, at=problem.error.at)


def _unknown_case(case: str, known: set[str]) -> UsageError:
    return UsageError(
        f"none of these tools has a case '{case}'{did_you_mean(case, sorted(known))}",
        code="TM502",
        hint="tm show NAME lists a tool's fixtures",
    )


def _cases(tool: Tool, case: str | None) -> Iterator[Check]:
    names = [found.name for found in named_cases(tool)]
    if case is not None:
        names = [name for name in names if name == case]
    if not names:
        yield _check(tool, skipped=_no_fixture(tool, case))
    for name in names:
        yield _check(tool, name)


def _check(tool: Tool, case: str | None = None, *, skipped: str | None = None) -> Check:
    runs_code = tool.preprocess or tool.postprocess or tool.handler
    only_reads = runs_code is None and (tool.read_only or tool.method in _READS)
    return Check(tool.tenant, tool.name, case, skipped, at=tool.at, only_reads=only_reads)


def _no_fixture(tool: Tool, case: str | None = None) -> str:
    if case is not None:
        return f"no case '{case}'"
    return f"no args_fixture and no fixtures in {tool.at.path}"
