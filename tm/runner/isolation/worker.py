"""What runs inside a worker: it is locked in, loads one tool's functions and answers calls.

What lives here: the loop of one worker. What must not: anything that a locked process may not do.
"""

from __future__ import annotations

import errno
import io
import marshal
import opcode
import os
import sys
import zoneinfo
from collections.abc import Mapping
from typing import IO, Any, Final, NoReturn

from tm.errors import Location, TmError, ToolError
from tm.model import FunctionRef, Json
from tm.runner.calls import call_function
from tm.runner.context import CtxFacts, build_ctx, plain
from tm.runner.functions import FunctionLoader
from tm.runner.guard import ForbiddenError, disarmed
from tm.runner.isolation.frames import FrameError
from tm.runner.isolation.lock import PIPE, LockError, lock_in, why_not
from tm.runner.isolation.messages import EXIT_NO_MEMORY, error_data, read_error, read_ref, unpacked
from tm.runner.isolation.pipe_host import DescriptorPipe, Pipe, PipeHost
from tm.runner.places import RAISED, forbidden
from tm.runner.source_file import SourceFile

_DIED: Final = "TM521"
# The guard's words for the module `os`: which call it was, the kernel does not say.
_KERNEL_REFUSED: Final = "use the file system or the process table"


def run_locked(pipe: int, *, parent: int, cpu_s: int) -> NoReturn:
    """Lock this freshly forked process in and serve until the pipe is closed."""
    code = 1
    try:
        missing = why_not()
        channel = DescriptorPipe(pipe)
        if missing is not None:
            channel.send({"unable": missing})
            os._exit(0)
        try:
            lock_in(pipe, parent, cpu_s)
        except LockError as error:
            channel.send({"unable": str(error)})
            os._exit(0)
        sys.path.clear()
        Worker(DescriptorPipe(PIPE)).serve()
        code = 0
    except MemoryError:
        code = EXIT_NO_MEMORY
    except BaseException:  # noqa: BLE001, S110  nothing can be told from here but the exit code
        pass
    finally:
        os._exit(code)


class ShippedFiles:
    """The scanned files that came over the pipe; implements `Files`."""

    def __init__(self, files: Mapping[str, Any]) -> None:
        self._files: dict[str, SourceFile] = {}
        self._broken: dict[str, TmError] = {}
        for path, data in files.items():
            if "error" in data:
                self._broken[path] = read_error(data["error"])
            else:
                code = marshal.loads(unpacked(data["code"]))  # noqa: S302  tm has compiled it
                self._files[path] = SourceFile(path, unpacked(data["source"]), code)

    def get(self, path: str, _home: str, at: Location) -> SourceFile:
        """Return a file.

        Raises:
            ConfigError: what was wrong with it when tm read it.
        """
        if path in self._broken:
            raise self._broken[path]
        if path not in self._files:
            raise ToolError(f"{path} was not handed to the worker", code=_DIED, at=at)
        return self._files[path]


class Worker:
    """One tool's functions, and the pipe over which they are called."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._loaded: dict[str, Any] = {}
        self._refs: dict[str, FunctionRef] = {}
        self._host: PipeHost | None = None

    def serve(self) -> None:
        """Load what the first message says, then answer calls until the pipe is closed."""
        sys.stdout = sys.stderr = _Told(self)
        zoneinfo.reset_tzpath(to=())
        vars(zoneinfo._common)["load_tzdata"] = self._load_zone
        try:
            self._load(self._pipe.receive())
            while True:
                self._call(self._pipe.receive())
        except EOFError:
            return

    def _load(self, message: Any) -> None:
        self._host = PipeHost(self._pipe, 0, {})
        loader = FunctionLoader(ShippedFiles(message["files"]))
        try:
            for role, data in message["functions"].items():
                self._refs[role] = read_ref(data)
                self._loaded[role] = loader.load_checked(self._refs[role], tenant=message["tenant"])
        except TmError as error:
            self._host.tell("failed", error=error_data(_as_refusal(error)), session={})
        else:
            self._host.tell("done", result=None, session={})

    def _call(self, message: Any) -> None:
        """Call a function and tell how it ended, with what it made of the session."""
        facts = CtxFacts(**message["facts"])
        host = self._host = PipeHost(self._pipe, message["call"], facts.session)
        ctx = build_ctx(host, facts, may_call=message["role"] != "postprocess")
        role = message["role"]
        try:
            result = call_function(
                self._loaded[role],
                *message["values"],
                ctx,
                ref=self._refs[role],
                convert=lambda value: _with_session(value, host.session),
                print_to=host.print,
            )
        except TmError as error:
            self._fail(host, error)
            return
        try:
            host.tell("done", **result)
        except FrameError as error:
            self._fail(host, ToolError(f"the result is too large: {error}", code="TM512"))

    def _fail(self, host: PipeHost, error: TmError) -> None:
        if isinstance(error.__cause__, MemoryError):
            error = ToolError(
                "the function used more memory than a worker may take (512 MB)",
                code=_DIED,
                hint="handle large data in parts",
                at=error.at,
            )
        try:
            session = plain(host.session)
        except ToolError:
            session = None  # tm keeps what it has
        host.tell("failed", error=error_data(_as_refusal(error)), session=session)

    def _load_zone(self, key: str) -> IO[bytes]:
        """Return the data of a time zone, which tm reads: no file is open here."""
        assert self._host is not None  # noqa: S101  functions run in calls alone
        with disarmed():
            data = self._host.zone(key)
        if data is None:
            raise zoneinfo.ZoneInfoNotFoundError(f"No time zone found with key {key}")
        return io.BytesIO(data)

    def tell_print(self, text: str) -> None:
        """Hand on what the interpreter writes, such as a warning."""
        if self._host is not None:
            with disarmed():
                self._host.print(text)


class _Told(io.TextIOBase):
    """Stands in for stderr: its text goes over the pipe."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def write(self, text: str) -> int:
        """Hand the text on."""
        self._worker.tell_print(text)
        return len(text)


def _with_session(value: object, session: dict[str, Any]) -> dict[str, Json]:
    return {"result": plain(value), "session": plain(session, 'ctx["session"]')}


def _as_refusal(error: TmError) -> TmError:
    """Return TM511 for a failure that is a refusal of the lock, in the guard's words."""
    cause = error.__cause__
    if error.code != RAISED or type(cause) is not PermissionError:
        return error
    if cause.errno != errno.EACCES or _is_of_a_raise(cause):
        return error
    refused = ForbiddenError(_KERNEL_REFUSED).with_traceback(cause.__traceback__)
    return forbidden(refused, error.at)


def _is_of_a_raise(error: BaseException) -> bool:
    """Tell whether a `raise` began an exception, and not a call that the kernel refused."""
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    code = entry.tb_frame.f_code.co_code if entry is not None else b""
    return entry is not None and code[entry.tb_lasti] == opcode.opmap["RAISE_VARARGS"]
