"""One home's files: listed, read when needed, kept while unchanged.

A home is a tenant's folder or `_shared`. What lives here: which files declare a name. What must
not: what a declaration means.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from tm.config.discover import TENANTS, YOUNG_NS, Listing, Signature, list_files
from tm.config.extends import Declaration
from tm.config.file_bytes import read_file
from tm.config.index import MIN_FILES, DamagedError, Index
from tm.config.index_shelf import IndexShelf
from tm.config.reader import has_key, may_hold, read_source
from tm.config.source import KeyPath, Source
from tm.errors import ConfigError, Location
from tm.model import Problem
from tm.records import replace

_T = TypeVar("_T")

MAX_LOOSE: Final = 16
"""Files beside the index; with more the index is written anew."""


class Home:
    """The config files of one home.

    Args:
        root: of the workspace, absolute.
        code: tenant code or `_shared`.
        cache_dir: where the index is kept; None: there is none.
        trusted: the index is read and believed, and files are never looked at again (production).
    """

    def __init__(
        self, root: Path, code: str, *, cache_dir: Path | None = None, trusted: bool = False
    ) -> None:
        self.code = code
        self.folder = root / TENANTS / code
        self._prefix = f"{TENANTS}/{code}/"
        self._trusted = trusted
        self._shelf = IndexShelf(root, code, cache_dir) if cache_dir else None
        self._index: Index | None = None
        self._listing: Listing | None = None
        self._is_used = False
        self._is_outdated = False
        self._loose: list[str] = []
        self._stale: frozenset[str] = frozenset()
        self._young: set[str] = set()
        self._bytes: dict[str, bytes] = {}
        self._sources: dict[str, Source] = {}
        self._answers: dict[Any, Any] = {}

    @property
    def listing(self) -> Listing:
        """Return the files, listed now if they were not, or if a new request wants them fresh."""
        if self._listing is None or self._is_outdated:
            self._list()
        return self._listing or Listing()

    def mark_used(self) -> None:
        """Say that the listing served its request; after the next `refresh` it is made anew."""
        self._is_used = self._listing is not None

    def refresh(self) -> None:
        """Let the next question list the files again, if the listing has served a request."""
        self._is_outdated = self._is_outdated or (self._is_used and not self._trusted)

    def _list(self) -> None:
        """List the files, forget what changed or went, and open the index if it pays."""
        if self._trusted and self._open_trusted():
            return
        before = self._listing.files if self._listing else {}
        young, now = self._young, time.time_ns()
        self._listing = list_files(self.folder)
        self._is_used = self._is_outdated = False
        after = self._listing.files
        self._young = _young(after, now)
        for path in {*self._bytes, *self._sources}:
            if before.get(path) != after.get(path) or path in young:
                self._bytes.pop(path, None)
                self._sources.pop(path, None)
        if before != after or young:
            self._open_index(after)

    def _open_trusted(self) -> bool:
        """Take the listing from the index, without a look at the files."""
        index = self._shelf.open() if self._shelf else None
        if index is None:
            return False
        try:
            self._listing = Listing(files=index.files())
        except DamagedError:
            index.close()
            return False
        self._use(index, [], frozenset())
        return True

    def _open_index(self, files: dict[str, Signature]) -> None:
        """Open the index, or build it; without one every file is loose."""
        if not self._shelf or not (self._trusted or len(files) > MIN_FILES):
            self._use(None, sorted(files), frozenset())
            return
        index = self._shelf.open()
        changes = _changes(index, files) if index else None
        if index is None or changes is None or len(changes[0]) > MAX_LOOSE:
            self._build_index(files)
        else:
            self._use(index, *changes)

    def _build_index(self, files: dict[str, Signature]) -> None:
        """Read every file and keep what came out, here and in the index."""
        paths = sorted(files)
        self._use(None, paths, frozenset())
        shelf, self._shelf = self._shelf, None  # one try is enough
        if shelf and shelf.is_writable():
            sources = [self.source(path) for path in paths]
            known = {path: (0, 0, 0) if path in self._young else files[path] for path in files}
            if index := shelf.write(known, sources):
                self._shelf = shelf
                self._use(index, [], frozenset())
                self._bytes.clear()

    def _use(self, index: Index | None, loose: list[str], stale: frozenset[str]) -> None:
        """Take an index, the files that it knows nothing of, and those that it knows wrongly."""
        if self._index and self._index is not index:
            self._index.close()
        self._index, self._loose, self._stale = index, loose, stale
        self._answers = {}

    def close(self) -> None:
        """Let go of the index's file; nothing more may be asked."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def once(self, key: Hashable, work_out: Callable[[], _T]) -> _T:
        """Return what the files say; worked out again only after one of them has changed."""
        known = self._answers.get(key) if self.listing.files else None
        if known is None:
            known = work_out()
            self._answers[key] = known
        return known

    def find(self, section: str, name: str) -> list[Declaration]:
        """Return every declaration of a name, in the order of the files' paths."""
        found = []
        for source in self._find(section, name):
            names = source.data.get(section)
            if isinstance(names, dict) and name in names:
                found.append(Declaration(section, name, self.code, source, names[name]))
        return found

    def _find(self, section: str, name: str) -> list[Source]:
        """Return the sources that may declare a name."""
        found: list[Source] = self._answers.get((section, name), []) if self.listing.files else []
        if not found:  # an unknown name is not kept: there are too many
            word = name.encode("utf-8", "surrogatepass")
            loose = [self.source(path) for path in self._holding(section.encode(), word)]
            found = self._joined(loose, lambda index: index.find(section, name))
            if found:
                self._answers[section, name] = found
        return found

    def find_problem(self, name: str) -> Problem | None:
        """Return the problem because of which a tool is missing, or None."""
        word = name.encode("utf-8", "surrogatepass")
        loose = [self.source(path) for path in self._holding(word)]
        for source in self._joined(loose, lambda index: index.broken()):
            for problem in source.problems:
                if name in problem.tools or self._names_it(source, problem, name):
                    return problem
        return None

    def _names_it(self, source: Source, problem: Problem, name: str) -> bool:
        """Tell whether a broken file whose tools nobody knows has the name as a key."""
        if problem.tools:
            return False
        try:
            return has_key(self._data(source.path.removeprefix(self._prefix)), name)
        except OSError:
            return False

    def sources(self, section: str | None = None) -> list[Source]:
        """Return all sources, or those that may have a section, in the order of their paths."""

        def work_out() -> list[Source]:
            words = [section.encode()] if section else []
            loose = [self.source(path) for path in self._holding(*words)]
            return self._joined(loose, lambda index: index.sources(section))

        return self.once(("sources", section, None), work_out)

    def python_files(self) -> dict[str, bytes]:
        """Return the Python files by their path from the root; without those nobody can read."""
        found: dict[str, bytes] = {}
        for path in sorted(self.listing.files):
            if path.endswith(".py"):
                with suppress(OSError):
                    found[self._prefix + path] = self._data(path)
        return found

    def _joined(
        self, loose: list[Source], ask: Callable[[Index], Iterator[Source]]
    ) -> list[Source]:
        """Add the index's answer to what the loose files gave."""
        if self._index is None:
            return loose
        try:
            found = [self._known(source) for source in ask(self._index)]
        except DamagedError:
            self._build_index(self.listing.files)
            return [self.source(path) for path in sorted(self.listing.files)]
        if self._stale:
            stale = {self._prefix + path for path in self._stale}
            found = [source for source in found if source.path not in stale]
        return sorted(loose + found, key=lambda source: source.path) if loose else found

    def _known(self, source: Source) -> Source:
        """Return the source as it was given before, or this one able to find deep keys."""
        path = source.path.removeprefix(self._prefix)
        known = self._sources.get(path)
        if known is None:
            known = self._sources[path] = replace(source, locate_deep=self._locator(path))
        return known

    def _locator(self, path: str) -> Callable[[KeyPath], tuple[int, int] | None]:
        """Return a function that reads the file again to find a key in it."""

        def locate_deep(keys: KeyPath) -> tuple[int, int] | None:
            again = self._read(path)
            return again.locate_deep(keys) if again.locate_deep else None

        return locate_deep

    def declarations(self, section: str) -> Iterator[Declaration]:
        """Yield every declaration of a section, in the order of the files' paths."""
        for source in self.sources(section):
            names = source.data.get(section)
            for name, value in names.items() if isinstance(names, dict) else ():
                yield Declaration(section, name, self.code, source, value)

    def source(self, path: str) -> Source:
        """Return one file's source; `path` is relative to the home."""
        source = self._sources.get(path)
        if source is None:
            source = self._sources[path] = self._read(path)
        return source

    def _read(self, path: str) -> Source:
        full = self._prefix + path
        try:
            data = self._data(path)
        except OSError as error:
            return Source(full, problems=(Problem(_unreadable(full, error)),))
        return read_source(data, full)

    def _holding(self, *words: bytes) -> Iterator[str]:
        """Yield the loose files whose bytes may hold all the words, in the order of their paths."""
        for path in self._loose if self.listing.files else ():
            try:
                hit = not words or may_hold(self._data(path), *words)
            except OSError:
                hit = True  # its problem says that it can't be read
            if hit:
                yield path

    def _data(self, path: str) -> bytes:
        """Return a file's bytes, at most one more than a config file may have."""
        data = self._bytes.get(path)
        if data is None:
            # Only the last part of the path needs the check here: the walk has just seen that
            # every folder above is a real one.
            data = self._bytes[path] = read_file(f"{self.folder}/{path}")
        return data


def _young(files: dict[str, Signature], now_ns: int) -> set[str]:
    """Return the files that changed just now; a time in the future says nothing."""
    first, last = now_ns - YOUNG_NS, now_ns + YOUNG_NS
    return {path for path, signature in files.items() if first < signature[0] < last}


def _changes(index: Index, files: dict[str, Signature]) -> tuple[list[str], frozenset[str]] | None:
    """Return the files that the index lacks, and those it knows wrongly; None: it is damaged."""
    try:
        if index.is_fresh(files):
            return [], frozenset()
        known = index.files()
    except DamagedError:
        return None
    loose = sorted(path for path, signature in files.items() if known.get(path) != signature)
    return loose, frozenset({*loose, *(known.keys() - files.keys())})


def _unreadable(path: str, error: OSError) -> ConfigError:
    """Return the error of a file that can't be read."""
    why = os.strerror(error.errno or 0).lower()
    return ConfigError(f"the file can't be read: {why}", code="TM902", at=Location(path))
