"""What rules look at: the files of a workspace, and what they declare, each with its place.

Built once per run; everything expensive is made on first use and kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from tm.builtin.names import BUILTIN_TOOLS
from tm.config.discover import Listing
from tm.config.extends import Declaration, Extended, extend
from tm.config.fields import TOOL_FIELDS
from tm.config.reader import has_key
from tm.config.references import read_reference
from tm.config.settings import merged_settings
from tm.config.shape import check_nesting
from tm.config.source import Source
from tm.errors import ConfigError, Location, did_you_mean, nearest
from tm.lint.argument_paths import Argument, look_up
from tm.lint.secrets import Secret, find_secrets
from tm.lint.source_lines import split_lines
from tm.model import SHARED, FunctionRef, Problem
from tm.scan import Scan, scan_source
from tm.schema.faults import SchemaFault, schema_faults
from tm.schema.plain import is_plain

ROLES = ("preprocess", "postprocess", "handler")
_ALWAYS: Final = Argument()


class LintFile:
    """One config file.

    Attributes:
        path: relative to the root, with `/`.
        home: tenant code, or `_shared`.
        data: the bytes; empty where the file can't be read.
        source: what it declares; its problems are what could not be read.
    """

    def __init__(self, path: str, home: str, data: bytes, source: Source) -> None:
        self.path = path
        self.home = home
        self.data = data
        self.source = source

    @property
    def is_python(self) -> bool:
        """Say whether it is a Python file."""
        return self.path.endswith(".py")

    @cached_property
    def lines(self) -> list[str]:
        """Return the lines without their ends, counted as the file's parser counts them.

        What is not UTF-8 is replaced.
        """
        return split_lines(self.data, is_python=self.is_python)

    @cached_property
    def scan(self) -> Scan:
        """Return the security scan of a Python file."""
        return scan_source(self.data, self.path, depth=self.path.count("/") - 2)

    @cached_property
    def tree(self) -> ast.Module | None:
        """Return the syntax tree of a Python file; None for YAML, or where it does not parse."""
        return self.scan.tree if self.is_python else None

    @cached_property
    def secrets(self) -> list[Secret]:
        """Return the secrets written into it; none for a file that is no config."""
        if any(problem.error.code == "TM005" for problem in self.source.problems):
            return []
        text = self.data.decode("utf-8-sig", "replace")
        return find_secrets(self.path, text, self.source, self.tree)

    @cached_property
    def functions(self) -> Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef]:
        """Return the top-level functions by name."""
        body = self.tree.body if self.tree else []
        return {
            node.name: node
            for node in body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }


class LintTool:
    """A tool of a tenant, or of `_shared`, with its fields after `extends`.

    Attributes:
        own: as its file declares it.
        home: the home whose tool it is.
    """

    def __init__(self, own: Declaration, home: LintHome) -> None:
        self.own = own
        self.home = home

    @property
    def name(self) -> str:
        """Return the tool's name."""
        return self.own.name

    @cached_property
    def _extended(self) -> tuple[Extended | None, ConfigError | None]:
        if not isinstance(self.own.value, Mapping):
            return None, None
        try:
            return extend(self.own, self.home.find_base), None
        except ConfigError as error:
            return None, error

    @cached_property
    def extended(self) -> Extended | None:
        """Return the fields after `extends`; None where that fails, or it is no mapping."""
        return self._extended[0]

    @property
    def extends_error(self) -> ConfigError | None:
        """Return why `extends` fails; None where it does not."""
        return self._extended[1]

    @cached_property
    def is_whole(self) -> bool:
        """Say whether its fields are known: no other shape, and all its bases are there."""
        if self.extended is None:
            return False
        try:
            check_nesting(self.own)
        except ConfigError:
            return False
        return True

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """Return the fields after `extends`; those of its own file where that fails."""
        if self.extended is not None:
            return self.extended.values
        return self.own.value if isinstance(self.own.value, Mapping) else {}

    def locate(self, *keys: str | int) -> Location:
        """Return the place of a field, or of a key in it, in the file that gives it."""
        origin = self.extended.origins.get(str(keys[0])) if self.extended and keys else None
        return (origin or self.own).locate(*keys)

    def is_own(self, field: str) -> bool:
        """Say whether its own file gives a field, so that a fault in it is told once."""
        return isinstance(self.own.value, Mapping) and field in self.own.value

    @cached_property
    def misspelt(self) -> frozenset[str]:
        """Return the fields that its unknown keys mean: of those only TM007 tells."""
        given = self.own.value if isinstance(self.own.value, Mapping) else {}
        unknown = [key for key in given if isinstance(key, str) and key not in TOOL_FIELDS]
        meant = (nearest(key, list(TOOL_FIELDS), 1) for key in unknown)
        return frozenset(field for fields in meant for field in fields)

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """Return the schema of its arguments; an empty one where it has none that is a mapping."""
        schema = self.values.get("parameters")
        return schema if isinstance(schema, Mapping) else {}

    @property
    def properties(self) -> Mapping[str, Any]:
        """Return the properties of its schema by name."""
        found = self.parameters.get("properties")
        return found if isinstance(found, Mapping) else {}

    @cached_property
    def is_plain(self) -> bool:
        """Say whether the schema of its arguments is plain, so that nothing is wrong with it."""
        return is_plain(self.parameters)

    @cached_property
    def schema_faults(self) -> list[SchemaFault]:
        """Return what is wrong with the schema of its arguments."""
        return [] if self.is_plain else schema_faults(self.parameters)

    def argument(self, name: str) -> Argument:
        """Look an argument path up in the schema of its arguments."""
        if self.is_plain and name.isidentifier() and name in self.properties:
            return _ALWAYS if name in self.parameters.get("required", ()) else Argument(None, name)
        return look_up(self.parameters, name)

    @cached_property
    def references(self) -> Sequence[tuple[str, FunctionRef | ConfigError]]:
        """Return each function field with what it names, or why that is wrong."""
        return [
            (role, self._reference(role)) for role in ROLES if self.values.get(role) is not None
        ]

    def _reference(self, role: str) -> FunctionRef | ConfigError:
        origin = self.extended.origins[role] if self.extended else self.own
        at = self.locate(role)
        try:
            return read_reference(self.values[role], role, origin.source.path, origin.home, at)
        except ConfigError as error:
            return error


