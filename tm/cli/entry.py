"""`main`: the one boundary where errors become messages and exit codes.

It imports next to nothing, so that `tm --version` costs little more than Python itself.
"""

import sys

from tm._version import __version__

VERSION_LINE = f"tm {__version__}"


def main() -> int:
    """Run the command line of this process and return its exit code."""
    words = sys.argv[1:]
    try:
        if words == ["--version"]:
            sys.stdout.write(VERSION_LINE + "\n")
            sys.stdout.flush()
            return 0
        from tm.cli.boundary import run  # noqa: PLC0415  a version needs none of it

        return run(words)
    except KeyboardInterrupt:  # even before the boundary stands
        return 130
