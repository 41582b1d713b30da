"""Remembers which checks of a workspace failed when they were run last, in `.tm/`.

What lives here: that file. It is a convenience: where it can't be read or written, nothing failed.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

from tm.config.file_bytes import replace_file
from tm.runner.suite.outcomes import Outcome

FILE: Final = "last-failed.json"
_MAX_BYTES: Final = 50_000_000

Key = tuple[str, str, str]


class LastFailed:
    """The checks that failed last.

    Args:
        root: of the workspace.
    """

    def __init__(self, root: Path) -> None:
        self._path = root / ".tm" / FILE
        self.keys = self._read()
        self._before = set(self.keys)

    def note(self, outcome: Outcome) -> None:
        """Keep a failure, and forget one that is well again; other arguments say nothing."""
        report = outcome.report
        if report is not None and report.case is None and report.args is not None:
            return
        if outcome.ok is False:
            self.keys.add(outcome.check.key)
        elif outcome.ok:
            self.keys.discard(outcome.check.key)

    def save(self) -> None:
        """Write what has changed."""
        if self.keys == self._before:
            return
        self._before = set(self.keys)
        with suppress(OSError):
            self._write(json.dumps(sorted(self.keys), indent=0).encode())

    def _write(self, data: bytes) -> None:
        folder = self._path.parent
        if not folder.exists():
            folder.mkdir(mode=0o700)
            (folder / ".gitignore").write_text("*\n", encoding="ascii")
        replace_file(self._path, data)

    def _read(self) -> set[Key]:
        try:
            with self._path.open("rb") as file:
                rows = json.loads(file.read(_MAX_BYTES))
        except (OSError, ValueError):
            return set()
        return {tuple(row) for row in rows if _is_key(row)} if isinstance(rows, list) else set()


def _is_key(row: object) -> bool:
    return isinstance(row, list) and len(row) == 3 and all(isinstance(part, str) for part in row)
