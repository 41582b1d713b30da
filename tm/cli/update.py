"""`--update`: what a run gives now becomes what its case expects."""

from tm.cli.call import RunCall
from tm.cli.run_arguments import Wanted
from tm.errors import ConfigError, UsageError
from tm.render.failure import error_lines
from tm.render.lines import Span, line
from tm.runner.events import Report


def accept_report(call: RunCall, report: Report, wanted: Wanted) -> Report:
    """Write the result of a run into its case, say so, and return the report as it is then.

    A case without `expect` gets one only where it is named with `--case`.
    """
    from tm.runner.accept import accept_result

    try:
        judged, path = accept_result(call.workspace, report, may_add=wanted.case is not None)
    except (ConfigError, UsageError) as problem:
        call.screen.show(error_lines(problem))
        return report
    if path is not None:
        name = f"{report.tool} [{report.case}]"
        call.screen.show([line(Span("updated", "green"), f"  {name}  ", Span(path, "dim"))])
    return judged


def tell_if_nothing_to_update(call: RunCall, report: Report) -> None:
    """Say that a run has no expectation to be brought up to date."""
    if report.ok and report.case in {None, "default"}:
        call.warn(
            f"args_fixture of '{report.tool}' expects nothing: name a case with --case, "
            "whose `expect` is then written"
        )
