"""What `tm lint` does with its options; the command itself is in `lint`."""

import io
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

from tm.cli.call import Call
from tm.cli.clean_lint import state_of, with_answer
from tm.config.file_bytes import replace_own
from tm.config.index import cache_folder
from tm.errors import EXIT_FAILED, EXIT_OK, UsageError
from tm.lint.check import LintRequest, check
from tm.lint.report import LintReport
from tm.lint.scope import read_paths
from tm.lint.selection import Selection, read_codes
from tm.lint.settings import Settings, read_settings
from tm.render.lines import Span, line


def lint_with_options(options: Mapping[str, Any], words: Sequence[str] = ()) -> int:
    """Lint, show the report, and return the exit code.

    Args:
        options: by the parameter names of the command.
        words: of the command line, where a clean answer may be kept for them.

    Raises:
        UsageError: options that do not fit, or a workspace that can't be linted.
    """
    chosen = _format(options)
    call = Call(root=options["root"], color=options["color"])
    request = _request(call, options)
    state = _state(request, options) if words else None
    report = check(request)
    for note in report.notes:
        call.screen.show([line(Span("note: ", "cyan"), note)])
    if options["diff"]:
        _show_diff(call, chosen, report)
        return EXIT_OK if report.is_ok and not report.diff else EXIT_FAILED
    if state is not None and not report.findings and not report.notes:
        _show_and_keep(call, chosen, report, options, (words, state))
        return EXIT_OK
    _show(call, chosen, report, statistics=options["statistics"])
    return EXIT_OK if report.is_ok else EXIT_FAILED


def _state(request: LintRequest, options: Mapping[str, Any]) -> bytes | None:
    """Return what a clean answer depends on, before a file is read; None: keep none."""
    asks_more = request.fix != "no" or request.baseline or request.since is not None
    if asks_more or options["paths"] or options["root"] or sys.stdout.isatty():
        return None
    return state_of(os.getcwd(), time_ns=time.time_ns())  # noqa: PTH109  a text


def _show_and_keep(
    call: Call,
    chosen: str,
    report: LintReport,
    options: Mapping[str, Any],
    kept: tuple[Sequence[str], bytes],
) -> None:
    """Show a clean report, and keep what was shown for the next run of the same words."""
    with redirect_stdout(io.StringIO()) as shown:
        _show(call, chosen, report, statistics=options["statistics"])
    sys.stdout.write(shown.getvalue())
    target = with_answer(kept[0], call.environ, kept[1], shown.getvalue())
    if target is not None:
        with suppress(OSError):
            replace_own(Path(target[0]), target[1])


def _show_diff(call: Call, chosen: str, report: LintReport) -> None:
    """Show the difference on stdout, for people and for `git apply`; the findings on stderr."""
    if chosen == "json":
        from tm.render.lint.plain_json import as_json  # one format

        call.print_json({**as_json(report), "diff": report.diff})
        return
    from tm.render.lint.text import diff_lines, report_lines

    if sys.stdout.isatty():
        call.print_lines(diff_lines(report.diff))
    else:
        sys.stdout.write(report.diff)
    call.screen.show(report_lines(report))


def _format(options: Mapping[str, Any]) -> str:
    chosen = str(options["output_format"] or ("json" if options["as_json"] else "text"))
    if options["as_json"] and chosen != "json":
        raise UsageError(f"--json and --format {chosen} do not go together", code="TM500")
    for option in ("statistics", "diff"):
        if options[option] and chosen not in {"text", "json"}:
            raise UsageError(f"--{option} goes with --format text or json", code="TM500")
    return chosen


def _request(call: Call, options: Mapping[str, Any]) -> LintRequest:
    root = call.root_folder
    settings = read_settings(root)
    selected = read_codes(options["select"] or (), "--select")
    return LintRequest(
        root=root,
        settings=settings,
        tenant=options["tenant"] or None,
        scope=read_paths(root, Path.cwd(), options["paths"] or ()),
        selection=Selection(
            selected if options["select"] else None,
            read_codes(options["ignore"] or (), "--ignore"),
        ),
        strict=options["strict"],
        baseline=_baseline(root, options["baseline"], settings),
        since=options["since"],
        fix="diff" if options["diff"] else "write" if options["fix"] else "no",
        environ=call.environ,
        cache=cache_folder(call.environ),
    )


def _baseline(root: Path, given: Path | None, settings: Settings) -> tuple[Path, str] | None:
    """Return the baseline's path, and how the user calls it."""
    if given is not None:
        return Path.cwd() / given, str(given)
    if settings.baseline is not None:
        return root / settings.baseline, settings.baseline
    return None


def _show(call: Call, chosen: str, report: LintReport, *, statistics: bool) -> None:
    if chosen == "text":
        from tm.render.lint.text import report_lines, statistics_lines  # one format

        call.print_lines(statistics_lines(report) if statistics else report_lines(report))
    elif chosen == "json":
        from tm.render.lint.plain_json import as_json, statistics_json

        extra = {"statistics": statistics_json(report)} if statistics else {}
        call.print_json({**as_json(report), **extra})
    else:
        from tm.render.lint import checkout_prefix, render_report

        prefix = checkout_prefix(str(call.root_folder), call.environ)
        sys.stdout.write(render_report(chosen, report, prefix))
