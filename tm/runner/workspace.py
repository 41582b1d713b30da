"""The workspace as programs use it: find a tool, run it, read its log."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

from tm.builtin.tools import BUILTINS
from tm.config.env import SecretSource
from tm.config.loader import Catalog
from tm.errors import Location, UsageError
from tm.http.client import HttpClient
from tm.http.messages import Exchange
from tm.http.pool import ConnectionPool
from tm.model import Tool
from tm.records import replace
from tm.redact import Redactor
from tm.runner.cases import Case, choose_case
from tm.runner.events import Event, Mode, Report, Sink
from tm.runner.limit import LastResort, execute_in_time
from tm.runner.run import ToolRun, prepare
from tm.runner.scope import (
    Clock,
    Functions,
    NoPdfs,
    PdfTexts,
    RunOptions,
    Scope,
    WriteLog,
    function_refs,
)
from tm.store.log import ExecutionLog
from tm.store.place import place_of

__all__ = ["Mode", "RunOptions", "SystemClock", "Workspace"]

if TYPE_CHECKING:
    from tm.http.cassettes import Cassette
    from tm.runner.homes import FunctionHomes
    from tm.store.pdfs import StoredPdfs

_Facts: TypeAlias = tuple[SecretSource, dict[str, Any], frozenset[str]]
_MODES: tuple[Mode, ...] = ("live", "record", "replay")


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the present time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()


def ignore(event: Event) -> None:
    """Take an event and do nothing: the sink of callers that want only the report."""


class Workspace:
    """A folder with `tenants/`, ready to run its tools. Safe to use from several threads.

    Args:
        root: the folder that holds `tenants/`.
        environ: where `${NAME}` and settings come from first; None: the process's own.
        production: trust the index until `tm cache clear` (`TM_ENV=production`).
        cache_dir: where the index lies; None: below the user's cache folder.
        warn: told what went wrong outside of a run, one line each; None: dropped.
        clock: the time; None: the machine's.
        pdfs: texts of uploaded PDFs; None: those in the workspace's database.
        last_resort: ends the process of a command whose function can't be stopped; None: a
            program that must live on.
    """

    def __init__(  # noqa: PLR0913  each is an edge that an embedding program may set
        self,
        root: Path | str,
        *,
        environ: Mapping[str, str] | None = None,
        production: bool = False,
        cache_dir: Path | None = None,
        warn: Callable[[str], None] | None = None,
        clock: Clock | None = None,
        pdfs: PdfTexts | None = None,
        last_resort: LastResort | None = None,
    ) -> None:
        self.root = Path(root)
        self.environ = dict(os.environ if environ is None else environ)
        self.clock = clock or SystemClock()
        self.catalog = Catalog(
            self.root,
            environ=self.environ,
            production=production,
            cache_dir=cache_dir,
            builtin=BUILTINS,
        )
        self.log = ExecutionLog(
            place_of(self.root, self.environ),
            clock=self.clock.now,
            warn=warn or (lambda _: None),
        )
        self._stored_pdfs: StoredPdfs | None = None
        self._given_pdfs = pdfs
        self.last_resort = last_resort
        self._pool = ConnectionPool(self.root / "tenants")
        self._functions: FunctionHomes | None = None
        self._lock = Lock()
        self._pinned_facts: tuple[object, _Facts] | None = None

    def close(self) -> None:
        """Close connections and the database, and end worker processes."""
        if self._functions is not None:
            self._functions.close()
        self._pool.close()
        self.log.close()
        if self._stored_pdfs is not None:
            self._stored_pdfs.close()

    def __enter__(self) -> Self:
        """Return the workspace itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the workspace."""
        self.close()

    def tool(self, tenant: str, name: str) -> Tool:
        """Return a tool as it is after `extends`.

        Raises:
            UsageError: TM502 for an unknown name, with the nearest ones.
            ConfigError: the lint code of what is wrong in its files.
        """
        return self.catalog.find_tool(tenant, name)

    def run_tool(
        self,
        tenant: str,
        name: str,
        args: Mapping[str, Any] | None = None,
        options: RunOptions | None = None,
        sink: Sink = ignore,
    ) -> Report:
        """Run a tool and return its report; a run that fails is a report that says so.

        Args:
            args: None: the arguments of the case, else of args_fixture.
            options: None: a live run of the tool's own arguments.
            sink: told everything as it happens, masked.

        Raises:
            UsageError: an unknown tenant, tool or case.
            ConfigError: the tool's files are broken.
            ToolError: TM515 for an api that is not declared.
        """
        options = options or RunOptions()
        scope = self._scope(tenant, options, sink)
        run = prepare(scope, name)
        try:
            return self.run_case(run, choose_case(run.tool, args, options.case))
        finally:
            run.close()

    def run_case(self, run: ToolRun, case: Case) -> Report:
        """Run a prepared tool with a case, and judge the outcome by what the case expects."""
        scope, tool = run.scope, run.tool
        run.case = case.name
        scope.nested_left = scope.nested_limit = tool.max_nested_calls
        scope.deadline = self.clock.monotonic() + tool.max_seconds
        cassette = self._connect(scope, tool, case)
        try:
            report = execute_in_time(run, case.args, self.last_resort)
        finally:
            cassette.save()
        if case.fixture is None:
            return report
        from tm.runner.expectations import judge  # noqa: PLC0415  args_fixture expects nothing

        return judge(report, case.fixture)

    def prepare(self, tenant: str, name: str, options: RunOptions, sink: Sink) -> ToolRun:
        """Find a tool with its api and functions, for `run_case`; raises as `run_tool` does."""
        return prepare(self._scope(tenant, options, sink), name)

    def _homes(self) -> FunctionHomes:
        """Return where functions run; tools without functions need none of it."""
        from tm.runner.homes import FunctionHomes  # noqa: PLC0415  a tenth of a run's start

        with self._lock:
            self._functions = self._functions or FunctionHomes(self.root)
            return self._functions

    def _pdfs(self, chat_id: str | None) -> PdfTexts:
        """Return where a chat's PDFs are; without a chat there are none."""
        if self._given_pdfs is not None or not chat_id:
            return self._given_pdfs or NoPdfs()
        from tm.store.pdfs import StoredPdfs  # noqa: PLC0415  most runs have no chat

        with self._lock:
            self._stored_pdfs = self._stored_pdfs or StoredPdfs.of_workspace(
                self.root, self.environ, clock=self.clock.now
            )
            return self._stored_pdfs

    def redactor(self, tenant: str) -> Redactor:
        """Return what masks a tenant's secrets, as its files and variables are now."""
        return Redactor(self._facts(tenant)[2])

    def _facts(self, tenant: str) -> _Facts:
        """Return what every run of a tenant needs; kept for as long as the files are pinned."""
        pin = self.catalog.present_pin
        kept = self._pinned_facts
        if pin is not None and kept is not None and kept[0] == (pin, tenant):
            return kept[1]
        secrets, settings = self.catalog.secrets(tenant), self.catalog.settings(tenant)
        providers = settings.get("providers") or {}
        apis = self.catalog.apis(tenant)
        hidden = secrets.secret_values(*apis.values(), *providers.values())
        known = (secrets, settings, frozenset(hidden))
        self._pinned_facts = ((pin, tenant), known)
        return known

    def _scope(self, tenant: str, options: RunOptions, sink: Sink) -> Scope:
        secrets, settings, hidden = self._facts(tenant)
        isolate = options.isolate or settings.get("isolate") is True

        def load(tool: Tool, limit_s: float) -> Functions | None:
            if not function_refs(tool):
                return None
            homes = self._homes()
            if isolate:
                return homes.isolated(tool, tenant, limit_s)
            return homes.local(tool, tenant, limit_s)

        def expand(text: str, at: Location) -> str:
            return secrets.expand(text, at)

        return Scope(
            tenant=tenant,
            options=options,
            mode=options.mode or _default_mode(tenant, settings),
            sink=sink,
            facts=self.catalog,
            store=self.log,
            clock=self.clock,
            redactor=Redactor(hidden),
            expand=expand,
            secret_values=secrets.values_in,
            load_functions=load,
            files_path=f"{self.root}/tenants/{tenant}/files",
            session=dict(options.session or {}),
            nested_left=0,
            nested_limit=0,
            deadline=0.0,
            connect=_not_connected,
            root=self.root,
            pdfs=self._pdfs(options.chat_id),
        )

    def _names(self, scope: Scope) -> Mapping[str, str]:
        apis = self.catalog.apis(scope.tenant).values()
        return self.catalog.secrets(scope.tenant).secret_names(*apis)

    def _connect(self, scope: Scope, tool: Tool, case: Case) -> _LazyCassette:
        """Let the scope's runs send requests in its mode; returns the cassette to save."""
        place = f"tenants/{scope.tenant}/cassettes/{tool.name}/{case.cassette}.yaml"

        def advice() -> str:
            from tm.runner.recorded import replay_advice  # noqa: PLC0415  a miss is rare

            return replay_advice(self.root, scope.tenant, tool, case)

        cassette = _LazyCassette(self.root / place, scope.mode, advice)

        def connect(*, log: WriteLog, on_exchange: Callable[[Exchange], None]) -> HttpClient:
            return HttpClient(
                tenant=scope.tenant,
                expand=scope.expand,
                redactor=scope.redactor,
                pool=self._pool,
                mode=scope.mode,
                dry_run=scope.options.dry_run,
                cassette=cassette.get(),
                remaining_s=scope.remaining_s,
                log=log,
                on_exchange=on_exchange,
                secret_names=self._names(scope) if scope.options.with_curl else None,
            )

        scope.connect = connect
        return cassette


