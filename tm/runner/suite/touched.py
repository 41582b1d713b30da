"""Which tools a change of files touches: through `extends`, apis, functions, helpers and calls."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from tm.config.git import Git
from tm.config.loader import Catalog
from tm.config.reach import (
    Reach,
    ReachTool,
    changed_names,
    imported_files,
    is_config,
    old_sources,
    quoted_words,
)
from tm.config.source import Source
from tm.model import SHARED, FunctionRef, Tool
from tm.runner.suite.outcomes import Check

_SETTINGS: Final = frozenset({"http", "http_allow", "isolate", "timezone", "vars"})
"""Settings that a run of a tool depends on."""


def touched_since(catalog: Catalog, checks: Sequence[Check], git: Git, ref: str) -> list[Check]:
    """Return the checks whose tools are other than in a commit, new ones too.

    Raises:
        UsageError: TM500 for an unknown ref.
    """
    commit = git.commit(ref)
    changed = git.changed(commit)
    return touched_by(catalog, checks, changed, old_sources(git, commit, changed))


def touched_by(
    catalog: Catalog,
    checks: Sequence[Check],
    changed: Collection[str],
    old: Mapping[str, Source] | None = None,
) -> list[Check]:
    """Return the checks whose tools a change touches.

    Args:
        changed: files relative to the root, deleted ones too.
        old: what the config files among them declared before; None: everything that is declared
            in them now counts as changed.
    """
    codes = sorted({check.tenant for check in checks})
    touched = _Touched(catalog, codes, changed, old)
    return [check for check in checks if touched.has(check)]


class _Touched:
    """The tools of some tenants that a change reaches."""

    def __init__(
        self,
        catalog: Catalog,
        codes: Sequence[str],
        changed: Collection[str],
        old: Mapping[str, Source] | None,
    ) -> None:
        self._changed = set(changed)
        homes = [SHARED, *codes]
        known = old if old is not None else {path: Source(path) for path in changed}
        self._reach = Reach(changed, _names(catalog, homes, known))
        files = {path: data for code in homes for path, data in catalog.python_files(code).items()}
        self._reach.add_importers({path: set(_imports(path, files[path])) for path in files})
        self._words = {path: quoted_words(data) for path, data in files.items()}
        self._tools: dict[tuple[str, str], Tool] = {}
        for code in codes:
            tenant = catalog.tenant(code)
            for tool in (*tenant.shared.values(), *tenant.tools.values()):
                self._tools[code, tool.name] = tool
        self._follow(_bases(catalog, homes))

    def has(self, check: Check) -> bool:
        """Say whether a check is touched."""
        tool = self._tools.get((check.tenant, check.tool))
        if tool is None:  # its file is broken
            return check.at is not None and check.at.path in self._changed
        return self._is_reached(tool) or self._has_cassette(check)

    def _has_cassette(self, check: Check) -> bool:
        start = f"tenants/{check.tenant}/cassettes/{check.tool}/"
        return any(path.startswith(start) for path in self._changed)

    def _is_reached(self, tool: Tool) -> bool:
        return bool(
            {(tool.home, "tools", tool.name), (tool.tenant, "tools", tool.name)} & self._reach.names
        )

    def _follow(self, bases: Mapping[tuple[str, str], str]) -> None:
        """Add what depends on what is reached, until nothing is new."""
        names = self._reach.names
        names |= {
            (tool.tenant, "tools", tool.name)
            for tool in self._tools.values()
            if self._uses_changed_config(tool)
        }
        tools = [_reach_tool(tool, bases) for tool in self._tools.values()]
        size = -1
        while size != len(names):
            size = len(names)
            self._reach.add_tools(tools)
            names |= {
                (tool.tenant, "tools", tool.name)
                for tool in self._tools.values()
                if self._calls_reached(tool)
            }

    def _uses_changed_config(self, tool: Tool) -> bool:
        homes = {tool.tenant, tool.home}
        if tool.api is not None:
            is_api = any((home, "apis", tool.api) in self._reach.names for home in homes)
        else:  # its functions may speak to any api
            is_api = any("http" in self._words.get(path, ()) for path in _functions(tool)) and any(
                home in homes and section == "apis" for home, section, _ in self._reach.names
            )
        return is_api or any(
            home in homes and section == "settings" and name in _SETTINGS
            for home, section, name in self._reach.names
        )

    def _calls_reached(self, tool: Tool) -> bool:
        words = {word for path in _functions(tool) for word in self._words.get(path, ())}
        return any(
            (home, "tools", word) in self._reach.names
            for word in words - {tool.name}
            for home in (tool.tenant, SHARED)
        )


def _names(
    catalog: Catalog, homes: Sequence[str], old: Mapping[str, Source]
) -> Iterator[tuple[str, str, str]]:
    paths = {path for path in old if is_config(path)}
    codes = {path.split("/")[1] for path in paths}
    now = {
        source.path: source
        for code in homes
        if code in codes
        for source in catalog.sources(code)
        if source.path in paths
    }
    for path in paths:
        yield from changed_names(path, old[path], now.get(path, Source(path)))


def _bases(catalog: Catalog, homes: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return which shared tool a tool extends, by its home and name."""
    found: dict[tuple[str, str], str] = {}
    for code in homes:
        for source in catalog.sources(code):
            tools = source.data.get("tools")
            for name, fields in tools.items() if isinstance(tools, Mapping) else ():
                base = fields.get("extends") if isinstance(fields, Mapping) else None
                if isinstance(base, str):
                    found[code, name] = base
    return found


def _reach_tool(tool: Tool, bases: Mapping[tuple[str, str], str]) -> ReachTool:
    base = bases.get((tool.home, tool.name))
    return ReachTool(tool.home, tool.name, tool.at.path, base, frozenset(_functions(tool)))


def _functions(tool: Tool) -> Iterator[str]:
    for ref in (tool.preprocess, tool.postprocess, tool.handler):
        if isinstance(ref, FunctionRef):
            yield ref.path


def _imports(path: str, data: bytes) -> Iterator[str]:
    if b"import" not in data:
        return
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # the tools of a file that does not parse fail anyway
    yield from imported_files(path, tree)
