"""Classes of values that the library keeps in tables for all: what a class based on one may define.

`re`, `struct`, `strptime` and `ZoneInfo` keep what they made by the text they were given. A text
with a `__hash__` and `__eq__` of its own is found in place of another's, and one with a `split` of
its own is read as another: the next tool, of any tenant, then gets a wrong result.

What lives here: tables and questions of scan and guard alike. What must not: a look at source code
or at a running program.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from tm.scan.modules import words
from tm.scan.policy import COMPARES, DUNDER_METHODS

# Builtin and library classes of values; their module is loaded wherever a file imports them.
VALUE_BUILTINS: Final = words("str bytes int float complex tuple frozenset")
VALUE_MEMBERS: Final = words("""
    datetime.date datetime.time datetime.datetime datetime.timedelta decimal.Decimal
    fractions.Fraction uuid.UUID ipaddress.IPv4Address ipaddress.IPv6Address ipaddress.IPv4Network
    ipaddress.IPv6Network ipaddress.IPv4Interface ipaddress.IPv6Interface zoneinfo.ZoneInfo
    xml.etree.ElementTree.QName""")
ENUM_MIXINS: Final = {"IntEnum": "int", "StrEnum": "str", "IntFlag": "int"}

_IDENTITY: Final = frozenset({"__hash__", "__eq__", "__ne__"})
_ORDER: Final = COMPARES - _IDENTITY
# They make a value, or only describe it.
_FREE: Final = words("__new__ __init__ __str__ __repr__ __format__ __doc__ __slots__")
# Amounts and vectors count with these; no table of the library asks for them.
_ARITHMETIC: Final = frozenset(
    f"__{side}{name}__"
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow")
    for side in ("", "r", "i")
) | {"__neg__", "__pos__", "__abs__", "__round__"}
_TEXTS: Final = frozenset({"str", "bytes"})
# Usual names of columns and labels, which no table of the library asks a value for.
_COLUMNS: Final = frozenset({"count", "index", "title"})


def locked_names(base: str, *, orders: bool = False) -> frozenset[str]:
    """Return the names that a class based on a value may not define.

    Args:
        base: of `VALUE_BUILTINS` or `VALUE_MEMBERS`.
        orders: it is a named tuple or an enum, whose `<` sorts and finds nothing.
    """
    module, _, name = f"builtins.{base}".rpartition(".")
    kind = getattr(import_module(module.removeprefix("builtins.") or "builtins"), name)
    return locked_of(kind, orders=orders)


def locked_of(kind: type, *, orders: bool = False) -> frozenset[str]:
    """Return the same for the class itself."""
    names = {
        name for name in dir(kind) if not name.startswith("__") or name in DUNDER_METHODS
    } - _FREE
    if kind.__name__ not in _TEXTS:
        names -= _ARITHMETIC
    kept = _COLUMNS | (_ORDER if orders else frozenset())
    return frozenset((names | _IDENTITY) - kept)
