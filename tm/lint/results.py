"""Results of earlier runs, kept while the files that they come from are unchanged.

One cache file for a workspace, in the user's folder: data only, never code. A damaged or foreign
one is as good as none. What lives here: the format, reading and writing it.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias
from zlib import crc32

from tm.config.cache_place import open_own, root_mark
from tm.config.file_bytes import replace_own
from tm.config.index import STABLE, index_key
from tm.errors import Location
from tm.lint.finding import Finding
from tm.lint.suppression import Suppression
from tm.records import record

MAGIC: Final = b"tm-lint1"

PACKAGES: Final = ("codes", "config", "grammar", "lint", "scan", "schema")
"""Parts of tm whose code decides what is found."""

_FIELDS: Final = tuple(name for name in Finding.__annotations__ if name != "at")

Stored: TypeAlias = Mapping[str, tuple[bytes, Any]]
"""By home: what the result depends on, and the result as plain data."""


@record
class HomeResult:
    """What the rules found in one home, before anything is suppressed.

    Attributes:
        comments: of the files that suppress something, by path.
    """

    findings: tuple[Finding, ...]
    comments: Mapping[str, tuple[Suppression, ...]]


class ResultStore:
    """The results of one workspace.

    Args:
        root: of the workspace.
        folder: of the user's caches; None: nothing is kept.
    """

    def __init__(self, root: Path, folder: Path | None) -> None:
        self._root = root
        # Cleared with the indexes; no home begins with a dot.
        self._path = folder / f"{root_mark(root)}-.lint.index" if folder else None
        self._stored: dict[str, tuple[bytes, Any]] = dict(self._read()) if folder else {}
        self._is_changed = False

    def find(self, home: str, depends: bytes) -> HomeResult | None:
        """Return a result that depends on just this; None where there is none."""
        found = self._stored.get(home)
        return _to_result(found[1]) if found and found[0] == depends else None

    def keep(self, home: str, depends: bytes, result: HomeResult) -> None:
        """Keep a result until `write`."""
        self._stored[home] = (depends, _to_data(result))
        self._is_changed = True

    def write(self) -> None:
        """Write what was kept; where that fails, nothing is lost but time."""
        if self._path is None or not self._is_changed:
            return
        body = marshal.dumps((_key(self._root), self._stored), STABLE)
        data = MAGIC + crc32(body).to_bytes(4, "little") + body
        with suppress(OSError):
            replace_own(self._path, data)

    def _read(self) -> Stored:
        """Return what is stored; nothing where it is not of use."""
        try:
            with os.fdopen(open_own(str(self._path)), "rb") as stream:
                data = stream.read()
        except OSError:
            return {}
        body = data[len(MAGIC) + 4 :]
        if data[: len(MAGIC) + 4] != MAGIC + crc32(body).to_bytes(4, "little"):
            return {}
        try:
            key, stored = marshal.loads(body)  # noqa: S302  our own file, checked; data only
        except (EOFError, ValueError, TypeError):
            return {}
        return stored if key == _key(self._root) else {}


def _key(root: Path) -> tuple[Any, ...]:
    """Return everything that the results depend on beside the workspace's files."""
    return (*index_key(root, ".lint"), *_stamps(os.path.dirname(os.path.dirname(__file__))))  # noqa: PTH120  a text


def _stamps(package: str) -> Iterator[int]:
    """Yield when the code that decides was last changed: a checkout has one version for long."""
    for name in PACKAGES:
        pending = [f"{package}/{name}"]
        while pending:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.name.endswith(".py"):
                        yield entry.stat().st_mtime_ns
                    elif entry.name[0] != "_" and entry.is_dir():
                        pending.append(entry.path)


def _to_data(result: HomeResult) -> tuple[Any, ...]:
    findings = [
        (*(getattr(found, name) for name in _FIELDS), found.at.path, found.at.line, found.at.col)
        for found in result.findings
    ]
    comments = {
        path: [(c.line, c.col, c.codes, c.reason, c.covers) for c in found]
        for path, found in result.comments.items()
    }
    return (findings, comments)


def _to_result(data: tuple[Any, ...]) -> HomeResult:
    findings, comments = data
    return HomeResult(
        tuple(_to_finding(*fields) for fields in findings),
        {path: tuple(Suppression(*fields) for fields in found) for path, found in comments.items()},
    )


def _to_finding(*fields: Any) -> Finding:
    values = dict(zip(_FIELDS, fields, strict=False))
    return Finding(**values, at=Location(*fields[len(_FIELDS) :]))
