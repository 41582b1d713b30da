"""One named tool: run it, show its result or why there is none."""

from collections.abc import Sequence
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
    report = call.workspace.run_tool(tenant, name, args, options, sink)
    _show(call, report, wanted)
    return EXIT_OK if report.error is None else report.error.exit_code


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
