"""Tenant functions: from `FILE:FUNCTION` to something that can be called.

What lives here: reading, scanning, compiling and running the files, and the modules that come of
it. What must not: deciding what is allowed (`tm.scan`), calling the functions (`calls`).
"""

from __future__ import annotations

import ast
import itertools
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tm.confine import read_bytes
from tm.errors import ConfigError, Detail, Location, SecurityError, did_you_mean
from tm.model import FunctionRef
from tm.runner.facades import tenant_builtins
from tm.runner.guard import ForbiddenError, armed
from tm.runner.places import Source, forbidden, innermost, raised
from tm.scan import Scan, check_signature, scan_source
from tm.scan.policy import BUILTINS
from tm.scan.signature import Role

MAX_SOURCE_BYTES: Final = 262_144
_OUTSIDE: Final = "TM312"
_NOT_FOUND: Final = "TM117"
_CIRCLE: Final = "TM306"

Scanner = Callable[..., Scan]
_serial = itertools.count(1)


@dataclass(slots=True)
class _Loaded:
    """A file that has run: its module, and what must be unchanged for it to be used again."""

    path: str
    source: bytes
    module: ModuleType
    defs: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]
    needs: dict[str, _Loaded] = field(default_factory=dict)
    checked: set[tuple[str, str]] = field(default_factory=set)


@dataclass(slots=True)
class _Space:
    """The modules that one tenant runs from one home; nothing in it is seen by another tenant."""

    tenant: str
    home: str
    files: dict[str, _Loaded] = field(default_factory=dict)
    running: list[_Loaded] = field(default_factory=list)

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
        """Load files below the root (absolute).

        Args:
            root: of the workspace.
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
            loaded = self._current(space, ref.path, ref.at, {})
            return _function(loaded, ref, role)

    def _current(self, space: _Space, path: str, at: Location, seen: dict[str, _Loaded]) -> _Loaded:
        """Return the file's module, run anew where it or a file that it imports has changed."""
        if path in seen:
            return seen[path]
        source = self._read(space, path, at)
        known = space.files.get(path)
        if known is None or known.source != source or not self._holds(space, known, at, seen):
            known = self._run(space, path, source)
        seen[path] = known
        return known

    def _holds(self, space: _Space, known: _Loaded, at: Location, seen: dict[str, _Loaded]) -> bool:
        """Tell whether the files that a module imported are the ones it would get now."""
        return all(
            self._current(space, path, at, seen) is needed for path, needed in known.needs.items()
        )

    def _read(self, space: _Space, path: str, at: Location) -> bytes:
        """Return the bytes of a file of the space.

        Raises:
            ConfigError: TM312 or TM117.
        """
        if not path.startswith(space.prefix):
            raise ConfigError(
                f"{path!r} is outside tenants/{space.home}, and functions stay inside it",
                code=_OUTSIDE,
                hint="copy the file into the tenant's folder",
                at=at,
            )
        try:
            return read_bytes(self._root, path, limit=MAX_SOURCE_BYTES, code=_OUTSIDE)
        except SecurityError as error:
            if isinstance(error.__cause__, FileNotFoundError | NotADirectoryError):
                raise _no_file(self._root, path, at) from error
            raise ConfigError(error.message, code=_OUTSIDE, at=at) from error

    def _run(self, space: _Space, path: str, source: bytes) -> _Loaded:
        """Scan, compile and run one file, and keep its module."""
        if any(loaded.path == path for loaded in space.running):
            circle = " -> ".join([*(loaded.path for loaded in space.running), path])
            raise ConfigError(
                f"files import each other in a circle: {circle}",
                code=_CIRCLE,
                hint="move what both need into a third file",
                at=Location(space.running[-1].path),
            )
        tree = self._scanned(space, path, source)
        loaded = _Loaded(path, source, _new_module(space, path, source), _functions(tree))
        vars(loaded.module)["__builtins__"] = tenant_builtins(
            BUILTINS, lambda *call: self._import(space, loaded, *call)
        )
        space.running.append(loaded)
        try:
            _execute(_compiled(tree, path), loaded)
        except BaseException:
            sys.modules.pop(loaded.module.__name__, None)
            raise
        finally:
            space.running.pop()
        self._keep(space, loaded)
        return loaded

    def _keep(self, space: _Space, loaded: _Loaded) -> None:
        """Put a module in the place of the one of the file's older content."""
        old = space.files.get(loaded.path)
        if old is not None:
            sys.modules.pop(old.module.__name__, None)
        space.files[loaded.path] = loaded

    def _scanned(self, space: _Space, path: str, source: bytes) -> ast.Module:
        """Return the tree that may be compiled.

        Raises:
            ConfigError: with the first hit's code and place, and all hits as details.
        """
        depth = path.removeprefix(space.prefix).count("/")
        scan = self._scan(source, path, depth=depth)
        if scan.tree is None or scan.hits:
            first = scan.hits[0]
            details = [
                Detail(f"{path}:{hit.line}:{hit.col}", f"{hit.code}: {hit.message}")
                for hit in scan.hits
            ]
            raise ConfigError(
                first.message,
                code=first.code,
                hint=first.help,
                at=Location(path, first.line, first.col),
                details=details if len(details) > 1 else (),
            )
        return scan.tree

    def _import(
        self,
        space: _Space,
        importing: _Loaded,
        name: str,
        dots: int,
        names: Sequence[str],
        line: int,
    ) -> ModuleType:
        """Serve `from .file import names` in a file of the space."""
        at = Location(importing.path, line)
        with self._lock:
            path = _relative_path(space, importing.path, name, dots, at)
            loaded = self._current(space, path, at, {})
            if importing in space.running:
                importing.needs[path] = loaded
        known = [key for key in vars(loaded.module) if not key.startswith("_")]
        for wanted in names:
            if wanted not in vars(loaded.module):
                raise ConfigError(
                    f"{path} has no '{wanted}'{did_you_mean(wanted, known)}", code=_NOT_FOUND, at=at
                )
        return loaded.module


