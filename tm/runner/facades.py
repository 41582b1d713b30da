"""What a tenant's file sees instead of the interpreter: its builtins and its modules.

What lives here: the own `__builtins__`, modules cut down to the policy's members, the guarded
import and `print`. What must not: reading a tenant's files (`functions`), deciding what is
allowed (`tm.scan`).
"""

from __future__ import annotations

import builtins
import io
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, Final, NoReturn

from tm.records import record
from tm.runner.attributes import getattr_builtin, hasattr_builtin
from tm.runner.guard import deny, disarmed
from tm.runner.own import note_shared
from tm.runner.rewriters import guarded
from tm.runner.type_builtin import tenant_type
from tm.runner.weave import CHECKS
from tm.scan.policy import MODULES, PACKAGES


@record
class Wanted:
    """A relative import: `from ..lib.money import euro`.

    Attributes:
        module: the name after the dots; empty where there is none.
        dots: number of dots before it, at least 1.
        names: names to import.
        line: of the statement, from 1.
    """

    module: str
    dots: int
    names: tuple[str, ...]
    line: int


RelativeImport = Callable[[Wanted], ModuleType]

# C code of allowed members imports these by way of the caller's builtins, and takes them from
# `sys.modules` afterwards: `datetime.strptime` does. Nothing of them is handed out.
_BY_C_CODE: Final = frozenset(
    {"_strptime", "_decimal", "_io", "encodings.idna", "zoneinfo._common"}
)


