"""Where the index of one home lies, and what happens when it can't be read or written: nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tm.config.index import DamagedError, Files, Index, index_key, index_path
from tm.config.source import Source


class IndexShelf:
    """Opens and writes one home's index.

    Args:
        root: of the workspace.
        home: tenant code or `_shared`.
        folder: of the user's caches.
    """

    def __init__(self, root: Path, home: str, folder: Path) -> None:
        self._root = root
        self._home = home
        self._path = index_path(folder, root, home)

    def _key(self) -> tuple[Any, ...]:
        return index_key(self._root, self._home)

    def open(self) -> Index | None:
        """Return the index, or None where there is none of use."""
        try:
            return Index.open(self._path, self._key())
        except DamagedError:
            return None

    def is_writable(self) -> bool:
        """Tell whether an index could be kept here, before every file is read for it."""
        for folder in self._path.parents:
            if folder.exists():
                return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
        return False

    def write(self, files: Files, sources: list[Source]) -> Index | None:
        """Write the index and open it; None where that fails, which harms nothing."""
        from tm.config.index_writer import write_index  # noqa: PLC0415  hardly ever needed

        try:
            write_index(self._path, self._key(), files, sources)
        except OSError:
            return None
        return self.open()
