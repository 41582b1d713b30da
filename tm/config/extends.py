"""`extends`: a tool takes over the fields of a shared tool that it does not give itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tm.config.source import Source
from tm.errors import ConfigError, Location
from tm.model import SHARED
from tm.records import record


@record
class Declaration:
    """A tool, api, assistant or task as one file declares it.

    Attributes:
        section: `tools`, `apis`, `assistants` or `scheduled`.
        home: tenant code or `_shared`.
        value: as declared; a mapping, where the file is right.
    """

    section: str
    name: str
    home: str
    source: Source
    value: Any

    @property
    def at(self) -> Location:
        """Return the place of its name."""
        return self.source.locate((self.section, self.name))

    def locate(self, *keys: str | int) -> Location:
        """Return the place of a key in it, or of the nearest key above."""
        return self.source.locate((self.section, self.name, *keys))


@record
class Extended:
    """A tool's fields after `extends`.

    Attributes:
        own: the tool itself.
        values: of the fields, without `extends`.
        origins: the declaration that each field comes from.
    """

    own: Declaration
    values: Mapping[str, Any]
    origins: Mapping[str, Declaration]


def extend(own: Declaration, find_shared: Callable[[str, Location], Declaration]) -> Extended:
    """Return the tool with the fields of its bases; a field given here replaces the base's.

    Args:
        own: the tool, whose value is a mapping.
        find_shared: returns a shared tool by its name; told the place that names it; raises
            ConfigError TM111 where there is none.

    Raises:
        ConfigError: TM111 for no shared tool, or a circle (all of it is named).
    """
    values: dict[str, Any] = {}
    origins: dict[str, Declaration] = {}
    for declaration in _chain(own, find_shared):
        for key, value in declaration.value.items():
            if key not in values and key != "extends":
                values[key] = value
                origins[key] = declaration
    return Extended(own, values, origins)


def _chain(
    own: Declaration, find_shared: Callable[[str, Location], Declaration]
) -> Iterator[Declaration]:
    """Yield the tool, its base, the base of that, and so on."""
    current, names = own, [own.name]
    seen = {(own.home, own.name)}
    while True:
        yield current
        if "extends" not in current.value:
            return
        at = current.locate("extends")
        wanted = _wanted(current.value["extends"], at)
        names.append(wanted)
        if (SHARED, wanted) in seen:
            circle = " -> ".join(names)
            raise ConfigError(f"extends goes in a circle: {circle}", code="TM111", at=at)
        seen.add((SHARED, wanted))
        current = find_shared(wanted, at)


def _wanted(value: object, at: Location) -> str:
    """Return the name of the base."""
    if isinstance(value, str) and value:
        return value
    raise ConfigError(
        "extends is the name of one shared tool",
        code="TM111",
        hint="name a tool of tenants/_shared/; several bases are not possible",
        at=at,
    )
