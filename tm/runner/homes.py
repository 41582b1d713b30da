"""Where the functions of a workspace run: in this process, or in workers."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from tm.model import Tool
from tm.runner.functions import FunctionLoader
from tm.runner.local import LocalFunctions
from tm.runner.sources import Scanner, SourceFiles
from tm.scan import scan_source

if TYPE_CHECKING:
    from tm.runner.isolation.isolated import IsolatedFunctions
    from tm.runner.isolation.shipping import Shipper
    from tm.runner.isolation.workers import Workers


class FunctionHomes:
    """Both homes of one workspace; files are scanned once for both. Threads may share it."""

    def __init__(self, root: Path, *, scan: Scanner = scan_source) -> None:
        """Serve the functions below a root.

        Args:
            root: of the workspace, absolute.
            scan: `tm.scan.scan_source`; another one in tests of what comes after the scan.
        """
        self._files = SourceFiles(root, scan=scan)
        self._loader = FunctionLoader(self._files)
        self._workers: tuple[Workers, Shipper] | None = None
        self._lock = Lock()

    def local(self, tool: Tool, tenant: str, limit_s: float) -> LocalFunctions:
        """Load a tool's functions into this process; raises as `FunctionLoader.load` does.

        Args:
            limit_s: how long loading may take.
        """
        return LocalFunctions.load(self._loader, tool, tenant, limit_s)

    def isolated(self, tool: Tool, tenant: str, limit_s: float) -> IsolatedFunctions:
        """Load a tool's functions into a worker.

        Args:
            limit_s: how long loading may take.

        Raises:
            ConfigError: as `FunctionLoader.load` says.
            SecurityError: as `FunctionLoader.load` says.
            UsageError: TM521, where this system can't lock a worker in.
        """
        from tm.runner.isolation.isolated import IsolatedFunctions  # noqa: PLC0415  few runs need it
        from tm.runner.isolation.shipping import Shipper  # noqa: PLC0415  as above
        from tm.runner.isolation.workers import Workers  # noqa: PLC0415  as above

        with self._lock:
            self._workers = self._workers or (Workers(), Shipper(self._files))
        workers, shipper = self._workers
        return IsolatedFunctions.load(workers, shipper, tool, tenant, limit_s)

    def close(self) -> None:
        """End the fork server and its workers."""
        if self._workers is not None:
            self._workers[0].close()
