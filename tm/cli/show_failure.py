"""Why a run failed, and the command that runs it again."""

import json
import sys
from typing import TYPE_CHECKING

from tm.cli.call import Call, RunCall
from tm.cli.run_arguments import Wanted
from tm.errors import TmError
from tm.render.failure import failure_lines
from tm.render.rerun import rerun_command
from tm.runner.events import Report

if TYPE_CHECKING:
    from tm.redact import Redactor


def show_failure(call: RunCall, report: Report, wanted: Wanted) -> None:
    """Show on stderr why a run failed; nothing for one that did not."""
    if report.error is None:
        return
    if wanted.traceback:
        sys.stderr.write(_traceback(call, report.tenant, report.error))
    again = rerun_command(rerun_words(call, report, wanted))
    if wanted.arg or wanted.args or wanted.session:
        again = _redactor(call, report.tenant).text(again)
    call.screen.show(failure_lines(report, again))


def _traceback(call: RunCall, tenant: str, error: TmError) -> str:
    """Return the traceback with its causes, whose messages nobody has masked yet."""
    from tm.cli.crash import mask, traceback_text  # only for --traceback

    return mask(_redactor(call, tenant).text(traceback_text(error)), call.environ)


def _redactor(call: RunCall, tenant: str) -> "Redactor":
    """Return what masks the tenant's secrets in texts that no run has masked."""
    from tm.redact import Redactor  # most runs end well

    catalog = call.catalog
    return Redactor(catalog.secrets(tenant).secret_values(*catalog.apis(tenant).values()))


def rerun_words(call: Call, report: Report, wanted: Wanted) -> list[str]:
    """Return the command line that repeats the run of the report.

    What came from stdin is gone: the arguments are then given as JSON.
    """
    words = ["tm", "test-tool", report.tool, "-t", report.tenant]
    if call.root is not None:
        words += ["--root", str(call.root)]
    words += _argument_words(report, wanted)
    for flag, value in (
        ("--chat", wanted.chat),
        ("--user", wanted.user),
        ("--session", wanted.session),
    ):
        words += [flag, value] if value is not None else []
    words += ["--dry-run"] if wanted.dry_run else []
    words += ["--isolate"] if wanted.isolate else []
    return words + ([f"--{wanted.mode}"] if wanted.mode else [])


def _argument_words(report: Report, wanted: Wanted) -> list[str]:
    case = wanted.case or (report.case if report.case != "default" else None)
    words = ["--case", case] if case else []
    if wanted.args == "-":
        return [*words, "--args", json.dumps(report.args, ensure_ascii=False)]
    if wanted.args is not None:
        words += ["--args", wanted.args]
    return words + [word for text in wanted.arg for word in ("--arg", text)]
