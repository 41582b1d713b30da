"""One named tool: run it, show its result or why there is none."""

from collections.abc import Callable, Sequence
from typing import Any

from tm.cli.call import RunCall
from tm.cli.run_arguments import Wanted, read_args, run_options, single_args
from tm.cli.show_failure import show_failure
from tm.errors import EXIT_OK
from tm.render.live import LiveLog
from tm.render.steps import step_lines
from tm.runner.events import Level, Report


def run_one(call: RunCall, names: Sequence[str], wanted: Wanted) -> int:
    """Run the one tool of `names` and return the exit code.

    Raises:
        TmError: nothing could be run.
    """
    name = names[0]
    given, options = read_args(wanted.args), run_options(wanted)
    tenant = call.tenant_for(name)
    args = _all_args(call, tenant, name, given, wanted)
    sink = LiveLog(call.screen, least=_least_level(wanted), curl=wanted.curl)
    run = _run_with_report if wanted.junit else _run
    report = run(call, wanted, lambda: call.workspace.run_tool(tenant, name, args, options, sink))
    _show(call, report, wanted)
    return EXIT_OK if report.error is None else report.error.exit_code


def _run(call: RunCall, wanted: Wanted, run: Callable[[], Report]) -> Report:
    """Run, and do what follows from it but is not shown on stdout."""
    report = run()
    if wanted.update:
        from tm.cli.update import accept_report, tell_if_nothing_to_update  # only --update needs it

        report = accept_report(call, report, wanted)
        tell_if_nothing_to_update(call, report)
    note_last_failure(call, report)
    return report


def _run_with_report(call: RunCall, wanted: Wanted, run: Callable[[], Report]) -> Report:
    """Run as above, with a JUnit report."""
    from tm.cli.one_junit import written_report  # only --junit needs it

    return written_report(call, wanted, lambda: _run(call, wanted, run))


def note_last_failure(call: RunCall, report: Report) -> None:
    """Keep a failed case for `--last-failed`, and forget one that is well again."""
    is_kept = report.case is not None
    if is_kept and (not report.ok or (call.root_folder / ".tm" / "last-failed.json").exists()):
        from tm.runner.suite.last_failed import LastFailed  # most runs end well
        from tm.runner.suite.outcomes import Check, Outcome

        memory = LastFailed(call.root_folder)
        memory.note(Outcome(Check(report.tenant, report.tool, report.case), report))
        memory.save()


def _all_args(
    call: RunCall, tenant: str, name: str, given: dict[str, Any] | None, wanted: Wanted
) -> dict[str, Any] | None:
    """Return `--args` with every `--arg` on top; the tool is looked up only where it types one."""
    if not wanted.arg:
        return given
    return single_args(call.workspace.tool(tenant, name).parameters, wanted.arg, given)


def _least_level(wanted: Wanted) -> Level | None:
    """Return the lowest level to show; with --json the log is in the document already."""
    if wanted.verbose:
        return "debug"
    return None if wanted.quiet or wanted.as_json else "info"


def _show(call: RunCall, report: Report, wanted: Wanted) -> None:
    """Print the result on stdout, and on stderr the steps and why it failed."""
    if not wanted.as_json and not wanted.quiet:
        call.screen.show(step_lines(report))
    show_failure(call, report, wanted)
    if wanted.as_json:
        call.print_json(report.to_json())
    elif report.ok:
        call.print_json(report.result)
