"""Where the process begins and ends. It imports little, so that small answers come at once."""

import gc
import os
import sys

from tm._version import __version__
from tm.cli.overview import overview
from tm.cli.streams import flush_streams, prepare_streams

TYPE_CHECKING = False  # as type checkers know it; importing `typing` costs a third of a start
if TYPE_CHECKING:
    from typing import NoReturn

_GARBAGE_AFTER = 50_000
"""New objects after which Python looks for garbage. At its usual 700 it searches some twenty times
while a command imports what it keeps to the end, which takes a twentieth of the run."""


def run_process() -> "NoReturn":
    """Be the command `tm`: run the command line, and end the process with its exit code."""
    gc.set_threshold(_GARBAGE_AFTER)
    code = main()
    if _has_nothing_left_to_do():
        # Rows and files are safe when their calls return. Taking every module apart, and folding
        # the database's log, would take a tenth of the run.
        flush_streams()
        os._exit(code)
    sys.exit(code)


def _has_nothing_left_to_do() -> bool:
    """Tell whether nobody waits for the end of the interpreter, as coverage and profilers do."""
    is_watched = sys.gettrace() is not None or sys.getprofile() is not None
    return not (is_watched or "coverage" in sys.modules or sys.flags.inspect)


def main() -> int:
    """Run the command line of this process and return its exit code."""
    prepare_streams()
    try:
        code = _answer(sys.argv[1:])
        lost = flush_streams()
        if lost is not None:
            sys.stderr.write(f"tm: not all output could be written: {lost}\n")
            code = code or 1
    except KeyboardInterrupt:  # here too, for one that comes while modules are being imported
        code = 130
    return code


def _answer(words: list[str]) -> int:
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    if words == ["--version"]:
        sys.stdout.write(f"tm {__version__}\n")
        return 0
    if words in (["--help"], ["-h"]):
        sys.stdout.write(overview())
        return 0
    if not words and "_TM_COMPLETE" not in os.environ:  # a shell asks without words
        sys.stderr.write(overview())
        return 2
    if words[:1] == ["lint"]:
        from tm.cli.clean_lint import kept_answer  # for lint only

        answer = kept_answer(words, os.environ)
        if answer is not None:
            sys.stdout.write(answer)
            return 0
    from tm.cli.boundary import run  # the answers above need none of it

    return run(words)
