"""One home's files: listed, read when needed, kept while unchanged.

A home is a tenant's folder or `_shared`. What lives here: which files declare a name. What must
not: what a declaration means.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tm.config.discover import TENANTS, Listing, list_files
from tm.config.extends import Declaration
from tm.config.reader import has_key, may_hold, read_source
from tm.config.source import MAX_FILE_BYTES, Source
from tm.errors import ConfigError, Location
from tm.model import Problem

_OPEN: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Home:
    """The config files of one home.

    Args:
        root: of the workspace, absolute.
        code: tenant code or `_shared`.
        trusted: files are listed once and never again (production).
    """

    def __init__(self, root: Path, code: str, *, trusted: bool = False) -> None:
        self.code = code
        self.folder = root / TENANTS / code
        self._prefix = f"{TENANTS}/{code}/"
        self._trusted = trusted
        self._listing: Listing | None = None
        self._bytes: dict[str, bytes] = {}
        self._sources: dict[str, Source] = {}

    @property
    def listing(self) -> Listing:
        """Return the files as they were listed last."""
        if self._listing is None:
            self._listing = list_files(self.folder)
        return self._listing

    def refresh(self) -> None:
        """List the files again, and forget those that changed or went."""
        if self._listing is None or self._trusted:
            return
        before, self._listing = self._listing.files, list_files(self.folder)
        after = self._listing.files
        if before == after:
            return
        for path in {*self._bytes, *self._sources}:
            if before.get(path) != after.get(path):
                self._bytes.pop(path, None)
                self._sources.pop(path, None)

    def find(self, section: str, name: str) -> list[Declaration]:
        """Return every declaration of a name, in the order of the files' paths."""
        found = []
        for path in self._holding(section.encode(), name.encode()):
            source = self.source(path)
            names = source.data.get(section)
            if isinstance(names, dict) and name in names:
                found.append(Declaration(section, name, self.code, source, names[name]))
        return found

    def find_problem(self, name: str) -> Problem | None:
        """Return the problem because of which a tool is missing, or None."""
        for path in self._holding(name.encode()):
            for problem in self.source(path).problems:
                data = self._bytes.get(path, b"")
                if name in problem.tools or (not problem.tools and has_key(data, name)):
                    return problem
        return None

    def sources(self, section: str | None = None) -> Iterator[Source]:
        """Yield all sources, or those that may have a section, in the order of their paths."""
        words = [section.encode()] if section else []
        for path in self._holding(*words):
            yield self.source(path)

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
        """Yield the paths of the files whose bytes may hold all the words, sorted."""
        for path in sorted(self.listing.files):
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
            handle = os.open(f"{self.folder}/{path}", _OPEN)
            try:
                data = _read_all(handle)
            finally:
                os.close(handle)
            self._bytes[path] = data
        return data


def _read_all(handle: int) -> bytes:
    """Read to the end or to the limit."""
    data = os.read(handle, MAX_FILE_BYTES + 1)
    while data and len(data) <= MAX_FILE_BYTES:
        more = os.read(handle, MAX_FILE_BYTES + 1 - len(data))
        if not more:
            break
        data += more
    return data


def _unreadable(path: str, error: OSError) -> ConfigError:
    """Return the error of a file that can't be read."""
    why = os.strerror(error.errno or 0).lower()
    return ConfigError(f"the file can't be read: {why}", code="TM902", at=Location(path))
