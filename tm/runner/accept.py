"""Takes the present result of a case as what is expected from now on."""

from __future__ import annotations

from tm.config.edit.fixtures import write_fixture_value
from tm.model import ABSENT, Fixture
from tm.records import replace
from tm.runner.events import Report
from tm.runner.expectations import judge, updated
from tm.runner.workspace import Workspace


def accept_result(
    workspace: Workspace, report: Report, *, may_add: bool
) -> tuple[Report, str | None]:
    """Write a run's result into its case where it is not as expected there.

    What the case says by markers stays as it is where it holds; so do all comments.

    Args:
        report: of a run of a named case; of any other it is returned as it is.
        may_add: give an expectation to a case that has none.

    Returns:
        The report as the case now sees it, and the file that was written; None: none was.

    Raises:
        UsageError: the tool is a shared one, or its file can't be written.
        ConfigError: the file can't be changed safely.
    """
    fixture = _fixture(workspace, report)
    if fixture is None or fixture.error is not None or not _has_result(report):
        return report, None
    if fixture.expect is ABSENT and not may_add:
        return report, None
    expect = report.result if fixture.expect is ABSENT else updated(fixture.expect, report.result)
    if fixture.expect is not ABSENT and expect == fixture.expect and report.ok:
        return report, None
    tool = workspace.tool(report.tenant, report.tool)
    path = write_fixture_value(workspace.root, tool, fixture.name, "expect", expect)
    well = replace(report, ok=True, error=None)
    return judge(well, replace(fixture, expect=expect)), path


def _has_result(report: Report) -> bool:
    """Say whether the run itself was well, whatever its case says of it."""
    return report.error is None or report.error.code == "TM514"


def _fixture(workspace: Workspace, report: Report) -> Fixture | None:
    tool = workspace.tool(report.tenant, report.tool)
    return next((fixture for fixture in tool.fixtures if fixture.name == report.case), None)