def _default_mode(tenant: str, settings: Mapping[str, Any]) -> Mode:
    mode = settings.get("http", "live")
    if mode not in _MODES:
        raise UsageError(
            f"settings.http of tenant '{tenant}' is {mode!r}: it takes live or replay",
            code="TM007",
        )
    return cast("Mode", mode)


class _LazyCassette:
    """The cassette of one run: read or begun when the run's first client is made."""

    def __init__(self, path: Path, mode: Mode, advice: Callable[[], str]) -> None:
        self._path = path
        self._mode = mode
        self._advice = advice
        self._cassette: Cassette | None = None

    def get(self) -> Cassette | None:
        """Return the cassette; None in a live run."""
        if self._cassette is None and self._mode != "live":
            from tm.http.cassettes import Cassette  # noqa: PLC0415  most runs are live

            is_new = self._mode == "record"
            self._cassette = (
                Cassette.new(self._path) if is_new else Cassette.load(self._path, self._advice)
            )
        return self._cassette

    def save(self) -> None:
        """Write what was recorded."""
        if self._cassette is not None and self._mode == "record":
            self._cassette.save()


def _not_connected(**_: Any) -> HttpClient:
    raise UsageError("the run has no case yet", code="TM506")


def with_case(options: RunOptions, case: str | None) -> RunOptions:
    """Return the same options for another case."""
    return replace(options, case=case)
