"""Several tools, or globs: choose what is run, run it in worker processes, and sum up."""

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tm.cli.call import RunCall
from tm.cli.run_arguments import Wanted, read_args, run_options, single_args
from tm.cli.suite_output import SuiteOutput
from tm.errors import EXIT_FAILED, EXIT_OK
from tm.render.lines import line

if TYPE_CHECKING:
    from tm.runner.suite.outcomes import Check, Outcome
    from tm.runner.suite.parallel import Crew

_EXIT_TERMINATED = 128 + signal.SIGTERM


def run_several(call: RunCall, names: Sequence[str], wanted: Wanted) -> int:
    """Run every tool that the names and globs mean, and return the exit code.

    Raises:
        TmError: before anything runs: an unknown name, a glob that fits nothing.
    """
    return run_checks(call, choose_checks(call, names, wanted), wanted)


def choose_checks(call: RunCall, names: Sequence[str], wanted: Wanted) -> "list[Check]":
    """Return the checks of names and globs, and of them those that the options pick.

    Raises:
        TmError: an unknown name, ref or case, a glob that fits nothing, no part of a whole.
    """
    from tm.runner.suite import choice, plan
    from tm.runner.suite.last_failed import LastFailed

    shard = None if wanted.shard is None else choice.read_shard(wanted.shard)
    checks = plan.plan_checks(
        call.workspace,
        names,
        choose_tenant=call.tenant_for,
        tenants=call.tenants(),
        case=wanted.case,
        has_args=wanted.args is not None or bool(wanted.arg),
    )
    checks = choice.in_shard(checks, shard)
    if wanted.since is not None:
        from tm.config.git import Git
        from tm.runner.suite.touched import touched_since

        git = Git(call.root_folder, call.environ)
        checks = touched_since(call.catalog, checks, git, wanted.since)
    if wanted.last_failed:
        checks = choice.among(checks, LastFailed(call.root_folder).keys)
    if not checks and not wanted.quiet:
        call.screen.show([line(_nothing_to_run(wanted))])
    return checks


def _nothing_to_run(wanted: Wanted) -> str:
    if wanted.last_failed:
        return "none of these tools failed when it was run last: nothing to run"
    if wanted.since is not None:
        return f"none of these tools changed since {wanted.since}: nothing to run"
    return f"no tool is in part {wanted.shard}: nothing to run"


def run_checks(call: RunCall, checks: "Sequence[Check]", wanted: Wanted) -> int:
    """Run the checks, show what becomes of each, and return the exit code.

    Raises:
        UsageError: arguments that can't be read, a report that can't be written.
    """
    from tm.runner.suite.last_failed import LastFailed

    call.share_warnings()
    crew = _crew(call, checks, wanted)
    memory = LastFailed(call.root_folder)
    output = SuiteOutput(call, wanted, len(checks))
    output.begin()
    began = time.monotonic()
    try:
        with _terminable():
            for outcome in crew.run():
                final = _updated(call, outcome, wanted)
                memory.note(final)
                output.show(final)
    except BaseException:
        output.end(began, stopped="the run was interrupted; what had ended before is here")
        raise
    finally:
        memory.save()
    output.end(began)
    return EXIT_OK if output.tally.ok else EXIT_FAILED


def _crew(call: RunCall, checks: "Sequence[Check]", wanted: Wanted) -> "Crew":
    from tm.runner.suite.one_check import CheckRunner
    from tm.runner.suite.parallel import Crew, Plan, cores

    args = single_args({}, wanted.arg, read_args(wanted.args))
    is_replayed = wanted.mode == "replay"
    plan = Plan(
        jobs=wanted.jobs or (cores() if is_replayed else 1),
        fail_fast=wanted.fail_fast,
        may_repeat=is_replayed or wanted.dry_run,
        with_traceback=wanted.traceback,
    )
    return Crew(CheckRunner(call.workspace, args, run_options(wanted)), checks, plan)


def _updated(call: RunCall, outcome: "Outcome", wanted: Wanted) -> "Outcome":
    if not wanted.update or outcome.report is None:
        return outcome
    from tm.cli.update import accept_report
    from tm.records import replace

    return replace(outcome, report=accept_report(call, outcome.report, wanted))


@contextmanager
def _terminable() -> Iterator[None]:
    """Let a polite request to end (SIGTERM, as CI sends it) pass through every `finally`."""

    def end(*_: Any) -> None:
        sys.exit(_EXIT_TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
