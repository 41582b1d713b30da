"""What one call of the command line works with: its streams, its workspace, its tenant."""

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tm.errors import UsageError
from tm.model import Json, Tenant
from tm.render.lines import Span, line
from tm.render.screen import Screen, open_screen, write_json

if TYPE_CHECKING:
    from mmap import mmap

    from tm.config.loader import Catalog
    from tm.runner.workspace import Workspace
    from tm.store.reader import ExecutionLogReader


class Call:
    """The common options of a command, and what follows from them.

    Attributes:
        root: `--root`.
        tenant: `--tenant`.
        color: `auto`, `always` or `never`.
    """

    def __init__(
        self, *, root: Path | None = None, tenant: str | None = None, color: str = "auto"
    ) -> None:
        self.root = root
        self.tenant = tenant
        self.color = color

    @property
    def environ(self) -> Mapping[str, str]:
        """The process's environment: read here and nowhere else."""
        return os.environ

    @cached_property
    def screen(self) -> Screen:
        """Where everything but the result goes."""
        return open_screen(self.color, sys.stderr, self.environ)

    @cached_property
    def root_folder(self) -> Path:
        """The root that `--root`, TM_ROOT or the current folder names.

        Raises:
            UsageError: there is none.
        """
        from tm.config.discover import find_root  # `tm explain` needs no workspace

        option = None if self.root is None else str(self.root)
        return find_root(Path.cwd(), option=option, environ=self.environ)

    @property
    def is_production(self) -> bool:
        """Whether the index is trusted until it is cleared."""
        return self.environ.get("TM_ENV") == "production"

    @cached_property
    def catalog(self) -> "Catalog":
        """What the config files declare."""
        from tm.builtin.tools import BUILTINS
        from tm.config.loader import Catalog

        return Catalog(
            self.root_folder,
            environ=self.environ,
            production=self.is_production,
            builtin=BUILTINS,
        )

    @property
    def log_reader(self) -> "ExecutionLogReader":
        """The execution log, to be read."""
        from tm.store.place import place_of
        from tm.store.reader import ExecutionLogReader

        return ExecutionLogReader(place_of(self.root_folder, self.environ))

    def tenant_for(self, tool: str) -> str:
        """Return the tenant to run a tool for.

        Raises:
            UsageError: no tenant or several fit, or the one that is named does not exist.
        """
        from tm.config.discover import choose_tenant

        return choose_tenant(
            self.catalog,
            tool,
            option=self.tenant,
            environ=self.environ,
            cwd=Path.cwd(),
        )

    def tenant_for_assistant(self, name: str) -> str:
        """Return the tenant whose assistant is meant.

        Raises:
            UsageError: no tenant or several fit, or the one that is named does not exist.
        """
        try:
            return self._chosen_tenant()
        except UsageError:
            if self.tenant or self.environ.get("TM_TENANT"):
                raise
        having = self.catalog.tenants_with_assistant(name)
        if len(having) == 1:
            return having[0]
        what = f"is in several tenants: {', '.join(having[:20])}" if having else "is in no tenant"
        raise UsageError(
            f"assistant {name!r:.80} {what}",
            code="TM524",
            hint="say which tenant with --tenant CODE or TM_TENANT",
        )

    def _chosen_tenant(self) -> str:
        from tm.config.discover import choose_tenant

        return choose_tenant(
            self.catalog, None, option=self.tenant, environ=self.environ, cwd=Path.cwd()
        )

    def tenants(self) -> list[str]:
        """Return the tenant that is chosen, or all where none is.

        Raises:
            UsageError: the one that is named does not exist.
        """
        try:
            return [self.one_tenant()]
        except UsageError:
            if self.tenant or self.environ.get("TM_TENANT"):
                raise
            from tm.config.discover import tenant_codes

            return tenant_codes(self.root_folder)

    def one_tenant(self) -> str:
        """Return the tenant that is chosen, or the only one there is.

        Raises:
            UsageError: several come into question, or the one that is named does not exist.
        """
        from tm.config.discover import TenantFolders, choose_tenant

        folders = TenantFolders(self.root_folder)
        return choose_tenant(
            folders, None, option=self.tenant, environ=self.environ, cwd=Path.cwd()
        )

    def only_tenant(self) -> str | None:
        """Return the tenant that is chosen, or the only one there is; None: several.

        Raises:
            UsageError: the one that is named does not exist.
        """
        codes = self.tenants()
        return codes[0] if len(codes) == 1 else None

    @property
    def width(self) -> int | None:
        """Columns of the terminal that stdout is; None where it is none."""
        if not sys.stdout.isatty():
            return None
        from shutil import get_terminal_size  # with it come three compressors

        return get_terminal_size().columns

    def warn(self, message: str) -> None:
        """Show a warning."""
        self.screen.show([line(Span("warning: ", "yellow"), message)])

    def warn_of_problems(self, tenant: Tenant) -> None:
        """Show what of a tenant could not be loaded."""
        for problem in tenant.problems:
            self.warn(f"{problem.error} [{problem.error.code}]")

    def print_json(self, value: Json) -> None:
        """Print the one JSON document of this call on stdout."""
        write_json(value, color=self.color, stream=sys.stdout, environ=self.environ)

    def print_lines(self, lines: "Iterator[list[Span]] | list[list[Span]]") -> None:
        """Print the text that was asked for on stdout."""
        open_screen(self.color, sys.stdout, self.environ).show(lines)


class RunCall(Call):
    """A call that runs tools: it needs the whole workspace."""

    _told: "mmap | None" = None

    @cached_property
    def workspace(self) -> "Workspace":
        """The workspace, which warns on the screen."""
        from tm.cli.last_resort import EndOfProcess  # only a run needs it
        from tm.runner.workspace import Workspace  # only a run needs the runner

        return Workspace(
            self.root_folder,
            environ=self.environ,
            production=self.is_production,
            warn=self._warn_once,
            last_resort=EndOfProcess(),
        )

    def share_warnings(self) -> None:
        """Let what every worker process finds be told by the first of them only."""
        from mmap import mmap  # only several tools have workers

        self._told = mmap(-1, 1)

    def _warn_once(self, message: str) -> None:
        if self._told is not None and self._told[0]:
            return
        if self._told is not None:
            self._told[0] = 1
        self.warn(message)

    @property
    def catalog(self) -> "Catalog":
        """The workspace's own, so that no file is read twice."""
        return self.workspace.catalog
