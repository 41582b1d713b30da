"""Tenant functions: from `FILE:FUNCTION` to something that can be called.

What lives here: which file's code runs, and when again. What must not: reading and scanning files
(`sources`), running a file (`modules`), calling the functions (`calls`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from tm.errors import ConfigError, Location, did_you_mean
from tm.model import FunctionRef
from tm.records import field, record
from tm.runner.facades import Wanted, tenant_builtins
from tm.runner.modules import TenantModule, execute, new_module, public_names
from tm.runner.source_file import NOT_FOUND, OUTSIDE, Files, SourceFile
from tm.scan import check_signature
from tm.scan.policy import BUILTINS
from tm.scan.signature import Role

BAD_IMPORT: Final = "TM306"


@record(frozen=False)
class _Space:
    """The modules that one tenant runs from one home; nothing in it is seen by another tenant."""

    tenant: str
    home: str
    files: dict[str, TenantModule] = field(default_factory=dict)
    running: list[TenantModule] = field(default_factory=list)


class FunctionLoader:
    """Loads the functions of a workspace, each file once per tenant and content.

    Module state lives as long as the loader and is shared neither between tenants nor between
    homes. Threads may share a loader.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._spaces: dict[tuple[str, str], _Space] = {}
        self._lock = threading.RLock()

    def load(self, ref: FunctionRef, role: Role, *, tenant: str) -> Callable[..., Any]:
        """Return the function, from a module that belongs to this tenant and home alone.

        Args:
            ref: as declared.
            role: how it will be called; decides which parameters it must have.
            tenant: code of the tenant that the tool runs for.

        Raises:
            ConfigError: TM117 (no such file or function), TM312 (outside the tenant), TM201
                (parameters), TM001 to TM308 (the scan), TM509 (raises while it loads).
            SecurityError: TM511, where running the file tried something forbidden.
        """
        with self._lock:
            loaded = self._loaded(ref, tenant)
            if (ref.name, role) not in loaded.fits:
                check_function(loaded.file, ref, role)
                loaded.fits.add((ref.name, role))
            return _function(loaded, ref)

    def load_checked(self, ref: FunctionRef, *, tenant: str) -> Callable[..., Any]:
        """Return a function that `check_function` has passed already; raises as `load` does."""
        with self._lock:
            return _function(self._loaded(ref, tenant), ref)

    def _loaded(self, ref: FunctionRef, tenant: str) -> TenantModule:
        space = self._spaces.setdefault((tenant, ref.home), _Space(tenant, ref.home))
        return self._current(space, ref.path, ref.at, {})

    def _current(
        self, space: _Space, path: str, at: Location, seen: dict[str, TenantModule]
    ) -> TenantModule:
        """Return the file's module, run anew where it or a file that it imports has changed.

        Args:
            space: whose module.
            path: of the file.
            at: what names the file.
            seen: files that this load has looked at already.
        """
        if path in seen:
            return seen[path]
        file = self._files.get(path, space.home, at)
        known = space.files.get(path)
        if known is None or known.file is not file:
            known = self._run(space, file)
        if any(self._current(space, one, at, seen) is not it for one, it in known.needs.items()):
            known = self._run(space, file)
        seen[path] = known
        return known

    def _run(self, space: _Space, file: SourceFile) -> TenantModule:
        """Run one file and keep its module."""
        _refuse_circle(space, file.path)
        module = new_module(file.path, file.source, space.tenant)
        loaded = TenantModule(file, module)
        vars(module)["__builtins__"] = tenant_builtins(
            BUILTINS, lambda wanted: self._import(space, loaded, wanted)
        )
        space.running.append(loaded)
        try:
            execute(file.code, module, file.path)
        except BaseException:
            loaded.forget()
            raise
        finally:
            space.running.pop()
        if file.path in space.files:
            space.files[file.path].forget()
        space.files[file.path] = loaded
        return loaded

    def _import(self, space: _Space, importing: TenantModule, wanted: Wanted) -> ModuleType:
        """Serve `from .file import names` in a file of the space."""
        at = Location(importing.file.path, wanted.line)
        with self._lock:
            path = relative_path(space.home, importing.file.path, wanted)
            loaded = self._current(space, path, at, {})
            if importing in space.running:
                importing.needs[path] = loaded
        for name in wanted.names:
            if name not in vars(loaded.module):
                near = did_you_mean(name, public_names(loaded.module))
                raise ConfigError(f"{path} has no '{name}'{near}", code=NOT_FOUND, at=at)
        return loaded.module


def check_function(file: SourceFile, ref: FunctionRef, role: Role) -> None:
    """Check that a file has a top-level function that fits its role.

    Raises:
        ConfigError: TM117 or TM201.
    """
    node = file.defs.get(ref.name)
    if node is None:
        near = did_you_mean(ref.name, list(file.defs))
        raise ConfigError(
            f"{ref.path} has no function '{ref.name}'{near}", code=NOT_FOUND, at=ref.at
        )
    hit = check_signature(node, role)
    if hit is not None:
        at = Location(ref.path, hit.line, hit.col)
        raise ConfigError(hit.message, code=hit.code, hint=hit.help, at=at)


def _function(loaded: TenantModule, ref: FunctionRef) -> Callable[..., Any]:
    function: Callable[..., Any] = vars(loaded.module)[ref.name]
    return function


def _refuse_circle(space: _Space, path: str) -> None:
    """Refuse to run a file that is being run.

    Raises:
        ConfigError: TM306 with the files on the way.
    """
    paths = [loaded.file.path for loaded in space.running]
    if path in paths:
        raise ConfigError(
            f"files import each other in a circle: {' -> '.join([*paths, path])}",
            code=BAD_IMPORT,
            hint="move what both need into a third file",
            at=Location(paths[-1]),
        )


def relative_path(home: str, path: str, wanted: Wanted) -> str:
    """Return the path of the file that a relative import of the file at `path` means.

    Raises:
        ConfigError: TM312, where the dots climb out of the home; TM306, where no file is named.
    """
    prefix, at = f"tenants/{home}/", Location(path, wanted.line)
    folders = path.removeprefix(prefix).split("/")[:-1]
    climbs = wanted.dots - 1
    if climbs > len(folders):
        raise ConfigError(
            f"the import climbs out of tenants/{home}",
            code=OUTSIDE,
            hint="import files of the same tenant only",
            at=at,
        )
    if not wanted.module:
        raise ConfigError(
            "the import names no file",
            code=BAD_IMPORT,
            hint="write `from .file import name`",
            at=at,
        )
    kept = folders[: len(folders) - climbs]
    return prefix + "/".join([*kept, *wanted.module.split(".")]) + ".py"
