"""Many tools in one call: which checks they give, and how each is run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from tm.errors import ConfigError, TmError, ToolError, UsageError, did_you_mean
from tm.model import Problem, Tool
from tm.records import record
from tm.runner.cases import choose_case, named_cases
from tm.runner.events import Report, Sink
from tm.runner.scope import RunOptions
from tm.runner.workspace import Workspace, with_case

_GLOB_CHARACTERS = frozenset("*?[")


@record
class Check:
    """One run that a suite makes, or the reason why it makes none.

    Attributes:
        case: name of the case; None: the given arguments, else the tool's own.
        skipped: why the tool is not run; None where it is.
        error: why the tool can't be run; None where it can.
    """

    tenant: str
    tool: str
    case: str | None = None
    skipped: str | None = None
    error: TmError | None = None


@record
class Outcome:
    """What became of a check: a report, or neither (skipped, or not loaded)."""

    check: Check
    report: Report | None = None

    @property
    def ok(self) -> bool | None:
        """Return None where the tool was skipped."""
        if self.check.skipped is not None:
            return None
        return self.report is not None and self.report.ok

    def to_json(self) -> dict[str, Any]:
        """Return the check's entry in `results` (SPEC, section 10)."""
        if self.report is not None:
            return self.report.to_json()
        start = {"tool": self.check.tool, "tenant": self.check.tenant}
        if self.check.error is not None:
            return not_run(self.check, self.check.error).to_json()
        return {**start, "ok": None, "skipped": self.check.skipped}


@record
class Summary:
    """All outcomes of a suite, counted."""

    outcomes: Sequence[Outcome]
    duration_ms: float

    def count(self, ok: bool | None) -> int:  # noqa: FBT001  the three values of Outcome.ok
        """Return how many checks passed (True), failed (False) or were skipped (None)."""
        return sum(1 for outcome in self.outcomes if outcome.ok is ok)

    @property
    def ok(self) -> bool:
        """Say whether nothing failed."""
        return self.count(False) == 0

    def to_json(self) -> dict[str, Any]:
        """Return the object that `tm test-tool` prints for several tools."""
        return {
            "ok": self.ok,
            "results": [outcome.to_json() for outcome in self.outcomes],
            "summary": {
                "passed": self.count(True),
                "failed": self.count(False),
                "skipped": self.count(None),
                "duration_ms": self.duration_ms,
            },
        }


def not_run(check: Check, error: TmError) -> Report:
    """Return the report of a tool that could not even begin."""
    return Report(
        tool=check.tool,
        tenant=check.tenant,
        case=check.case,
        ok=False,
        dry_run=False,
        mode="live",
        args=None,
        result=None,
        error=error,
        steps=(),
        http=(),
        log=(),
        duration_ms=0,
        log_id=None,
    )


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
) -> list[Check]:
    """Return the checks of several names and globs, each tool once, in the order given.

    Args:
        choose_tenant: says for which tenant a plain name is meant, or raises UsageError.
        tenants: where globs look.
        case: run this case of every tool.

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
        for check in found:
            if (check.tenant, check.tool) not in taken:
                checks.setdefault((check.tenant, check.tool, check.case), check)
        taken.update((check.tenant, check.tool) for check in found)
    return list(checks.values())


def run_checks(
    workspace: Workspace,
    checks: Sequence[Check],
    args: Mapping[str, Any] | None,
    options: RunOptions,
    sink: Sink,
) -> Iterator[Outcome]:
    """Run checks one after the other and yield what became of each.

    Args:
        args: given arguments for every tool; None: each its own.
    """
    with workspace.catalog.pinned():
        yield from _each(workspace, checks, args, options, sink)


def _each(
    workspace: Workspace,
    checks: Sequence[Check],
    args: Mapping[str, Any] | None,
    options: RunOptions,
    sink: Sink,
) -> Iterator[Outcome]:
    for check in checks:
        if check.skipped is not None or check.error is not None:
            yield Outcome(check)
            continue
        try:
            report = workspace.run_tool(
                check.tenant, check.tool, args, with_case(options, check.case), sink
            )
        except (ConfigError, ToolError) as problem:
            yield Outcome(Check(check.tenant, check.tool, check.case, error=problem))
        else:
            yield Outcome(check, report)


def summarize(outcomes: Iterable[Outcome]) -> Summary:
    """Exhaust the outcomes, and count them with the time that they took."""
    began = time.monotonic()
    done = list(outcomes)
    return Summary(done, round((time.monotonic() - began) * 1000, 3))


def _named(workspace: Workspace, tenant: str, name: str, case: str | None) -> list[Check]:
    """Return the one check of a tool that was named: with its own arguments, or none."""
    try:
        tool = workspace.tool(tenant, name)
    except ConfigError as problem:
        return [Check(tenant, name, case, error=problem)]
    needs_args = tool.args_fixture is None and tool.parameters.get("required")
    if case is None and needs_args:
        return [Check(tenant, name, skipped=_no_fixture(tool))]
    choose_case(tool, None, case)  # an unknown case is told before anything runs
    return [Check(tenant, name, case)]


def _matching(
    workspace: Workspace, pattern: str, tenants: Sequence[str], case: str | None
) -> Iterator[Check]:
    """Yield every case of every tool that a glob fits; broken files count as failed.

    Shared tools count where the tenant does not hide them, since it may call them.
    """
    hits: list[Tool] = []
    broken: list[Check] = []
    for code in tenants:
        tenant = workspace.catalog.tenant(code)
        tools = {**tenant.shared, **tenant.tools}
        hits += [tool for name, tool in sorted(tools.items()) if fnmatchcase(name, pattern)]
        broken += _broken(code, tenant.problems, pattern)
    if not hits and not broken:
        where = f"tenant '{tenants[0]}'" if len(tenants) == 1 else "the tenants"
        raise UsageError(
            f"no tool of {where} fits '{pattern}'",
            code="TM502",
            hint="tm list shows what there is; quote the pattern, or the shell fills it in",
        )
    _check_case(hits, case)
    for tool in hits:
        yield from _cases(tool, case)
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
            yield Check(code, name, error=problem.error)


def _check_case(tools: Sequence[Tool], case: str | None) -> None:
    """Refuse a case that no tool has.

    Raises:
        UsageError: naming the nearest cases.
    """
    known = {found.name or "" for tool in tools for found in named_cases(tool)}
    if case is not None and tools and case not in known:
        raise UsageError(
            f"none of these tools has a case '{case}'{did_you_mean(case, sorted(known))}",
            code="TM502",
            hint="tm show NAME lists a tool's fixtures",
        )


def _cases(tool: Tool, case: str | None) -> Iterator[Check]:
    names = [found.name for found in named_cases(tool)]
    if case is not None:
        names = [name for name in names if name == case]
    if not names:
        yield Check(tool.tenant, tool.name, skipped=_no_fixture(tool, case))
    for name in names:
        yield Check(tool.tenant, tool.name, name)


def _no_fixture(tool: Tool, case: str | None = None) -> str:
    if case is not None:
        return f"no case '{case}'"
    return f"no args_fixture and no fixtures in {tool.at.path}"