class _Facade(ModuleType):
    """A module with the allowed members of a real one, and a reason for every other name."""

    def __getattr__(self, name: str) -> Any:
        """Refuse a member that the policy does not list.

        Raises:
            AttributeError: for names that the interpreter itself asks modules for, and for
                allowed ones that this version of Python does not have.
        """
        if name.startswith("__") or name in MODULES.get(self.__name__, ()):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        deny(f"use {self.__name__}.{name}")

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        """Refuse: all tenants share the module."""
        deny(f"change {self.__name__}.{name}")

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: all tenants share the module."""
        deny(f"change {self.__name__}.{name}")


def _fixed(member: Any) -> Any:
    """Return a member of a module; a table that all tenants would share, so that it can't change.

    `html.entities.html5` and `keyword.kwlist` are such tables.
    """
    kind = type(member)
    if kind is dict:
        return MappingProxyType(dict(member))
    if kind is list:
        return tuple(member)
    return frozenset(member) if kind is set else member


_facades: dict[str, ModuleType] = {}
_facades_lock = threading.Lock()


def _facade(name: str) -> ModuleType:
    """Return the one facade of an allowed module or package, made on first use.

    It is shared by all tenants: nothing of it can be replaced.
    """
    found = _facades.get(name)
    if found is not None:
        return found
    made = _Facade(name)
    if name in MODULES:
        with disarmed():  # the first import of a stdlib module opens its file
            real = import_module(name)
            # By attribute, a module gives out names that it deprecates too, with a warning; tm
            # has no other way, since its names load on first use.
            own = {key: getattr(real, key) for key in MODULES[name]} if name == "tm" else vars(real)
            given = {key: _fixed(own[key]) for key in MODULES[name] if key in own}
        members = {key: guarded(name, key, value) for key, value in given.items()}
        note_shared(given)
        vars(made).update(members)
    with _facades_lock:
        return _facades.setdefault(name, made)


def _import_absolute(name: str, names: Sequence[str] | None) -> ModuleType:
    """Return what `import name` or `from name import names` binds."""
    if type(names) is list and not names:  # a statement passes None or a tuple, C code this
        return _import_for_c(name)
    if name not in MODULES and not (name in PACKAGES and names):
        deny(f"import {name}")
    if names:
        return _with_members(name, names)
    top, _, rest = name.partition(".")
    above = _facade(top)
    for part in rest.split(".") if rest else ():
        below = _facade(f"{above.__name__}.{part}")
        vars(above)[part] = below
        above = below
    return _facade(top)


def _import_for_c(name: str) -> ModuleType:
    """Load a module that C code takes from `sys.modules`, and return an empty one."""
    if name not in _BY_C_CODE and name not in MODULES:
        deny(f"import {name}")
    with disarmed():
        import_module(name)
    return ModuleType(name)


def _with_members(name: str, names: Sequence[str]) -> ModuleType:
    """Return a facade that has every one of the names, or refuse.

    The interpreter looks a missing name up in `sys.modules`, so it must never be missing here.
    """
    module = _facade(name)
    for member in names:
        if member in vars(module):
            continue
        if member in MODULES.get(name, ()):
            version = f"{sys.version_info[0]}.{sys.version_info[1]}"
            raise ImportError(f"Python {version} has no '{member}' in '{name}'")
        if f"{name}.{member}" not in MODULES:
            deny(f"import {member} from {name}")
        vars(module)[member] = _facade(f"{name}.{member}")
    return module


class Importer:
    """The `__import__` of one file; where it imports from does not depend on its globals."""

    __slots__ = ("_relative",)

    def __init__(self, relative: RelativeImport) -> None:
        self._relative = relative

    def __call__(
        self,
        name: str,
        _globals: Mapping[str, Any] | None = None,
        _locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """Return the module that an import statement binds.

        Raises:
            ForbiddenError: for a module or member outside the policy.
            ConfigError: for a relative import of a file that can't be loaded.
        """
        if level == 0:
            return _import_absolute(name, fromlist)
        with disarmed():
            line = sys._getframe(1).f_lineno
            return self._relative(Wanted(name, level, tuple(fromlist or ()), line))


class _Echo(threading.local):
    """Where the text of `print` goes on this thread; None: to stderr."""

    write: Callable[[str], object] | None = None


echo = _Echo()


def _print(*values: object, sep: str | None = " ", end: str | None = "\n", **options: Any) -> None:
    """Print to stderr, whatever the caller's stdout is: it belongs to the command's result.

    Args:
        *values: as for the builtin.
        sep: as for the builtin.
        end: as for the builtin.
        **options: `file` (a StringIO is written to, anything of the process is not) and `flush`.
    """
    file = options.get("file")
    if type(file) is io.StringIO:
        print(*values, sep=sep, end=end, file=file)
        return
    text = io.StringIO()
    print(*values, sep=sep, end=end, file=text)
    with disarmed():
        (echo.write or sys.stderr.write)(text.getvalue())


def _refused(name: str) -> Callable[..., Any]:
    """Return what stands in for a refused builtin: calling it is recorded."""

    def refuse(*_args: object, **_options: object) -> Any:
        deny(f"call {name}()")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


def tenant_builtins(allowed: frozenset[str], relative: RelativeImport) -> dict[str, Any]:
    """Return the `__builtins__` of one file.

    Args:
        allowed: names that the scan lets through.
        relative: loads a file of the same tenant for `from .file import name`.
    """
    return {**_common(allowed), "__import__": Importer(relative)}


_common_names: dict[frozenset[str], dict[str, Any]] = {}


def _common(allowed: frozenset[str]) -> dict[str, Any]:
    """Return the part of the builtins that is the same for every file."""
    if allowed not in _common_names:
        _common_names[allowed] = {
            name: value if name in allowed else _refused(name)
            for name, value in vars(builtins).items()
            if name in allowed or _is_refusable(value)
        } | {
            **CHECKS,
            "__name__": "builtins",
            "print": _print,
            "getattr": getattr_builtin,
            "hasattr": hasattr_builtin,
            "type": tenant_type,
        }
    return _common_names[allowed]


def _is_refusable(value: object) -> bool:
    """Tell whether a stand-in makes sense; a refused exception class is just not there."""
    return callable(value) and not (isinstance(value, type) and issubclass(value, BaseException))
