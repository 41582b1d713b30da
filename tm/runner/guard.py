"""Layer 2 of the security policy: what a tenant's function may not do while it runs.

What lives here: the audit hook and the switch that arms it for one thread. What must not: reading
source code; that is the scan's part (`tm.scan`). Events of legal code are in `legal_events`.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Mapping
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn, Self

from tm.errors import SecurityError
from tm.runner.frames import has_tenant, runs_unasked
from tm.runner.legal_events import RULES

FORBIDDEN: Final = "TM511"


class ForbiddenError(BaseException):
    """A refused event. No `except Exception` of a tenant's function catches it.

    Attributes:
        what: what was tried, as the end of the sentence "the function tried to ...".
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class _State(threading.local):
    """Whether this thread is inside a tenant's function, and what was refused there first."""

    armed: bool = False
    denial: ForbiddenError | None = None
    looking: bool = False  # the hook itself is at work
    collecting: FrameType | None = None  # the frame in which the collector began to work


_state = _State()
_install_lock = threading.Lock()
_installed: list[str] = []  # the hook, once it is in: Python has no way to take one out


class Armed:
    """The context in which a tenant's function runs.

    Attributes:
        denial: after the block, the first refused event in it, even where it was swallowed.
    """

    __slots__ = ("_before", "denial")

    def __init__(self) -> None:
        self.denial: ForbiddenError | None = None
        self._before: tuple[bool, ForbiddenError | None] = (False, None)

    def __enter__(self) -> Self:
        """Arm this thread, with a clean record."""
        _install()
        self._before = (_state.armed, _state.denial)
        _state.denial = None
        _state.armed = True
        return self

    def __exit__(self, *_exc: object) -> None:
        """Put back what held before the block, and keep its record."""
        self.denial = _state.denial
        _state.armed, _state.denial = self._before


class Disarmed:
    """The context in which tm works for a tenant's function: its logger, HTTP and tools."""

    __slots__ = ("_armed",)

    def __init__(self) -> None:
        self._armed = False

    def __enter__(self) -> None:
        """Disarm this thread."""
        self._armed = _state.armed
        _state.armed = False

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Put back what held before; a refusal in a nested tool counts for the caller too."""
        _state.armed = self._armed
        # The caller could catch the nested tool's SecurityError; it is never downgraded.
        nested = isinstance(error, SecurityError) and error.code == FORBIDDEN
        if self._armed and nested and _state.denial is None:
            _state.denial = ForbiddenError(f"call a tool that was stopped: {error}")


def armed() -> Armed:
    """Return the context in which a tenant's function and the conversion of its result run."""
    return Armed()


def disarmed() -> Disarmed:
    """Return the context for tm's own work inside a tenant's function."""
    return Disarmed()


def is_armed() -> bool:
    """Tell whether this thread is inside a tenant's function."""
    return _state.armed


def deny(what: str) -> NoReturn:
    """Refuse, and record the refusal where the function can't swallow it.

    Raises:
        ForbiddenError: always.
    """
    error = ForbiddenError(what)
    if _state.denial is None:
        _state.denial = error
    raise error


def _install() -> None:
    """Add the hook once; the process pays nothing before its first tenant function."""
    if _installed:
        return
    with _install_lock:
        if not _installed:
            gc.callbacks.append(_note_collection)
            sys.addaudithook(_hook)
            _installed.append("audit")


def _note_collection(phase: str, _info: object) -> None:
    """Remember where the garbage collector interrupted this thread.

    It may free objects of the embedding program inside a tenant's function; what their finalizers
    do is not that function's doing.
    """
    before, _state.looking = _state.looking, True  # looking at a frame is an event too
    _state.collecting = sys._getframe().f_back if phase == "start" else None
    _state.looking = before


def _hook(event: str, args: tuple[Any, ...]) -> None:
    """Refuse every event that is not known to be legal, so that new ones are refused too."""
    if event in _HARMLESS or _state.looking or _is_legal(event, args):
        return
    deny(_WORDS.get(event) or _WORDS.get(event.partition(".")[0]) or f"use {event}")


def _is_legal(event: str, args: tuple[Any, ...]) -> bool:
    """Tell whether an event is none of a tenant's code, or one that legal code fires."""
    rule = RULES.get(event)
    if _state.armed and rule is None and _state.collecting is None:
        return False
    _state.looking = True  # the look at frames, paths and modules fires events too
    try:
        frame = sys._getframe(1).f_back
        if frame is None:  # the interpreter itself, on its way out: nobody's code runs
            return True
        if _state.collecting is not None and not has_tenant(frame, _state.collecting):
            return True
        if not _state.armed and not runs_unasked(frame):
            return True
        return rule is not None and rule(args, frame)
    finally:
        _state.looking = False


# Events without an effect on anything outside the function.
_HARMLESS: Final = frozenset({"builtins.id", "time.sleep", "array.__new__", "sys.unraisablehook"})

# Words for the sentence "the function tried to ...", by event or by its first part.
_WORDS: Final[Mapping[str, str]] = {
    "open": "open a file",
    "os": "use the file system or the process table",
    "shutil": "copy, move or delete files",
    "glob": "list files",
    "pathlib": "list files",
    "tempfile": "make a temporary file",
    "sqlite3": "open a database file",
    "subprocess": "start a process",
    "pty": "start a process",
    "os.system": "start a process",
    "os.exec": "start a process",
    "os.fork": "start a process",
    "os.forkpty": "start a process",
    "os.posix_spawn": "start a process",
    "os.spawn": "start a process",
    "_thread": "start a thread",
    "signal": "send or handle a signal",
    "socket": "open a connection beside ctx['http']",
    "urllib": "open a connection beside ctx['http']",
    "http": "open a connection beside ctx['http']",
    "smtplib": "open a connection beside ctx['http']",
    "ctypes": "load native code",
    "import": "import a module that is not allowed",
    "exec": "run code from text",
    "compile": "compile code from text",
    "code": "build code",
    "marshal": "load code",
    "pickle": "load objects with pickle",
    "object": "reach into the interpreter",
    "sys": "reach into the interpreter",
    "gc": "reach into the interpreter",
    "cpython": "reach into the interpreter",
}
