"""How a worker can end, as errors for people."""

from __future__ import annotations

import signal
from typing import Final

from tm.errors import SecurityError, TmError, ToolError, UsageError
from tm.model import Tool
from tm.runner.guard import FORBIDDEN
from tm.runner.isolation.frames import FrameError
from tm.runner.isolation.messages import EXIT_NO_MEMORY
from tm.runner.isolation.workers import WorkerDiedError

DIED: Final = "TM521"
_LOOK: Final = "look at the log lines up to there, then for deep recursion and large data"


def death_error(tool: Tool, death: WorkerDiedError) -> TmError:
    """Return the error of a run whose worker is gone."""
    if death.unable is not None:
        return UsageError(
            f"functions can't be isolated on this system: {death.unable}",
            code=DIED,
            hint="leave out --isolate or settings.isolate: scan and guard hold without it",
        )
    if death.exit_code == -signal.SIGSYS:
        return SecurityError(
            f"the kernel ended the worker of '{tool.name}': its function tried to start a process, "
            "to open a connection or to act on another process",
            code=FORBIDDEN,
            at=tool.at,
        )
    if death.exit_code == EXIT_NO_MEMORY:
        return ToolError(
            f"the worker of '{tool.name}' needed more memory than it may take (512 MB)",
            code=DIED,
            hint="handle large data in parts",
            at=tool.at,
        )
    return ToolError(f"the worker of '{tool.name}' {death}", code=DIED, hint=_LOOK, at=tool.at)


def wrong_message(tool: Tool, error: FrameError) -> ToolError:
    """Return the error of a run whose worker said what no worker says."""
    return ToolError(
        f"the worker of '{tool.name}' was ended: {error}",
        code=DIED,
        hint="return less data, write fewer log lines, and leave the interpreter alone",
        at=tool.at,
    )
