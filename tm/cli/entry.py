"""`main`: where the process begins. It imports little, so that small answers come at once."""

import sys

from tm._version import __version__
from tm.cli.overview import overview
from tm.cli.streams import flush_streams, prepare_streams


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
    if words == ["--version"]:
        sys.stdout.write(f"tm {__version__}\n")
        return 0
    if words in (["--help"], ["-h"]):
        sys.stdout.write(overview())
        return 0
    if not words:
        sys.stderr.write(overview())
        return 2
    from tm.cli.boundary import run  # noqa: PLC0415  the answers above need none of it

    return run(words)
