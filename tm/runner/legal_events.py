"""Audit events that legal code of a tenant fires, by way of the standard library.

What lives here: one rule per event: what it is about, and whose code may cause it. What must not:
refusing (`guard`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Any, Final

from tm.runner.frames import is_tenant, runs_in
from tm.scan.policy import MODULES

Rule = Callable[[tuple[Any, ...], FrameType], bool]


def _only_in(*modules: str) -> Rule:
    """Return the rule that allows an event where one of the modules causes it."""
    allowed = frozenset(modules)
    return lambda _args, frame: runs_in(frame, allowed)


def _any_of(*rules: Rule) -> Rule:
    """Return the rule that allows what one of the rules allows."""
    return lambda args, frame: any(rule(args, frame) for rule in rules)


# What stdlib code behind allowed members imports on first use, besides allowed modules: found by
# reading the sources of CPython 3.11 to 3.13 for imports inside functions.
LAZY: Final = frozenset({
    "_strptime", "_decimal", "_pydecimal", "_uuid", "decimal", "numbers", "locale", "_locale",
    "linecache", "tokenize", "token", "tracemalloc", "warnings", "traceback", "copy", "copyreg",
    "re", "collections", "collections.abc", "weakref", "textwrap", "encodings.idna", "stringprep",
    "unicodedata", "inspect", "ast", "dis", "html.entities", "importlib.resources", "tzdata",
    "zoneinfo._tzpath", "zoneinfo._common", "sysconfig", "struct", "datetime", "time", "typing",
    "annotationlib", "_hashlib", "_blake2", "_md5", "_sha1", "_sha2", "_sha256", "_sha512", "_sha3",
    "pyexpat", "xml.parsers", "xml.parsers.expat", "re._constants", "_collections_abc", "atexit",
    "errno", "email.charset",
})  # fmt: skip


def _is_legal_import(args: tuple[Any, ...], frame: FrameType) -> bool:
    """Allow the lazy imports of stdlib code, and do them here, where the hook is disarmed.

    The interpreter looks at `sys.modules` again after this event, finds the module there and
    opens no file while the function is armed.
    """
    name = args[0]
    known = name in LAZY or name in MODULES or name.startswith(("encodings.", "tzdata."))
    if not known or is_tenant(frame):
        return False
    with suppress(ImportError):  # the import itself fails the same way, with its own message
        import_module(name)
    return True


def _is_legal_open(args: tuple[Any, ...], frame: FrameType) -> bool:
    """Allow reading time zone data, and the source line that a printed warning shows."""
    path, mode = args[0], args[1]
    if type(path) is not str:
        return False
    if mode not in {"r", "rb"}:
        return _finds_zones(args, frame)
    return _is_zone_file(path) or _shows_warning(frame) or _finds_zones(args, frame)


_IMPORTING: Final = frozenset(
    {"importlib", "importlib._bootstrap", "importlib._bootstrap_external"}
)


def _finds_zones(_args: tuple[Any, ...], frame: FrameType) -> bool:
    """Allow the import system to load a folder of `tzdata`, where `zoneinfo` looks for a zone.

    `zoneinfo` builds the names from the zone's key below `tzdata.zoneinfo`, so no other is meant.
    """
    above: FrameType | None = frame
    while runs_in(above, _IMPORTING) or runs_in(above, _RESOURCES):
        above = above.f_back if above is not None else None
    asks = runs_in(above, frozenset({"zoneinfo._common"}))
    return asks and runs_in(frame, _IMPORTING | _RESOURCES)


_RESOURCES: Final = frozenset(
    {"importlib.resources", "importlib.resources._common", "importlib.resources._adapters"}
)


def _is_zone_file(path: str) -> bool:
    """Tell whether a path lies below the folders that `zoneinfo` reads."""
    zoneinfo = sys.modules.get("zoneinfo")
    tzdata = sys.modules.get("tzdata")
    folders = list(zoneinfo.TZPATH) if zoneinfo else []
    if tzdata is not None and tzdata.__file__:
        folders.append(os.path.dirname(tzdata.__file__))  # noqa: PTH120  Path would cost an import
    plain = os.path.normpath(path)
    return any(plain.startswith(folder.rstrip("/") + "/") for folder in folders)


def _shows_warning(frame: FrameType) -> bool:
    """Tell whether the warnings module reads a line of source code to print it."""
    if not runs_in(frame, frozenset({"tokenize", "linecache"})):
        return False
    above: FrameType | None = frame
    while above is not None and runs_in(above, frozenset({"tokenize", "linecache"})):
        above = above.f_back
    return runs_in(above, frozenset({"warnings"}))


# typing_extensions, once any library has loaded it, replaces parts of typing.
_TYPING: Final = ("typing", "typing_extensions", "annotationlib")

RULES: Final[Mapping[str, Rule]] = {
    "import": _is_legal_import,
    "open": _is_legal_open,
    # A legal import that finds no module is tried again by the interpreter, and a folder that
    # changed meanwhile is listed into the import system's own cache; nobody is given the names.
    "os.listdir": _only_in("importlib._bootstrap_external"),
    # dataclasses, namedtuple and tm's records write their methods as text, the latter when the
    # first record is made, such as a place in an error; ForwardRef compiles annotations.
    "compile": _any_of(
        _only_in("dataclasses", "collections", "tm.records", *_TYPING), _finds_zones
    ),
    "exec": _any_of(
        _only_in("dataclasses", "collections", "tm.records", "tm.runner.modules"), _finds_zones
    ),
    "marshal.loads": _finds_zones,
    # The import system keeps bytecode beside what it has compiled.
    "os.mkdir": _finds_zones,
    "os.rename": _finds_zones,
    "os.remove": _finds_zones,
    "sys._getframe": _only_in("collections", "enum", "dataclasses", "warnings", *_TYPING),
    "sys._getframemodulename": _only_in("collections", "enum", *_TYPING),
    "object.__getattr__": _only_in("inspect", "functools", "dataclasses", "enum", *_TYPING),
    "object.__setattr__": _only_in("dataclasses", "collections", "enum", "functools", *_TYPING),
}
