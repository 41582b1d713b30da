"""The catalog: what the workspace's files declare, asked one question at a time.

A question reads only the files that it needs. Files are listed again by `secrets`, `find_tool`,
`tenant` and `tenants_with`, where the last listing has served a request; the other questions are
answered from the same listing, so that one run sees one state of the files.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tm.config import discover
from tm.config.build import build_api, build_assistant, build_task, build_tool
from tm.config.env import SecretSource, read_env_file, stray_lines
from tm.config.extends import Declaration, extend
from tm.config.home import Home
from tm.config.index import cache_folder, clear_indexes
from tm.config.merge import (
    by_name,
    file_problems,
    only,
    unknown_api,
    unknown_assistant,
    unknown_tool,
)
from tm.config.settings import merged_settings
from tm.config.shape import check_nesting
from tm.config.source import SECTIONS, Source
from tm.errors import ConfigError, Location, did_you_mean
from tm.model import SHARED, Api, Assistant, Problem, Tenant, Tool

_T = TypeVar("_T")


class Catalog:
    """The workspace's declarations.

    Args:
        root: absolute; holds `tenants/`.
        environ: the process environment, for `${NAME}`.
        production: files are listed once and then trusted (`TM_ENV=production`).
        cache_dir: folder of the indexes; None: `tm` in the user's cache folder, as the
            environment tells it; without one no index is kept.
        builtin: tools that every tenant has, unless it or `_shared` has one of that name; each
            is made for a tenant code.
    """

    def __init__(
        self,
        root: Path,
        *,
        environ: Mapping[str, str],
        production: bool = False,
        cache_dir: Path | None = None,
        builtin: Mapping[str, Callable[[str], Tool]] | None = None,
    ) -> None:
        self.root = root
        self._environ = environ
        self._production = production
        self._cache_dir = cache_dir or cache_folder(environ)
        self._builtin = builtin or {}
        self._homes: dict[str, Home] = {}
        self._pins = 0
        self._pin = 0
        self._lock = threading.RLock()

    @property
    def present_pin(self) -> int | None:
        """Return what tells one time of pinned files from another; None: they are not pinned."""
        return self._pin if self._pins else None

    @contextmanager
    def pinned(self) -> Iterator[None]:
        """Keep the files as they are seen now, for as long as many questions belong together."""
        with self._lock:
            self._pins += 1
            self._pin += self._pins == 1
        try:
            yield
        finally:
            with self._lock:
                self._pins -= 1

    def clear_cache(self, code: str | None = None) -> int:
        """Delete all indexes, or one tenant's, and forget the files; returns their number."""
        with self._lock:
            self._homes.clear()
            return clear_indexes(self._cache_dir, self.root, code) if self._cache_dir else 0

    def forget(self, code: str) -> None:
        """Let go of what is known of a tenant's files; the next question reads them again."""
        with self._lock:
            home = self._homes.pop(code, None)
            if home is not None:
                home.close()

    def sources(self, code: str) -> list[Source]:
        """Return what each file of a tenant, or of `_shared`, declares, in order of their paths."""
        with self._lock:
            return self._home(code, fresh=True).sources()

    def python_files(self, code: str) -> dict[str, bytes]:
        """Return the Python files of a tenant, or of `_shared`, by their path from the root."""
        with self._lock:
            return self._home(code, fresh=True).python_files()

    def tenant_codes(self) -> list[str]:
        """Return the codes of all tenants, sorted.

        Raises:
            UsageError: the folder can't be read.
        """
        return discover.tenant_codes(self.root)

    def tenants_with(self, name: str) -> list[str]:
        """Return the tenants that have a tool of their own of this name, broken or not.

        Where none has, but `_shared` does, every tenant has it; so too of tm's own tools.
        """
        with self._lock:
            codes = self.tenant_codes()
            having = [code for code in codes if self._has(code, name)]
            if having:
                return having
            return codes if name in self._builtin or self._has(SHARED, name) else []

    def _has(self, code: str, name: str) -> bool:
        home = self._home(code, fresh=True)
        return bool(home.find("tools", name)) or home.find_problem(name) is not None

    def tool_names(self, code: str) -> list[str]:
        """Return the names of a tenant's tools, of the shared ones and tm's own, sorted.

        Raises:
            UsageError: unknown tenant.
        """
        with self._lock:
            homes = [self._tenant_home(code, fresh=False), self._home(SHARED)]
            declared = {d.name for home in homes for d in home.declarations("tools")}
            return sorted(declared | self._builtin.keys())

    def find_tool(self, code: str, name: str, *, fresh: bool = True) -> Tool:
        """Return one tool, ready to run: the tenant's own, else the shared one, else tm's own.

        Args:
            code: of the tenant.
            name: of the tool.
            fresh: look at the files again first; False within one run, where several tools
                are wanted.

        Raises:
            UsageError: TM502 with the nearest names; TM524 for an unknown tenant.
            ConfigError: the tool can't run, or its file is broken; with the lint code.
        """
        with self._lock:
            home = self._tenant_home(code, fresh=fresh)
            shared = self._home(SHARED, fresh=fresh)
            for place in (home, shared):
                found = place.find("tools", name)
                place.mark_used()
                if declared := only(found):
                    return self._built(place, declared, code)
                if problem := place.find_problem(name):
                    raise problem.error
            if name in self._builtin:
                return self._builtin[name](code)
            raise unknown_tool(code, name, self.tool_names(code), [home, shared])

    def _built(self, place: Home, declared: Declaration, tenant: str) -> Tool:
        """Return a tool as it was built before, where it follows from the files of one home."""
        if isinstance(declared.value, dict) and "extends" not in declared.value:
            key = ("tool", tenant, declared.name)
            return place.once(key, lambda: self._build(declared, tenant))
        return self._build(declared, tenant)

    def _build(self, declared: Declaration, tenant: str) -> Tool:
        check_nesting(declared)
        return build_tool(extend(declared, self._find_base), tenant)

    def _find_base(self, name: str, at: Location) -> Declaration:
        """Return a shared tool for `extends`."""
        shared = self._home(SHARED)
        found = only(shared.find("tools", name))
        if found:
            check_nesting(found)
            return found
        if problem := shared.find_problem(name):
            raise ConfigError(
                f"extends '{name}', whose file is broken: {problem.error}",
                code=problem.error.code,
                at=at,
            )
        near = did_you_mean(name, [d.name for d in shared.declarations("tools")])
        raise ConfigError(
            f"extends {name!r:.80}, which is no shared tool{near}",
            code="TM111",
            hint=f"shared tools are declared below tenants/{SHARED}/",
            at=at,
        )

    def api_for(self, tool: Tool) -> Api | None:
        """Return the api of a tool, or None where it has none.

        Raises:
            ToolError: TM515, unknown api, with the nearest names.
            ConfigError: the api's declaration is wrong.
        """
        if tool.api is None:
            return None
        with self._lock:
            homes = self._api_homes(tool)
            for home in homes:
                if declared := only(home.find("apis", tool.api)):
                    return home.once(("api", declared.name), partial(build_api, declared))
            raise unknown_api(tool, homes)

    def _api_homes(self, tool: Tool) -> list[Home]:
        """Return where a tool's api may be declared, first place first."""
        own, shared = self._home(tool.tenant), self._home(SHARED)
        if tool.home == SHARED:
            return [shared, own]
        return [own, shared] if tool.fields["api"].home == SHARED else [own]

    def apis(self, code: str, *, with_shared: bool = False) -> dict[str, Api]:
        """Return the apis that a tenant's own tools, or shared ones, see; without broken ones.

        Raises:
            UsageError: unknown tenant.
        """
        with self._lock:
            homes = [self._tenant_home(code, fresh=False), *([self._home(SHARED)] * with_shared)]
            built = (h.once("apis", partial(self._all, h, "apis", build_api, [])) for h in homes)
            return {name: api for apis in built for name, api in apis.items()}

    def find_assistant(self, code: str, name: str) -> Assistant:
        """Return one assistant of a tenant.

        Raises:
            UsageError: TM524 with the nearest names; unknown tenant.
            ConfigError: its declaration is wrong, or stands in two files.
        """
        with self._lock:
            home = self._tenant_home(code)
            if declared := only(home.find("assistants", name)):
                return build_assistant(declared)
            names = sorted({d.name for d in home.declarations("assistants")})
            raise unknown_assistant(code, name, names, home)

    def tenants_with_assistant(self, name: str) -> list[str]:
        """Return the tenants that declare an assistant of this name."""
        with self._lock:
            return [
                code
                for code in self.tenant_codes()
                if self._home(code, fresh=True).find("assistants", name)
            ]

    def setting_at(self, code: str, *keys: str) -> Location:
        """Return where a tenant's setting is declared, or the nearest key above it."""
        with self._lock:
            found = self._tenant_home(code, fresh=False).find("settings", keys[0])
            return found[0].locate(*keys[1:]) if found else Location(f"tenants/{code}")

    def settings(self, code: str) -> dict[str, Any]:
        """Return a tenant's settings, merged; what two files contradict each other in is left out.

        Raises:
            UsageError: unknown tenant.
        """
        with self._lock:
            home = self._tenant_home(code, fresh=False)
            return dict(
                home.once("settings", lambda: merged_settings(home.declarations("settings"), []))
            )

    def secrets(self, code: str) -> SecretSource:
        """Return the variables of a tenant; its `.env` files are read at each call.

        A request begins with this question: files that changed since the last one count from here.

        Raises:
            UsageError: unknown tenant.
        """
        home = self._tenant_home(code)
        own, of_root = read_env_file(home.folder), read_env_file(self.root)

        def stray() -> list[Location]:
            of_tenant = stray_lines(home.folder, f"tenants/{code}/.env")
            return [*of_tenant, *stray_lines(self.root, ".env")]

        return SecretSource(self._environ, own, of_root, tenant=code, stray=stray)

    def merged_config(self, code: str) -> dict[str, dict[str, Any]]:
        """Return everything a tenant's files declare, as plain data; not masked.

        Raises:
            UsageError: unknown tenant.
        """
        with self._lock:
            home = self._tenant_home(code, fresh=False)
            merged = {
                section: {name: d.value for name, d in by_name(home, section, []).items()}
                for section in SECTIONS
            }
            return {**merged, "settings": merged_settings(home.declarations("settings"), [])}

    def tenant(self, code: str) -> Tenant:
        """Return everything of a tenant; what can't be loaded is in its problems.

        Raises:
            UsageError: unknown tenant, with the nearest codes.
        """
        with self._lock:
            home, shared = self._tenant_home(code), self._home(SHARED, fresh=True)
            problems = file_problems(home)
            tools = self._tools(home, code, problems)
            hidden = {*tools, *_names(problems)}
            elsewhere = file_problems(shared)
            others = self._tools(shared, code, elsewhere)
            covered = {*hidden, *others, *_names(elsewhere)}
            home.mark_used()
            shared.mark_used()
            return Tenant(
                code=code,
                folder=home.folder,
                tools=tools,
                shared={name: tool for name, tool in others.items() if name not in hidden},
                builtin={n: make(code) for n, make in self._builtin.items() if n not in covered},
                apis=self._all(home, "apis", build_api, problems),
                assistants=self._all(home, "assistants", build_assistant, problems),
                scheduled=self._all(home, "scheduled", build_task, problems),
                settings=merged_settings(home.declarations("settings"), problems),
                problems=tuple(problems),
            )

    def _tools(self, home: Home, code: str, problems: list[Problem]) -> dict[str, Tool]:
        return self._all(home, "tools", lambda declared: self._build(declared, code), problems)

    def _all(
        self,
        home: Home,
        section: str,
        build: Callable[[Declaration], _T],
        problems: list[Problem],
    ) -> dict[str, _T]:
        """Build all of a section; what fails is added to the problems."""
        built: dict[str, _T] = {}
        for name, declared in by_name(home, section, problems).items():
            try:
                built[name] = build(declared)
            except ConfigError as error:
                problems.append(Problem(error, (name,) if section == "tools" else ()))
        return built

    def _tenant_home(self, code: str, *, fresh: bool = True) -> Home:
        """Return a tenant's home.

        Raises:
            UsageError: unknown tenant.
        """
        asks = code not in self._homes or fresh or code == SHARED
        if asks and not discover.is_tenant(self.root, code):
            discover.known_tenant(code, self.tenant_codes())
        return self._home(code, fresh=fresh)

    def _home(self, code: str, *, fresh: bool = False) -> Home:
        home = self._homes.get(code)
        if home is None:
            home = self._homes[code] = Home(
                self.root, code, cache_dir=self._cache_dir, trusted=self._production
            )
        elif fresh and not self._pins:
            home.refresh()
        return home


def _names(problems: list[Problem]) -> set[str]:
    """Return the tools that are missing because of problems."""
    return {name for problem in problems for name in problem.tools}
