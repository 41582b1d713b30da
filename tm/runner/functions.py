"""Tenant functions: from `FILE:FUNCTION` to something that can be called.

What lives here: which file is read, scanned and run, and when again. What must not: deciding what
is allowed (`tm.scan`), running a file (`modules`), calling the functions (`calls`).
"""

from __future__ import annotations

import ast
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tm.confine import read_bytes
from tm.errors import ConfigError, Detail, Location, SecurityError, did_you_mean
from tm.model import FunctionRef
from tm.records import field, record
from tm.runner.facades import Wanted, tenant_builtins
from tm.runner.modules import (
    Stamp,
    TenantModule,
    compile_tree,
    execute,
    new_module,
    public_names,
    top_level_functions,
)
from tm.scan import Scan, check_signature, scan_source
from tm.scan.policy import BUILTINS
from tm.scan.signature import Role

# One byte more than the scan takes, so that its words tell what is wrong with a larger file.
MAX_SOURCE_BYTES: Final = 262_145
OUTSIDE: Final = "TM312"
NOT_FOUND: Final = "TM117"
BAD_IMPORT: Final = "TM306"

# A file that changed within this time may change again without another time stamp.
_SETTLED_NS: Final = 2_000_000_000

Scanner = Callable[..., Scan]


@record(frozen=False)
class _Space:
    """The modules that one tenant runs from one home; nothing in it is seen by another tenant."""

    tenant: str
    home: str
    files: dict[str, TenantModule] = field(default_factory=dict)
    running: list[TenantModule] = field(default_factory=list)

    @property
    def prefix(self) -> str:
        """Return the folder that the files must stay inside, with a slash at its end."""
        return f"tenants/{self.home}/"


class FunctionLoader:
    """Loads the functions of a workspace, each file once per tenant and content.

    A file runs only after the scan has passed its bytes, as the tree that was scanned. Module
    state lives as long as the loader and is shared neither between tenants nor between homes.
    Threads may share a loader.
    """

    def __init__(self, root: Path, *, scan: Scanner = scan_source) -> None:
        """Load files below the root.

        Args:
            root: of the workspace, absolute.
            scan: `tm.scan.scan_source`; another one in tests of the guard alone.
        """
        self._root = root
        self._scan = scan
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
            space = self._spaces.setdefault((tenant, ref.home), _Space(tenant, ref.home))
            return _function(self._current(space, ref.path, ref.at, {}), ref, role)

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
        known = space.files.get(path)
        stamp = self._stamp(path)
        if known is None or stamp is None or known.stamp != stamp:
            source = self._read(space, path, at)
            if known is not None and known.source == source:
                known.stamp = stamp
            else:
                known = self._run(space, path, source, stamp)
        if any(self._current(space, one, at, seen) is not it for one, it in known.needs.items()):
            known = self._run(space, path, known.source, stamp)
        seen[path] = known
        return known

    def _stamp(self, path: str) -> Stamp | None:
        """Return what changes when the file does; None where that can't be relied on."""
        try:
            status = os.stat(f"{self._root}/{path}")  # noqa: PTH116  Path costs 5 us a call
        except OSError:
            return None
        if time.time_ns() - status.st_ctime_ns < _SETTLED_NS:
            return None
        return (
            status.st_dev,
            status.st_ino,
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )

    def _read(self, space: _Space, path: str, at: Location) -> bytes:
        """Return the bytes of a file of the space.

        Raises:
            ConfigError: TM312 or TM117.
        """
        if not path.startswith(space.prefix):
            raise ConfigError(
                f"{path!r} is outside tenants/{space.home}, and functions stay inside it",
                code=OUTSIDE,
                hint="copy the file into the tenant's folder",
                at=at,
            )
        try:
            return read_bytes(self._root, path, limit=MAX_SOURCE_BYTES, code=OUTSIDE)
        except SecurityError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise _no_file(self._root, path, at) from error
            raise ConfigError(error.message, code=OUTSIDE, at=at) from error

    def _run(self, space: _Space, path: str, source: bytes, stamp: Stamp | None) -> TenantModule:
        """Scan, compile and run one file, and keep its module."""
        _refuse_circle(space, path)
        tree = self._scanned(space, path, source)
        code = compile_tree(tree, path)
        module = new_module(path, source, space.tenant)
        loaded = TenantModule(path, source, stamp, module, top_level_functions(tree))
        vars(module)["__builtins__"] = tenant_builtins(
            BUILTINS, lambda wanted: self._import(space, loaded, wanted)
        )
        space.running.append(loaded)
        try:
            execute(code, module, path)
        except BaseException:
            loaded.forget()
            raise
        finally:
            space.running.pop()
        if path in space.files:
            space.files[path].forget()
        space.files[path] = loaded
        return loaded

    def _scanned(self, space: _Space, path: str, source: bytes) -> ast.Module:
        """Return the tree that may be compiled.

        Raises:
            ConfigError: with the first hit's code and place, and all hits as details.
        """
        depth = path.removeprefix(space.prefix).count("/")
        scan = self._scan(source, path, depth=depth)
        if scan.tree is None or scan.hits:
            raise _refused(scan, path)
        return scan.tree

    def _import(self, space: _Space, importing: TenantModule, wanted: Wanted) -> ModuleType:
        """Serve `from .file import names` in a file of the space."""
        at = Location(importing.path, wanted.line)
        with self._lock:
            path = _relative_path(space, importing.path, wanted, at)
            loaded = self._current(space, path, at, {})
            if importing in space.running:
                importing.needs[path] = loaded
        for name in wanted.names:
            if name not in vars(loaded.module):
                near = did_you_mean(name, public_names(loaded.module))
                raise ConfigError(f"{path} has no '{name}'{near}", code=NOT_FOUND, at=at)
        return loaded.module


