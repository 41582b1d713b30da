"""The JUnit report of one named tool."""

from collections.abc import Callable
from pathlib import Path

from tm.cli.call import RunCall
from tm.cli.run_arguments import Wanted
from tm.render.junit import JUnitFile
from tm.runner.events import Report
from tm.runner.suite.outcomes import Check, Outcome, Tally


def written_report(call: RunCall, wanted: Wanted, run: Callable[[], Report]) -> Report:
    """Run, and write the JUnit report; one that is interrupted leaves a report that says so.

    Raises:
        TmError: the report can't be written, or whatever `run` raises.
    """
    tally = Tally()
    file = JUnitFile(wanted.junit or Path(), tally)
    file.begin()
    try:
        report = run()
    except BaseException:
        file.finish("the run was stopped before its end")
        raise
    at = call.workspace.tool(report.tenant, report.tool).at
    outcome = Outcome(Check(report.tenant, report.tool, report.case, at=at), report)
    tally.add(outcome)
    file.add(outcome)
    file.finish()
    return report
