"""What changed since a ref, and what that reaches: other files whose findings may be new."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from tm.config.discover import CONFIG_ENDINGS
from tm.config.git import Git
from tm.config.reader import read_source
from tm.config.source import SECTIONS, Source
from tm.lint.settings import FILE
from tm.lint.subjects import LintFile, LintHome, LintTool, LintWorkspace
from tm.model import SHARED, FunctionRef

Name: TypeAlias = tuple[str, str, str]
"""Home, section and name of a declaration."""

_EVERYTHING: Final = "settings"


def changed_files(workspace: LintWorkspace, git: Git, ref: str) -> set[str] | None:
    """Return the files that changed since a ref and those that they reach; None: all.

    Raises:
        UsageError: TM500 for an unknown ref.
    """
    commit = git.commit(ref)
    changed = git.changed(commit)
    if FILE in changed:
        return None
    config = {path for path in changed if _is_config(path)}
    return _Reach(workspace, changed, _old_sources(git, commit, config)).files()


def _is_config(path: str) -> bool:
    return path.startswith("tenants/") and path.count("/") > 1 and path.endswith(CONFIG_ENDINGS)


def _old_sources(git: Git, commit: str, paths: set[str]) -> dict[str, Source]:
    old = git.contents(commit, sorted(paths))
    empty = {path: Source(path) for path in paths}
    return {**empty, **{path: read_source(data, path) for path, data in old.items()}}


class _Reach:
    """The declarations that changed, and the files that depend on them."""

    def __init__(
        self, workspace: LintWorkspace, changed: set[str], old: Mapping[str, Source]
    ) -> None:
        shared = [] if workspace.shared in workspace.homes else [workspace.shared]
        self._homes = [*workspace.homes, *shared]
        self._files = set(changed)
        self._python = {path for path in changed if path.endswith(".py")}
        files = {file.path: file for home in self._homes for file in home.files}
        self._names: set[Name] = set()
        for path, source in old.items():
            self._names |= _changed_names(path, source, files.get(path))

    def files(self) -> set[str]:
        """Return the paths of all files that are reached."""
        for home in self._homes:
            self._add_importers(home)
        while self._add_tools():
            pass
        for home in self._homes:
            if any(name[:2] == (home.code, _EVERYTHING) for name in self._names):
                self._files |= {file.path for file in home.files}
            self._files |= set(self._users(home))
        return self._files

    def _add_importers(self, home: LintHome) -> None:
        """Add the Python files that import a changed one, and those that import these."""
        imports = {file.path: set(imported_files(file)) for file in home.files if file.is_python}
        size = -1
        while size != len(self._python):
            size = len(self._python)
            self._python |= {path for path, used in imports.items() if used & self._python}
        self._files |= self._python

    def _add_tools(self) -> bool:
        """Add tools that extend a tool that is reached, or whose functions are."""
        size = len(self._names)
        for home in self._homes:
            for tool in home.tools:
                if self._depends(tool):
                    self._names.add((home.code, "tools", tool.name))
                    self._files.add(tool.own.source.path)
        return len(self._names) > size

    def _depends(self, tool: LintTool) -> bool:
        own = tool.own.value
        base = own.get("extends") if isinstance(own, Mapping) else None
        if isinstance(base, str) and (SHARED, "tools", base) in self._names:
            return True
        return any(
            isinstance(ref, FunctionRef) and ref.path in self._python
            for _, ref in tool.references()
        )

    def _users(self, home: LintHome) -> Iterator[str]:
        """Yield the files of a home that name something that is reached."""
        codes = {home.code, SHARED}
        known = {name[1:] for name in self._names if name[0] in codes}
        own = {name[1:] for name in self._names if name[0] == home.code}
        words = [word for section, name in known if section == "tools" for word in _quoted(name)]
        for tool in home.tools:
            if ("tools", tool.name) in own:  # what it calls is looked at as it asks for it
                yield from (
                    ref.path for _, ref in tool.references() if isinstance(ref, FunctionRef)
                )
            api = tool.values.get("api")
            if isinstance(api, str) and ("apis", api) in known:
                yield tool.own.source.path
        for file in home.files:
            is_caller = file.is_python and any(word in file.data for word in words)
            if is_caller or own & set(_declared(file.source)) or known & set(_named(file.source)):
                yield file.path


def _changed_names(path: str, old: Source, file: LintFile | None) -> set[Name]:
    """Return what a changed file declares otherwise than before."""
    home = path.split("/")[1]
    new = file.source if file else Source(path)
    before, now = _declared(old), _declared(new)
    broken = {("tools", name): None for problem in new.problems for name in problem.tools}
    names = {*before, *now, *broken}
    if not path.endswith(".py"):
        names = {name for name in names if before.get(name) != now.get(name) or name in broken}
    return {(home, *name) for name in names}


def _declared(source: Source) -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {}
    for section in SECTIONS:
        names = source.data.get(section)
        if isinstance(names, Mapping):
            found.update({(section, str(name)): value for name, value in names.items()})
    return found


def _mappings(source: Source, section: str) -> Iterator[Mapping[str, Any]]:
    names = source.data.get(section)
    for value in names.values() if isinstance(names, Mapping) else ():
        if isinstance(value, Mapping):
            yield value


def _quoted(name: str) -> tuple[bytes, bytes]:
    """Return how Python code may spell a name."""
    word = name.encode("utf-8", "replace")
    return b'"%b"' % word, b"'%b'" % word


def _named(source: Source) -> Iterator[tuple[str, str]]:
    """Yield section and name of what assistants and tasks name."""
    for assistant in _mappings(source, "assistants"):
        tools = assistant.get("tools")
        listed = tools if isinstance(tools, list) else []
        yield from (("tools", tool) for tool in listed if isinstance(tool, str))
    for task in _mappings(source, "scheduled"):
        for field, section in (("tool", "tools"), ("assistant", "assistants")):
            if isinstance(name := task.get(field), str):
                yield section, name


def imported_files(file: LintFile) -> Iterator[str]:
    """Yield the paths that the relative imports of a Python file may mean."""
    if b"import" not in file.data or file.tree is None:
        return
    folder = file.path.split("/")[:-1]
    for node in ast.walk(file.tree):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = folder[: len(folder) - node.level + 1]
        module = (node.module or "").split(".") if node.module else []
        stem = "/".join([*base, *module])
        yield f"{stem}.py"
        for alias in node.names:
            yield f"{stem}/{alias.name}.py"
