"""One named tool: run it, show its result or why there is none."""

from collections.abc import Sequence
from typing import Any

from tm.cli.call import Call
from tm.cli.rerun import rerun_words
from tm.cli.run_arguments import Wanted, read_args, session_of, single_args
from tm.errors import EXIT_FAILED, EXIT_OK
from tm.render.failure import failure_lines
from tm.render.live import LiveLog
from tm.render.rerun import rerun_command
from tm.render.steps import step_lines
from tm.runner.events import Report


def run_one(call: Call, names: Sequence[str], wanted: Wanted) -> int:
    """Run the one tool of `names` and return the exit code.

    Raises:
        TmError: nothing could be run.
    """
    from tm.runner.scope import RunOptions  # noqa: PLC0415  `--help` needs no runner

    given = read_args(wanted.args)
    session = session_of(wanted)
    tenant = call.tenant_for(names[0])
    options = RunOptions(
        case=wanted.case,
        mode=wanted.mode,
        dry_run=wanted.dry_run,
        chat_id=wanted.chat,
        user_id=wanted.user,
        session=session,
    )
    args = all_args(call, tenant, names[0], given, wanted.arg)
    report = call.workspace.run_tool(tenant, names[0], args, options, live_log(call, wanted))
    show_report(call, report, wanted)
    return EXIT_OK if report.ok else EXIT_FAILED


def all_args(
    call: Call, tenant: str, name: str, given: dict[str, Any] | None, texts: Sequence[str]
) -> dict[str, Any] | None:
    """Return `--args` with every `--arg` on top; None where there is neither."""
    if not texts:
        return given
    return {**(given or {}), **single_args(call.workspace.catalog.find_tool(tenant, name), texts)}


def live_log(call: Call, wanted: Wanted) -> LiveLog:
    """Return the sink that shows the run; with --json its log is in the document already."""
    quiet = wanted.quiet or (wanted.as_json and not wanted.verbose)
    return LiveLog(call.screen, quiet=quiet, verbose=wanted.verbose, curl=wanted.curl)


def show_report(call: Call, report: Report, wanted: Wanted) -> None:
    """Print the result on stdout, and on stderr the steps and why it failed."""
    if not wanted.as_json and not wanted.quiet:
        call.screen.show(step_lines(report))
    call.screen.show(failure_lines(report, rerun_command(rerun_words(call, report, wanted))))
    if wanted.as_json:
        call.print_json(report.to_json())
    elif report.ok:
        call.print_json(report.result)
