"""Source lines of findings: read when a report needs them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tm.config.discover import TENANTS
from tm.confine import read_bytes
from tm.errors import TmError
from tm.lint.finding import Finding
from tm.lint.settings import FILE, Settings
from tm.lint.source_lines import split_lines
from tm.records import replace

MAX_BYTES: Final = 4_000_000
_COMMENT: Final = re.compile(r"(?<=\S)\s+#[^'\"]*$")
"""A comment at the end of a line, which a finding without an end does not mean."""


class LineReader:
    """Reads files of a workspace, each once.

    Args:
        root: of the workspace.
        settings: whose lines are known.
    """

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root = root
        self._settings = settings
        self._raw: dict[str, Sequence[str]] = {}
        self._shown: dict[str, Sequence[str]] = {}

    def forget(self) -> None:
        """Read every file again: they were changed."""
        self._raw.clear()
        self._shown.clear()

    def raw(self, path: str) -> Sequence[str]:
        """Return a file's lines as they are; none for one that can't be read."""
        if path not in self._raw:
            self._raw[path] = self._read(path)
        return self._raw[path]

    def shown(self, path: str) -> Sequence[str]:
        """Return a file's lines with the secrets masked that are written into it."""
        if path not in self._shown:
            self._shown[path] = self._masked(path)
        return self._shown[path]

    def _read(self, path: str) -> Sequence[str]:
        data = self._bytes(path)
        if data is None:
            return self._settings.lines if path == FILE else ()
        return split_lines(data, is_python=path.endswith(".py"))

    def _bytes(self, path: str) -> bytes | None:
        parts = path.split("/", 2)
        if len(parts) < 3 or parts[0] != TENANTS:
            return None
        try:
            return read_bytes(self._root / TENANTS / parts[1], parts[2], limit=MAX_BYTES)
        except (TmError, OSError):
            return None

    def _masked(self, path: str) -> Sequence[str]:
        from tm.lint.collect import lint_file  # noqa: PLC0415  only lines that are shown need it
        from tm.redact import Redactor  # noqa: PLC0415  as above

        data = self._bytes(path)
        if data is None:
            return self.raw(path)
        values = {secret.value for secret in lint_file(path, path.split("/")[1], data).secrets}
        if not values:
            return self.raw(path)
        redactor = Redactor(values)
        return [redactor.text(text) for text in self.raw(path)]


def with_end(finding: Finding, lines: LineReader) -> Finding:
    """Return the finding with its end: where it has none, that of its line."""
    if finding.end is not None:
        return finding
    rows, line, col = lines.raw(finding.at.path), finding.at.line or 1, finding.at.col or 1
    text = _COMMENT.sub("", rows[line - 1]) if line <= len(rows) else ""
    return replace(finding, end=(line, max(len(text.rstrip()) + 1, col)))
