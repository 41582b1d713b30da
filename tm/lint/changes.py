"""What changed since a ref, and what that reaches: other files whose findings may be new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.config.git import Git
from tm.config.reach import (
    Reach,
    ReachTool,
    changed_names,
    declared,
    imported_files,
    old_sources,
)
from tm.config.source import Source
from tm.lint.settings import FILE
from tm.lint.subjects import LintFile, LintHome, LintTool, LintWorkspace
from tm.model import SHARED, FunctionRef

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
    return _ReachedFiles(workspace, changed, old_sources(git, commit, changed)).files()


class _ReachedFiles:
    """The declarations that changed, and the files that depend on them."""

    def __init__(
        self, workspace: LintWorkspace, changed: set[str], old: Mapping[str, Source]
    ) -> None:
        shared = [] if workspace.shared in workspace.homes else [workspace.shared]
        self._homes = [*workspace.homes, *shared]
        self._files = set(changed)
        files = {file.path: file for home in self._homes for file in home.files}
        self._reach = Reach(changed, ())
        for path, source in old.items():
            new = files[path].source if path in files else Source(path)
            self._reach.names |= changed_names(path, source, new)

    def files(self) -> set[str]:
        """Return the paths of all files that are reached."""
        reach = self._reach
        reach.add_importers(
            {
                file.path: set(_imports(file))
                for home in self._homes
                for file in home.files
                if file.is_python
            }
        )
        tools = [_reach_tool(tool) for home in self._homes for tool in home.tools]
        before = set(reach.names)
        reach.add_tools(tools)
        self._files |= reach.python
        self._files |= {
            tool.path for tool in tools if (tool.home, "tools", tool.name) in reach.names - before
        }
        for home in self._homes:
            if any(name[:2] == (home.code, _EVERYTHING) for name in reach.names):
                self._files |= {file.path for file in home.files}
            self._files |= set(self._users(home))
        return self._files

    def _users(self, home: LintHome) -> Iterator[str]:
        """Yield the files of a home that name something that is reached."""
        codes = {home.code, SHARED}
        known = {name[1:] for name in self._reach.names if name[0] in codes}
        own = {name[1:] for name in self._reach.names if name[0] == home.code}
        words = [word for section, name in known if section == "tools" for word in _quoted(name)]
        for tool in home.tools:
            if ("tools", tool.name) in own:  # what it calls is looked at as it asks for it
                yield from (ref.path for _, ref in tool.references if isinstance(ref, FunctionRef))
            api = tool.values.get("api")
            if isinstance(api, str) and ("apis", api) in known:
                yield tool.own.source.path
        for file in home.files:
            is_caller = file.is_python and any(word in file.data for word in words)
            if is_caller or own & set(declared(file.source)) or known & set(_named(file.source)):
                yield file.path


def _reach_tool(tool: LintTool) -> ReachTool:
    own = tool.own.value
    base = own.get("extends") if isinstance(own, Mapping) else None
    return ReachTool(
        tool.home.code,
        tool.name,
        tool.own.source.path,
        base if isinstance(base, str) else None,
        frozenset(ref.path for _, ref in tool.references if isinstance(ref, FunctionRef)),
    )


def _imports(file: LintFile) -> Iterator[str]:
    if b"import" in file.data and file.tree is not None:
        yield from imported_files(file.path, file.tree)


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
