"""Runs the benchmarks that are named, or all of them."""

import sys
import tempfile
from pathlib import Path

from tests.bench import calls, chat, index, isolate, lint, live, log, pdf, startup, suites, terminal

ALL = {
    "startup": startup.measure_startup,
    "run": startup.measure_one_run,
    "scale": index.measure_scale,
    "index": index.measure_cold_index,
    "call": calls.measure_call,
    "isolate": isolate.measure_isolate,
    "log": log.measure_log,
    "terminal": terminal.measure_terminal,
    "suite": suites.measure_suite,
    "live": live.measure_live,
    "jobs": live.measure_jobs,
    "lint": lint.measure_lint,
    "pdf": pdf.measure_pdf,
    "chat": chat.measure_chat,
}


def main() -> None:
    """Measure what the command line names."""
    names = sys.argv[1:] or list(ALL)
    unknown = set(names) - set(ALL)
    if unknown:
        sys.exit(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(ALL)}")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            ALL[name](Path(folder))


main()
