"""What one config file declares, still as plain data: the same shape for YAML and Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from tm.errors import Location
from tm.model import Problem
from tm.records import field, record

SECTIONS: Final = ("tools", "apis", "assistants", "scheduled", "settings")
"""The top-level keys of a config file."""

MAX_FILE_BYTES: Final = 2_000_000
"""A larger YAML file is refused before it is parsed."""

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the top of a file down to a value."""

Places: TypeAlias = dict[KeyPath, tuple[int, int]]
"""Line and column, both from 1, of the keys down to the third level (section, name, field)."""


@record
class Source:
    """One config file, read but not merged with the others.

    Attributes:
        path: relative to the workspace root, with `/`.
        data: JSON data by section; functions are `FILE:FUNCTION` texts.
        places: of the keys down to the third level.
        problems: parts that could not be read, where the rest of the file could.
        locate_deep: finds a key below the third level by reading the file's text again.
    """

    path: str
    data: Mapping[str, Any] = field(default_factory=dict)
    places: Places = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    locate_deep: Callable[[KeyPath], tuple[int, int] | None] | None = None

    def locate(self, keys: KeyPath) -> Location:
        """Return the place of a key; of the nearest key above, where it is not there itself."""
        for size in range(len(keys), 0, -1):
            place = self._place(keys[:size])
            if place:
                return Location(self.path, *place)
        return Location(self.path, 1)

    def _place(self, keys: KeyPath) -> tuple[int, int] | None:
        """Return line and column of exactly this key, or None."""
        if len(keys) <= 3:
            return self.places.get(keys)
        return self.locate_deep(keys) if self.locate_deep else None
