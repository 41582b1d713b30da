"""The index: one home's files, read and parsed, in one cache file; data only, never code.

It is worth its file where a home has many files. A damaged, foreign or outdated one is as good as
none. One question reads only the parts it needs: the head, the list of files, one bucket of names,
one record.

    listing   marshal of the files' signatures, compared as bytes
    buckets   marshal each: (section, name) -> numbers of records
    records   marshal each: path, data, places, problems
    spans     offset, length and checksum of each record
    head      marshal: key, broken files, files by section, spans of the parts above
    footer    magic, offset, length and checksum of the head

What lives here: the format and reading it. Writing is in `index_writer`.
"""

from __future__ import annotations

import marshal
import os
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Final, TypeAlias
from zlib import crc32

from tm._version import __version__
from tm.config.cache_place import cache_base, open_own, root_mark
from tm.config.discover import Signature
from tm.config.source import Source
from tm.errors import ConfigError, Detail, Location
from tm.model import Problem

MIN_FILES: Final = 200
"""A home with more files than this is worth an index."""

FORMAT: Final = 1
MAGIC: Final = b"tm-index"
FOOTER: Final = struct.Struct("<8sQII")
SPAN: Final = struct.Struct("<QII")
BUCKETS: Final = 256
# Format 2 of marshal has no back references, so equal data gives equal bytes.
STABLE: Final = 2

Span: TypeAlias = tuple[int, int, int]
Files: TypeAlias = Mapping[str, Signature]


class DamagedError(Exception):
    """The index can't be used; it is built again."""


def cache_folder(environ: Mapping[str, str]) -> Path | None:
    """Return the user's folder for tm's caches, or None where there is no home."""
    base = cache_base(environ)
    return None if base is None else Path(base)


def index_path(folder: Path, root: Path, home: str) -> Path:
    """Return the file of one home's index; roots are told apart by their path."""
    return folder / f"{root_mark(root)}-{home}.index"


def clear_indexes(folder: Path, root: Path, home: str | None = None) -> int:
    """Delete the indexes of a root, or of one of its homes; returns how many there were."""
    removed = 0
    for path in folder.glob(f"{root_mark(root)}-{home or '*'}.index"):
        try:
            path.unlink()
        except OSError:
            continue
        removed += 1
    return removed


def index_key(root: Path, home: str) -> tuple[Any, ...]:
    """Return everything that an index depends on beside the files.

    PyYAML is told by the stamp of its files: importing it would cost more than the index saves.
    """
    spec = PathFinder.find_spec("yaml")
    origin = spec.origin if spec else None
    stamp = os.stat(origin).st_mtime_ns if origin else 0  # noqa: PTH116  a text
    return (FORMAT, __version__, sys.version, origin, stamp, str(root), home)


class Index:
    """An index that is open for reading. Every method raises DamagedError where it is broken."""

    def __init__(self, handle: int, head: tuple[Any, ...]) -> None:
        self._handle = handle
        _, self._broken, self._sections, self._listing, self._buckets, self._spans, self._count = (
            head
        )

    @classmethod
    def open(cls, path: Path, key: tuple[Any, ...]) -> Index:
        """Open an index that was written with this key, by this user.

        Raises:
            DamagedError: there is none, or it is not of use.
        """
        try:
            handle = open_own(path)
        except OSError as error:
            raise DamagedError from error
        try:
            return cls(handle, _read_head(handle, key))
        except BaseException:
            os.close(handle)
            raise

    def close(self) -> None:
        """Close the file; the index is of no use after that."""
        os.close(self._handle)

    def is_fresh(self, files: Files) -> bool:
        """Tell whether these are the files of the index, unchanged."""
        return self._part(self._listing) == marshal.dumps(dict(files), STABLE)

    def files(self) -> dict[str, Signature]:
        """Return the files of the index with their signatures."""
        return _loads(self._part(self._listing), dict)  # type: ignore[no-any-return]  # of that kind

    def find(self, section: str, name: str) -> Iterator[Source]:
        """Yield the sources that declare a name."""
        span = self._buckets[bucket_of(section, name)]
        names = _loads(self._part(span), dict)
        yield from self._records(names.get((section, name), ()))

    def sources(self, section: str | None = None) -> Iterator[Source]:
        """Yield all sources, or those that have a section or are broken."""
        if section is None:
            return self._records(range(self._count))
        return self._records(sorted({*self._sections.get(section, ()), *self._broken}))

    def broken(self) -> Iterator[Source]:
        """Yield the sources that have problems."""
        return self._records(self._broken)

    def _records(self, numbers: Iterable[int]) -> Iterator[Source]:
        spans = self._part(self._spans)
        for number in numbers:
            try:
                span = SPAN.unpack_from(spans, number * SPAN.size)
            except struct.error as error:
                raise DamagedError from error
            yield _to_source(_loads(self._part(span), tuple))

    def _part(self, span: Span) -> bytes:
        return _read_part(self._handle, span)


def _read_part(handle: int, span: Span) -> bytes:
    """Return one part, whole and unharmed."""
    offset, length, checksum = span
    try:
        data = os.pread(handle, length, offset)
    except (OSError, OverflowError, MemoryError) as error:
        raise DamagedError from error
    if len(data) != length or crc32(data) != checksum:
        raise DamagedError
    return data


def _read_head(handle: int, key: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the head of an index with this key."""
    size = os.fstat(handle).st_size
    if size < FOOTER.size:
        raise DamagedError
    end = os.pread(handle, FOOTER.size, size - FOOTER.size)
    magic, *span = FOOTER.unpack(end)
    if magic != MAGIC:
        raise DamagedError
    data = _read_part(handle, (span[0], span[1], span[2]))
    head: tuple[Any, ...] = _loads(data, tuple)
    if head[0] != key:
        raise DamagedError
    return head


def _loads(data: bytes, kind: type) -> Any:
    """Return marshalled data of a kind; its checksum was right."""
    try:
        value = marshal.loads(data)  # noqa: S302  our own file, checked; data only
    except (EOFError, ValueError, TypeError) as error:
        raise DamagedError from error
    if not isinstance(value, kind):
        raise DamagedError
    return value


def _to_source(record: tuple[Any, ...]) -> Source:
    """Return the source of a record."""
    path, data, places, problems = record
    return Source(path, data, places, tuple(_to_problem(*problem) for problem in problems))


def _to_problem(  # noqa: PLR0917  the fields of a record
    message: str,
    code: str,
    hint: str | None,
    at: tuple[Any, ...] | None,
    details: list[tuple[str, str]],
    tools: tuple[str, ...],
) -> Problem:
    place = Location(*at) if at else None
    error = ConfigError(
        message, code=code, hint=hint, at=place, details=[Detail(*detail) for detail in details]
    )
    return Problem(error, tools)


def bucket_of(section: str, name: str) -> int:
    """Return the number of the bucket that a name is in."""
    return crc32(f"{section}\n{name}".encode("utf-8", "surrogatepass")) % BUCKETS
