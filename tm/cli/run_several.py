"""Several tools, or globs: run one after the other, show each verdict, and sum up."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tm.cli.call import RunCall
from tm.cli.run_arguments import Wanted, read_args, run_options, single_args
from tm.cli.show_failure import show_failure
from tm.errors import EXIT_FAILED, EXIT_OK
from tm.render.failure import error_lines
from tm.render.live import LiveLog
from tm.render.suite import outcome_line, summary_line

if TYPE_CHECKING:
    from tm.runner.suite import Outcome


def run_several(call: RunCall, names: Sequence[str], wanted: Wanted) -> int:
    """Run every tool that the names and globs mean, and return the exit code.

    Raises:
        TmError: before anything runs: an unknown name, a glob that fits nothing.
    """
    from tm.runner.suite import plan_checks, run_checks, summarize  # noqa: PLC0415  one tool needs none of it

    workspace = call.workspace
    given = read_args(wanted.args)
    checks = plan_checks(
        workspace,
        names,
        choose_tenant=call.tenant_for,
        tenants=call.tenants(),
        case=wanted.case,
    )
    args = single_args({}, wanted.arg, given)
    live = LiveLog(
        call.screen,
        least="debug" if wanted.verbose else "error" if wanted.quiet else "warning",
        curl=wanted.curl,
    )
    outcomes = run_checks(workspace, checks, args, run_options(wanted), live)
    summary = summarize(_shown(call, outcomes, wanted))
    if wanted.as_json:
        call.print_json(summary.to_json())
    else:
        call.print_lines([summary_line(summary)])
    return EXIT_OK if summary.ok else EXIT_FAILED


def _shown(call: RunCall, outcomes: "Iterable[Outcome]", wanted: Wanted) -> "Iterator[Outcome]":
    """Pass the outcomes on, each shown as it comes."""
    for outcome in outcomes:
        if not wanted.as_json and not (wanted.quiet and outcome.ok is not False):
            call.print_lines([outcome_line(outcome)])
            sys.stdout.flush()
        if outcome.report is not None:
            show_failure(call, outcome.report, wanted)
        elif outcome.check.error is not None:
            call.screen.show(error_lines(outcome.check.error))
        yield outcome
