"""A tool's functions in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from tm.errors import ToolError
from tm.model import FunctionRef, Json, Tool
from tm.records import record
from tm.runner.calls import call_function
from tm.runner.context import build_ctx, plain
from tm.runner.functions import FunctionLoader
from tm.runner.host import ToolHost
from tm.runner.load_limit import LoadTimeoutError, load_took_too_long, loading_within
from tm.runner.places import innermost
from tm.runner.results import deep_copy_json
from tm.runner.scope import Role, function_refs


@record
class LocalFunctions:
    """Implements `Functions`. The guard watches them; nothing can stop them."""

    refs: Mapping[Role, FunctionRef]
    loaded: Mapping[Role, Callable[..., Any]]
    failure: ToolError | None = None

    @classmethod
    def load(cls, loader: FunctionLoader, tool: Tool, tenant: str, limit_s: float) -> Self:
        """Load a tool's functions; files that take too long are kept for `check`.

        Raises:
            ConfigError: as `FunctionLoader.load` says.
            SecurityError: as `FunctionLoader.load` says.
        """
        refs = function_refs(tool)
        try:
            with loading_within(limit_s):
                loaded = {role: loader.load(ref, role, tenant=tenant) for role, ref in refs.items()}
        except LoadTimeoutError as over:
            place = innermost(over.__traceback__)
            return cls(refs, {}, load_took_too_long(tool, place.at if place else None))
        return cls(refs, loaded)

    @property
    def can_be_stopped(self) -> bool:
        """Say no: Python can't stop a thread."""
        return False

    def check(self) -> None:
        """Raise what ended the loading; the run has begun, and its log row tells it."""
        if self.failure is not None:
            raise self.failure

    def call(self, role: Role, values: Sequence[Json], host: ToolHost) -> Json:
        """Call one with fresh copies of the values and a fresh ctx; its result is JSON data."""
        ctx = build_ctx(host, host.facts(), may_call=role != "postprocess")
        copies = [deep_copy_json(value) for value in values]
        return call_function(
            self.loaded[role],
            *copies,
            ctx,
            ref=self.refs[role],
            convert=plain,
            print_to=host.print,
        )

    def close(self) -> None:
        """Do nothing: modules live as long as the workspace."""
