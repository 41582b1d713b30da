"""A tool's functions in a worker, seen from tm: implements `Functions`.

What lives here: one run's conversation with its worker. A worker is never believed: every message
is checked, and the first wrong one ends it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Final

from tm.errors import ConfigError, SecurityError, TmError, ToolError, UsageError
from tm.model import Json, Tool
from tm.runner.functions import check_function
from tm.runner.host import ToolHost
from tm.runner.isolation.desk import Desk
from tm.runner.isolation.frames import FrameError
from tm.runner.isolation.messages import ref_data
from tm.runner.isolation.shipping import Shipper
from tm.runner.isolation.worker_ends import death_error, wrong_message
from tm.runner.isolation.workers import Worker, WorkerDiedError, Workers
from tm.runner.load_limit import load_took_too_long
from tm.runner.scope import Role, function_refs

_CPU_GRACE_S: Final = 2


class IsolatedFunctions:
    """The functions of one run, in a worker of its own."""

    def __init__(self, tool: Tool, worker: Worker) -> None:
        self._tool = tool
        self._worker = worker
        self._calls = 0
        self._failure: TmError | None = None

    @classmethod
    def load(
        cls, workers: Workers, shipper: Shipper, tool: Tool, tenant: str, limit_s: float
    ) -> IsolatedFunctions:
        """Scan a tool's files here, and load them in a new worker.

        Args:
            limit_s: how long loading may take.

        Raises:
            ConfigError: as `FunctionLoader.load` says.
            SecurityError: as `FunctionLoader.load` says.
            UsageError: this system can't lock a worker in.
        """
        workers.begin()
        refs = function_refs(tool)
        for role, ref in refs.items():
            check_function(shipper.get(ref), ref, role)
        shipment = shipper.ship(refs.values())
        try:
            worker = workers.start(sorted(shipment.modules), _cpu_s(tool))
        except WorkerDiedError as death:
            raise death_error(tool, death) from death
        functions = cls(tool, worker)
        refs_data = {role: ref_data(ref) for role, ref in refs.items()}
        message = {"tenant": tenant, "files": shipment.files, "functions": refs_data}
        functions._load(message, limit_s)
        return functions

    def _load(self, message: Json, limit_s: float) -> None:
        """Let the worker load; what only a worker can end in is kept for `check`."""
        until = time.monotonic() + limit_s
        try:
            self._converse(message, Desk(None, 0, may_call=False), lambda: until - time.monotonic())
        except (ConfigError, SecurityError, UsageError):
            self.close()
            raise
        except TimeoutError:
            self._failure = load_took_too_long(self._tool)
        except ToolError as error:
            self._failure = error

    @property
    def can_be_stopped(self) -> bool:
        """Say yes: the worker is ended when its time is over."""
        return True

    def check(self) -> None:
        """Raise what loading failed with, where it is the run's failure."""
        if self._failure is not None:
            raise self._failure

    def call(self, role: Role, values: Sequence[Json], host: ToolHost) -> Json:
        """Call one in the worker and return its result, which is JSON data."""
        self._calls += 1
        run, facts = host.run, host.facts()
        message = {
            "call": self._calls,
            "role": role,
            "values": list(values),
            "facts": {
                "tenant": facts.tenant,
                "chat_id": facts.chat_id,
                "user_id": facts.user_id,
                "session": facts.session,
                "api_config": facts.api_config,
                "files_path": facts.files_path,
            },
        }
        desk = Desk(host, self._calls, may_call=role != "postprocess")
        try:
            return self._converse(message, desk, run.scope.remaining_s)
        except TimeoutError as error:
            raise run.out_of_time() from error

    def _converse(self, message: Json, desk: Desk, remaining_s: Callable[[], float]) -> Json:
        """Send the worker a message, and serve it until it tells how it ended.

        Raises:
            TimeoutError: its time is over; the worker is ended.
        """
        try:
            self._worker.send(message, remaining_s)
            while True:
                came = self._worker.receive(remaining_s)
                if desk.is_loading and type(came) is dict and "unable" in came:
                    raise WorkerDiedError(None, str(came["unable"]))
                kind, reply = desk.take(came)
                if kind == "done":
                    return reply
                if reply is not None:
                    self._worker.send(reply, remaining_s)
        except FrameError as error:
            self.close()
            raise wrong_message(self._tool, error) from error
        except WorkerDiedError as error:
            self.close()
            raise death_error(self._tool, error) from error
        except TmError:
            raise
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the worker."""
        self._worker.close()


def _cpu_s(tool: Tool) -> int:
    """Return the processor time of a worker: more than the wall clock lets it use."""
    return math.ceil(min(tool.max_seconds, 10**6)) + _CPU_GRACE_S
