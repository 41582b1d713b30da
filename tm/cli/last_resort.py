"""Ends the command when a tenant's function holds the interpreter past its time.

A regular expression that backtracks for ever, or a power of huge numbers, runs in C and lets no
other Python code run: no thread could report it, no signal handler would be called.
"""

from __future__ import annotations

import faulthandler
import sys


class EndOfProcess:
    """Ends the process from outside of the interpreter; what was running is told on stderr."""

    def arm(self, seconds: float) -> None:
        """End the process with exit code 1 after so many seconds, unless disarmed before.

        The execution log shows the run as killed afterwards, since its process is gone.
        """
        stream = sys.__stderr__
        if stream is not None and not stream.closed:
            faulthandler.dump_traceback_later(seconds, exit=True, file=stream.fileno())

    def disarm(self) -> None:
        """Let the process live."""
        faulthandler.cancel_dump_traceback_later()