class LintHome:
    """A tenant, or `_shared`.

    Attributes:
        code: tenant code, or `_shared`.
        files: in the order of their paths.
        shared: the home of the shared tools; None for itself.
    """

    def __init__(
        self, code: str, listing: Listing, files: Sequence[LintFile], shared: LintHome | None
    ) -> None:
        self.code = code
        self.listing = listing
        self.files = files
        self.shared = shared

    def declarations(self, section: str) -> Iterator[Declaration]:
        """Yield every declaration of a section, duplicates too, in the order of the files."""
        yield from self._declared.get(section, ())

    @cached_property
    def _declared(self) -> dict[str, list[Declaration]]:
        """Return the declarations by section: one pass over the files serves every question."""
        found: dict[str, list[Declaration]] = {}
        for file in self.files:
            for section, names in file.source.data.items():
                if isinstance(names, Mapping):
                    found.setdefault(section, []).extend(
                        Declaration(section, name, self.code, file.source, value)
                        for name, value in names.items()
                    )
        return found

    @cached_property
    def tools(self) -> list[LintTool]:
        """Return every tool that is declared here."""
        return [LintTool(declared, self) for declared in self.declarations("tools")]

    @cached_property
    def broken_tools(self) -> frozenset[str]:
        """Return names of tools whose file could not be read."""
        return frozenset(
            name
            for file in self.files
            for problem in file.source.problems
            for name in problem.tools
        )

    def may_declare(self, name: str) -> bool:
        """Say whether a file that could not be read may declare a name."""
        return name in self.broken_tools or any(
            has_key(file.data, name) for file in self.files if file.source.problems
        )

    @cached_property
    def tool_names(self) -> frozenset[str]:
        """Return the names that its code and assistants may use: its own and the shared ones."""
        own = {tool.name for tool in self.tools} | self.broken_tools
        return frozenset(own.union(self.shared.tool_names if self.shared else BUILTIN_TOOLS))

    def names(self, section: str) -> Mapping[str, Declaration]:
        """Return the declarations of a section by name; of equal names the first."""
        found = self._names.get(section)
        if found is None:
            found = self._names[section] = {}
            for declared in self.declarations(section):
                found.setdefault(declared.name, declared)
        return found

    @cached_property
    def _names(self) -> dict[str, dict[str, Declaration]]:
        return {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the merged settings, without what two files contradict each other in."""
        return self._merged_settings[0]

    @property
    def settings_problems(self) -> Sequence[Problem]:
        """Return a problem for each setting to which two files give different values."""
        return self._merged_settings[1]

    @cached_property
    def _merged_settings(self) -> tuple[Mapping[str, Any], Sequence[Problem]]:
        problems: list[Problem] = []
        return merged_settings(self.declarations("settings"), problems), problems

    def find_base(self, name: str, at: Location) -> Declaration:
        """Return a shared tool for `extends`.

        Raises:
            ConfigError: TM111 where there is none of that name; TM101 or TM105, at the base's
                place, where that is no tool; TM001 where the base may be in a broken file.
        """
        shared = self.shared or self
        found = shared.names("tools")
        if name in found:
            check_nesting(found[name])
            return found[name]
        if shared.may_declare(name):
            raise ConfigError(f"the file of {name!r:.80} is broken", code="TM001", at=at)
        raise ConfigError(
            f"extends {name!r:.80}, which is no shared tool{did_you_mean(name, sorted(found))}",
            code="TM111",
            at=at,
        )

    def file(self, path: str) -> LintFile | None:
        """Return one of its files by its path from the root."""
        return self._by_path.get(path)

    @cached_property
    def _by_path(self) -> dict[str, LintFile]:
        return {file.path: file for file in self.files}


class LintWorkspace:
    """Everything that one run of the linter sees.

    Attributes:
        homes: those to lint; `_shared` may be absent from them and still be there to look at.
        shared: the home of the shared tools.
    """

    def __init__(self, root: Path, homes: Sequence[LintHome], shared: LintHome) -> None:
        self.root = root
        self.homes = homes
        self.shared = shared

    def home_of(self, code: str) -> LintHome | None:
        """Return a home by its code; None for one that is not there."""
        if code == SHARED:
            return self.shared
        return next((home for home in self.homes if home.code == code), None)

    def function_file(self, ref: FunctionRef) -> LintFile | None:
        """Return the file that a reference names; None where it is not there."""
        home = self.home_of(ref.home)
        return home.file(ref.path) if home else None
