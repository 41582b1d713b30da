"""What is wrong with a config file that is to be written, before it is written.

The loader's own readers decide: what passes here loads, and the scan is the one that runs before
every import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tm.config.build import build_api, build_assistant, build_tool
from tm.config.extends import Declaration, extend
from tm.config.field_faults import field_faults, setting_faults
from tm.config.home import Home
from tm.config.merge import only
from tm.config.reader import read_source
from tm.config.settings import merged_settings
from tm.config.shape import check_nesting, unknown_sections
from tm.config.source import SECTIONS, Source
from tm.errors import ConfigError, Detail, Location, TmError, did_you_mean
from tm.model import SHARED, Problem

_BUILDERS: Final[Mapping[str, Callable[[Declaration], object]]] = {
    "apis": build_api,
    "assistants": build_assistant,
}


class ConfigCheck:
    """Judges one file of a tenant, beside the tenant's other files.

    Args:
        root: of the workspace.
        tenant: code.
        path: of the file, relative to the root.
    """

    def __init__(self, root: Path, tenant: str, path: str) -> None:
        self._home = Home(root, tenant)
        self._shared = Home(root, SHARED)
        self._path = path

    def findings(self, data: bytes) -> list[Detail]:
        """Return what stops the file, or a part of it, from counting; each with its place."""
        source = read_source(data, self._path)
        found: dict[Detail, None] = {}
        for problem in source.problems:
            found.update(dict.fromkeys(_details(problem.error)))
        for error in self._faults(source):
            found.update(dict.fromkeys(_details(error)))
        return list(found)

    def settings_with(self, data: bytes | None) -> dict[str, Any]:
        """Return the tenant's settings as they would be with this content; None: without it."""
        source = Source(self._path) if data is None else read_source(data, self._path)
        return merged_settings(self._settings(source), [])

    def _faults(self, source: Source) -> Iterator[TmError]:
        if not self._path.endswith(".py"):
            yield from unknown_sections(source)
        for section in SECTIONS:
            for own in self._declarations(source, section):
                yield from self._declared_faults(own)
        problems: list[Problem] = []
        merged_settings(self._settings(source), problems)
        yield from (problem.error for problem in problems)

    def _declarations(self, source: Source, section: str) -> Iterator[Declaration]:
        names = source.data.get(section)
        for name, value in names.items() if isinstance(names, dict) else ():
            yield Declaration(section, name, self._home.code, source, value)

    def _settings(self, source: Source) -> list[Declaration]:
        """Return the settings of the other files, then those of this one."""
        others = [d for d in self._home.declarations("settings") if d.source.path != self._path]
        return [*others, *self._declarations(source, "settings")]

    def _declared_faults(self, own: Declaration) -> Iterator[ConfigError]:
        """Yield everything that is wrong with one declaration."""
        if own.section == "settings":
            yield from setting_faults(own)
            return
        yield from _error_of(self._refuse_duplicate, own)
        # One cause gives one finding: OpenAI's nesting would give each of its keys another, and
        # building stops at the first wrong field.
        nested = list(_error_of(check_nesting, own)) if own.section == "tools" else []
        faults = nested or list(field_faults(own))
        yield from faults or _error_of(self._build, own)

    def _refuse_duplicate(self, own: Declaration) -> None:
        found = self._home.find(own.section, own.name)
        only([*(other for other in found if other.source.path != self._path), own])

    def _build(self, own: Declaration) -> None:
        if own.section == "tools":
            build_tool(extend(own, self._find_base), self._home.code)
        elif own.section in _BUILDERS:
            _BUILDERS[own.section](own)

    def _find_base(self, name: str, at: Location) -> Declaration:
        """Return a shared tool for `extends`.

        Raises:
            ConfigError: TM111, there is none.
        """
        if found := only(self._shared.find("tools", name)):
            check_nesting(found)
            return found
        near = did_you_mean(name, [d.name for d in self._shared.declarations("tools")])
        raise ConfigError(
            f"extends {name!r:.80}, which is no shared tool{near}", code="TM111", at=at
        )


def _error_of(check: Callable[[Declaration], object], own: Declaration) -> Iterator[ConfigError]:
    """Yield the error that a check raises, if it does."""
    try:
        check(own)
    except ConfigError as error:
        yield error


def _details(error: TmError) -> list[Detail]:
    """Return an error's single findings: its own, or all that it stands for."""
    if error.details:
        return list(error.details)
    return [Detail(str(error.at or ""), f"{error.code} {error.message}")]
