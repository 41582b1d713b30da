"""A tenant's file as a module: made, compiled and run once.

What lives here: what happens to one file after the scan. What must not: reading files and
deciding when one runs anew (`functions`).
"""

from __future__ import annotations

import itertools
import sys
from types import CodeType, ModuleType

from tm.errors import ConfigError, Location
from tm.records import field, record
from tm.runner.guard import ForbiddenError, armed
from tm.runner.load_limit import watched
from tm.runner.places import RAISED, Source, forbidden, innermost, raised
from tm.runner.source_file import SourceFile
from tm.runner.thread_state import FreshThread

_serial = itertools.count(1)


@record(frozen=False)
class TenantModule:
    """A file that has run.

    Attributes:
        needs: modules that it imported while it ran, by path; it runs anew when one changes.
        fits: (function, role) pairs whose parameters are known to be right.
    """

    file: SourceFile
    module: ModuleType
    needs: dict[str, TenantModule] = field(default_factory=dict)
    fits: set[tuple[str, str]] = field(default_factory=set)

    def forget(self) -> None:
        """Take the module out of `sys.modules`; functions that still run keep working."""
        sys.modules.pop(self.module.__name__, None)


def new_module(path: str, source: bytes, tenant: str) -> ModuleType:
    """Return an empty module under a name that no import statement can spell.

    It is in `sys.modules`, where dataclasses look up the names in text annotations.
    """
    dotted = path.removesuffix(".py").replace("/", ".")
    module = ModuleType(f"{dotted}#{tenant}.{next(_serial)}")
    vars(module).update(__file__=path, __package__="", __loader__=Source(path, source))
    if known := sys.modules.get("linecache"):  # lines of what the file was before
        known.cache.pop(path, None)
    sys.modules[module.__name__] = module
    return module


def execute(code: CodeType, module: ModuleType, path: str) -> None:
    """Run a module's code, armed.

    Raises:
        ConfigError: TM509 with the place, where it raises; any code from a file that it imports.
        SecurityError: TM511, where it tried something forbidden.
        LoadTimeoutError: past the time that `loading_within` allows.
    """
    guard = armed()
    failure: Exception | None = None
    with FreshThread(), watched(), guard:
        try:
            exec(code, vars(module))  # noqa: S102  the code of the tree that was scanned
        except ForbiddenError:
            pass  # the guard has recorded it
        except Exception as error:  # noqa: BLE001  a tenant's file may raise anything
            failure = error
    if guard.denial is not None:
        raise forbidden(guard.denial, Location(path)) from guard.denial
    if isinstance(failure, ConfigError):
        raise failure  # of a file that it imports
    if failure is not None:
        raise _load_error(failure, path) from failure


def _load_error(failure: Exception, path: str) -> ConfigError:
    """Return the error for an exception of a module's code."""
    place = innermost(failure.__traceback__)
    return ConfigError(
        f"the file raises while it is loaded: {raised(failure, place)}",
        code=RAISED,
        at=place.at if place else Location(path),
    )


def public_names(module: ModuleType) -> list[str]:
    """Return the names that another file may mean to import."""
    return [name for name in vars(module) if not name.startswith("_")]
