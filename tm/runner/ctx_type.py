"""The types of `ctx` and its logger, as a tenant's editor knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypedDict


class Logger(Protocol):
    """`ctx["logger"]`: each call is a line in the terminal and in the execution log."""

    def debug(self, message: str, context: Mapping[str, Any] | None = None) -> None:
        """Write a line that is shown with `-v` only."""
        ...

    def info(self, message: str, context: Mapping[str, Any] | None = None) -> None:
        """Write a line."""
        ...

    def success(self, message: str, context: Mapping[str, Any] | None = None) -> None:
        """Write a line that tells a success."""
        ...

    def warning(self, message: str, context: Mapping[str, Any] | None = None) -> None:
        """Write a line that tells a problem which the run survives."""
        ...

    def error(self, message: str, context: Mapping[str, Any] | None = None) -> None:
        """Write a line that tells a failure."""
        ...


class Ctx(TypedDict, total=False):
    """The second or third parameter of every tenant function (SPEC, section 4).

    `http` and `tool` are absent in postprocess, which may call neither.
    """

    tenant: str
    chat_id: str | None
    user_id: str | None
    session: dict[str, Any]
    config: Mapping[str, Any]
    api_config: Mapping[str, Any] | None
    http: Any
    logger: Logger
    tool: Callable[[str, Mapping[str, Any]], Any]
    files_path: str
