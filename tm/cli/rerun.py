"""The words of the command that runs a failed run again."""

import json

from tm.cli.call import Call
from tm.cli.run_arguments import Wanted
from tm.runner.events import Report


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
    return words + ([f"--{wanted.mode}"] if wanted.mode else [])


def _argument_words(report: Report, wanted: Wanted) -> list[str]:
    case = wanted.case or (report.case if report.case != "default" else None)
    words = ["--case", case] if case else []
    if wanted.args == "-":
        return [*words, "--args", json.dumps(report.args, ensure_ascii=False)]
    if wanted.args is not None:
        words += ["--args", wanted.args]
    return words + [word for text in wanted.arg for word in ("--arg", text)]
