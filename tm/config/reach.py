"""What a change of files reaches: other declarations and files whose outcome may be new.

What lives here: what lint and the runner both follow (`extends`, functions, imports). What must
not: which files or tools they then look at.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tm.config.discover import CONFIG_ENDINGS, RUNTIME_FOLDERS
from tm.config.git import Git
from tm.config.reader import read_source
from tm.config.source import SECTIONS, Source
from tm.model import SHARED
from tm.records import record

Name: TypeAlias = tuple[str, str, str]
"""Home, section and name of a declaration."""

_WORD: Final = re.compile(rb"""["']([^"'\s]{1,100})["'](?!\s*:)""")


@record
class ReachTool:
    """What of a tool can be reached.

    Attributes:
        path: of the file that declares it, relative to the root.
        base: the shared tool that it extends; None: none.
        functions: paths of the files of its functions.
    """

    home: str
    name: str
    path: str
    base: str | None
    functions: frozenset[str]


class Reach:
    """The declarations and Python files that a change reaches.

    Attributes:
        names: declarations that are other than before, and those that depend on them.
        python: Python files that changed, and those that import them.
    """

    def __init__(self, changed: Iterable[str], names: Iterable[Name]) -> None:
        self.names: set[Name] = set(names)
        self.python = {path for path in changed if path.endswith(".py")}

    def add_importers(self, imports: Mapping[str, set[str]]) -> None:
        """Add the Python files that import a reached one, and those that import these.

        Args:
            imports: by file, the files that it may import.
        """
        size = -1
        while size != len(self.python):
            size = len(self.python)
            self.python |= {path for path, used in imports.items() if used & self.python}

    def add_tools(self, tools: Sequence[ReachTool]) -> None:
        """Add tools that extend a tool that is reached, or whose functions are."""
        size = -1
        while size != len(self.names):
            size = len(self.names)
            self.names |= {(tool.home, "tools", tool.name) for tool in tools if self._depends(tool)}

    def _depends(self, tool: ReachTool) -> bool:
        has_base = tool.base is not None and (SHARED, "tools", tool.base) in self.names
        return has_base or not self.python.isdisjoint(tool.functions)


def is_config(path: str) -> bool:
    """Say whether a path, relative to the root, may be a config file of a home."""
    parts = path.split("/")
    return (
        len(parts) > 2
        and parts[0] == "tenants"
        and path.endswith(CONFIG_ENDINGS)
        and parts[2] not in RUNTIME_FOLDERS
    )


def old_sources(git: Git, commit: str, paths: Iterable[str]) -> dict[str, Source]:
    """Return what config files declared in a commit; nothing where they were not there."""
    wanted = sorted(path for path in paths if is_config(path))
    old = git.contents(commit, wanted)
    empty = {path: Source(path) for path in wanted}
    return {**empty, **{path: read_source(data, path) for path, data in old.items()}}


def changed_names(path: str, old: Source, new: Source) -> set[Name]:
    """Return what a changed file declares otherwise than before.

    All of a Python file counts: its functions are part of what it declares.
    """
    home = path.split("/")[1]
    before, now = declared(old), declared(new)
    broken = {("tools", name): None for problem in new.problems for name in problem.tools}
    names = {*before, *now, *broken}
    if not path.endswith(".py"):
        names = {name for name in names if before.get(name) != now.get(name) or name in broken}
    return {(home, *name) for name in names}


def declared(source: Source) -> dict[tuple[str, str], Any]:
    """Return everything that a file declares, by section and name."""
    found: dict[tuple[str, str], Any] = {}
    for section in SECTIONS:
        names = source.data.get(section)
        if isinstance(names, Mapping):
            found.update({(section, str(name)): value for name, value in names.items()})
    return found


def imported_files(path: str, tree: ast.Module) -> Iterator[str]:
    """Yield the paths that the relative imports of a Python file may mean."""
    folder = path.split("/")[:-1]
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = folder[: len(folder) - node.level + 1]
        module = (node.module or "").split(".") if node.module else []
        stem = "/".join([*base, *module])
        yield f"{stem}.py"
        for alias in node.names:
            yield f"{stem}/{alias.name}.py"


def quoted_words(data: bytes) -> frozenset[str]:
    """Return the words that stand in quotes in Python code, without the keys of mappings."""
    return frozenset(hit.decode("utf-8", "replace") for hit in _WORD.findall(data))