def _relative_path(space: _Space, path: str, name: str, dots: int, at: Location) -> str:
    """Return the path of the file that a relative import means.

    Raises:
        ConfigError: TM312, where the dots climb out of the home; TM306, where no file is named.
    """
    folders = path.removeprefix(space.prefix).split("/")[:-1]
    if dots - 1 > len(folders):
        raise ConfigError(
            f"the import climbs out of tenants/{space.home}",
            code=_OUTSIDE,
            hint="import files of the same tenant only",
            at=at,
        )
    if not name:
        raise ConfigError(
            "the import names no file",
            code=_CIRCLE,
            hint="write `from .file import name`",
            at=at,
        )
    kept = folders[: len(folders) - (dots - 1)]
    return space.prefix + "/".join([*kept, *name.split(".")]) + ".py"


def _no_file(root: Path, path: str, at: Location) -> ConfigError:
    """Return the error for a missing file, with the files beside it that may be meant."""
    folder, _, name = path.rpartition("/")
    beside = [found.name for found in (root / folder).glob("*.py")]
    return ConfigError(
        f"there is no file {path}{did_you_mean(name, beside)}", code=_NOT_FOUND, at=at
    )


def _new_module(space: _Space, path: str, source: bytes) -> ModuleType:
    """Return an empty module under a name that no import statement can spell.

    It is in `sys.modules`, where dataclasses look up the names in text annotations.
    """
    dotted = path.removesuffix(".py").replace("/", ".")
    module = ModuleType(f"{dotted}#{space.tenant}.{next(_serial)}")
    vars(module).update(__file__=path, __package__="", __loader__=Source(path, source))
    sys.modules[module.__name__] = module
    return module


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the top-level functions by name."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name: node for node in tree.body if isinstance(node, kinds)}


def _compiled(tree: ast.Module, path: str) -> Any:
    """Return the code of the tree that was scanned.

    Raises:
        ConfigError: TM001, for what only the compiler finds (a `return` outside a function).
    """
    try:
        return compile(tree, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise ConfigError(
            f"file does not compile: {error.msg}",
            code="TM001",
            at=Location(path, error.lineno, error.offset),
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise ConfigError(
            f"file does not compile: {type(error).__name__}", code="TM001", at=Location(path)
        ) from error


def _execute(code: Any, loaded: _Loaded) -> None:
    """Run a module's code, armed.

    Raises:
        ConfigError: TM509 with the place, where it raises.
        SecurityError: TM511, where it tried something forbidden.
    """
    guard = armed()
    failure: Exception | None = None
    with guard:
        try:
            exec(code, vars(loaded.module))  # noqa: S102  the code of the tree that was scanned
        except ForbiddenError:
            pass  # the guard has recorded it
        except Exception as error:  # noqa: BLE001  a tenant's file may raise anything
            failure = error
    if guard.denial is not None:
        raise forbidden(guard.denial, Location(loaded.path)) from guard.denial
    if isinstance(failure, ConfigError):
        raise failure  # of a file that it imports
    if failure is not None:
        place = innermost(failure.__traceback__)
        raise ConfigError(
            f"the file raises while it is loaded: {raised(failure, place)}",
            code="TM509",
            at=place.at if place else Location(loaded.path),
        ) from failure


def _function(loaded: _Loaded, ref: FunctionRef, role: Role) -> Callable[..., Any]:
    """Return a top-level function of a file that fits its role.

    Raises:
        ConfigError: TM117 or TM201.
    """
    node = loaded.defs.get(ref.name)
    if node is None:
        raise ConfigError(
            f"{ref.path} has no function '{ref.name}'{did_you_mean(ref.name, list(loaded.defs))}",
            code=_NOT_FOUND,
            at=ref.at,
        )
    if (ref.name, role) not in loaded.checked:
        hit = check_signature(node, role)
        if hit is not None:
            at = Location(ref.path, hit.line, hit.col)
            raise ConfigError(hit.message, code=hit.code, hint=hit.help, at=at)
        loaded.checked.add((ref.name, role))
    function: Callable[..., Any] = vars(loaded.module)[ref.name]
    return function
