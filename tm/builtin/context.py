"""What a shared tool is handed for one run: all that it may know and use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from tm.model import Json
from tm.records import record
from tm.redact import Redactor

FILES: Final = "files"


class WriteLine(Protocol):
    """Writes a line into the run's log."""

    def __call__(
        self, level: str, message: str, context: Mapping[str, Any] | None = None, /
    ) -> None:
        """Write it; `level` is one of the logger's."""
        ...


@record
class BuiltinContext:
    """The surroundings of one run of a shared tool.

    Attributes:
        root: of the workspace, absolute.
        tenant: code of the tenant that the run is for; nothing of another one is reachable.
        user_id: who asked; None: nobody is named.
        settings: the tenant's, merged.
        dry_run: whether everything is checked and nothing is written.
        now: the present time in UTC.
        redactor: masks the tenant's secrets.
        log: into the run's log.
    """

    root: Path
    tenant: str
    user_id: str | None
    settings: Mapping[str, Any]
    dry_run: bool
    now: Callable[[], datetime]
    redactor: Redactor
    log: WriteLine

    @property
    def folder(self) -> Path:
        """Return the tenant's folder."""
        return self.root / "tenants" / self.tenant


BuiltinFunction: TypeAlias = Callable[[Mapping[str, Any], BuiltinContext], Json]
"""Takes validated arguments; returns the result, or raises ToolError or SecurityError."""
