"""A tenant's settings, which several files may give together: mappings merge, key by key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tm.config.extends import Declaration
from tm.errors import ConfigError
from tm.model import ABSENT, Problem
from tm.records import record


@record
class _Part:
    """What one file says for a key: its value, and the keys down to it."""

    declared: Declaration
    keys: tuple[str, ...]
    value: Any


def merged_settings(declared: Iterable[Declaration], problems: list[Problem]) -> dict[str, Any]:
    """Return the settings of all files of a home, given all their `settings` declarations.

    Two files may fill the same mapping (`vars`, `providers`). Where they give one key different
    values, neither counts, and a problem (TM006) names both places.
    """
    parts = [_Part(found, (), {found.name: found.value}) for found in declared]
    return _merge_mappings(parts, problems)


def _merge_mappings(parts: list[_Part], problems: list[Problem]) -> dict[str, Any]:
    by_key: dict[str, list[_Part]] = {}
    for part in parts:
        for key, value in part.value.items():
            by_key.setdefault(key, []).append(_Part(part.declared, (*part.keys, key), value))
    merged = {key: _merge(several, problems) for key, several in by_key.items()}
    return {key: value for key, value in merged.items() if value is not ABSENT}


def _merge(parts: list[_Part], problems: list[Problem]) -> Any:
    """Return one value of several files', `ABSENT` where they contradict each other."""
    first = parts[0].value
    if len(parts) == 1:
        return first
    if all(isinstance(part.value, Mapping) for part in parts):
        return _merge_mappings(parts, problems)
    other = next((part for part in parts if repr(part.value) != repr(first)), None)
    if other is None:
        return first
    problems.append(_contradiction(parts[0], other))
    return ABSENT


def _contradiction(one: _Part, other: _Part) -> Problem:
    first, second = (part.declared.locate(*part.keys[1:]) for part in (one, other))
    return Problem(
        ConfigError(
            f"setting '{'.'.join(one.keys)}' has different values in two places: "
            f"{first} and {second}",
            code="TM006",
            hint="keep one of them",
            at=second,
        )
    )
