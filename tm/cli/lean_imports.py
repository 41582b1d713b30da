"""Keeps what a command does not use of its libraries out of its process."""

import sys

_UNUSED_BY_RUNS = ("httpx._main", "anyio", "trio")
"""httpx imports its own command line where Rich is installed, and httpcore its asynchronous back
ends. Both go on without them; importing them costs more than a request."""


def leave_out_unused_imports() -> None:
    """Let `import httpx` fail on the parts that a synchronous run never reaches.

    For commands that run tools in this process and then end; an import of these modules
    fails from here on.
    """
    for name in _UNUSED_BY_RUNS:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # None is how Python bars one