def _function(loaded: TenantModule, ref: FunctionRef, role: Role) -> Callable[..., Any]:
    """Return a top-level function of a file that fits its role.

    Raises:
        ConfigError: TM117 or TM201.
    """
    node = loaded.defs.get(ref.name)
    if node is None:
        near = did_you_mean(ref.name, list(loaded.defs))
        raise ConfigError(
            f"{ref.path} has no function '{ref.name}'{near}", code=NOT_FOUND, at=ref.at
        )
    if (ref.name, role) not in loaded.fits:
        hit = check_signature(node, role)
        if hit is not None:
            at = Location(ref.path, hit.line, hit.col)
            raise ConfigError(hit.message, code=hit.code, hint=hit.help, at=at)
        loaded.fits.add((ref.name, role))
    function: Callable[..., Any] = vars(loaded.module)[ref.name]
    return function


def _refuse_circle(space: _Space, path: str) -> None:
    """Refuse to run a file that is being run.

    Raises:
        ConfigError: TM306 with the files on the way.
    """
    paths = [loaded.path for loaded in space.running]
    if path in paths:
        raise ConfigError(
            f"files import each other in a circle: {' -> '.join([*paths, path])}",
            code=BAD_IMPORT,
            hint="move what both need into a third file",
            at=Location(paths[-1]),
        )


def _refused(scan: Scan, path: str) -> ConfigError:
    """Return the error for a file that the scan refuses."""
    first = scan.hits[0]
    details = [
        Detail(f"{path}:{hit.line}:{hit.col}", f"{hit.code}: {hit.message}") for hit in scan.hits
    ]
    return ConfigError(
        first.message,
        code=first.code,
        hint=first.help,
        at=Location(path, first.line, first.col),
        details=details if len(details) > 1 else (),
    )


def _relative_path(space: _Space, path: str, wanted: Wanted, at: Location) -> str:
    """Return the path of the file that a relative import means.

    Raises:
        ConfigError: TM312, where the dots climb out of the home; TM306, where no file is named.
    """
    folders = path.removeprefix(space.prefix).split("/")[:-1]
    climbs = wanted.dots - 1
    if climbs > len(folders):
        raise ConfigError(
            f"the import climbs out of tenants/{space.home}",
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
    return space.prefix + "/".join([*kept, *wanted.module.split(".")]) + ".py"


def _no_file(root: Path, path: str, at: Location) -> ConfigError:
    """Return the error for a missing file, with the files beside it that may be meant."""
    folder, _, name = path.rpartition("/")
    beside = [found.name for found in (root / folder).glob("*.py")]
    return ConfigError(
        f"there is no file {path}{did_you_mean(name, beside)}",
        code=NOT_FOUND,
        hint="FILE:FUNCTION and relative imports count from the folder of the file that has them",
        at=at,
    )
