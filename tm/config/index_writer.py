"""Writing the index that `index` reads."""

from __future__ import annotations

import marshal
from pathlib import Path
from typing import Any
from zlib import crc32

from tm.config.file_bytes import replace_own
from tm.config.index import BUCKETS, FOOTER, MAGIC, SPAN, STABLE, Files, Span, bucket_of
from tm.config.source import SECTIONS, Source
from tm.errors import Location

_Names = dict[tuple[str, str], tuple[int, ...]]


def write_index(path: Path, key: tuple[Any, ...], files: Files, sources: list[Source]) -> None:
    """Write the index of a home, whole or not at all.

    Args:
        path: of the index.
        key: from `index_key`.
        files: signatures of the files, as they were listed before they were read.
        sources: of all the files, in the order of their paths.

    Raises:
        OSError: it can't be written; then nothing is.
    """
    parts = _Parts()
    listing = parts.add(marshal.dumps(dict(files), STABLE))
    buckets = [parts.add(marshal.dumps(bucket)) for bucket in _buckets(sources)]
    records = [parts.add(marshal.dumps(_to_record(source))) for source in sources]
    spans = parts.add(b"".join(SPAN.pack(*record) for record in records))
    broken = [number for number, source in enumerate(sources) if source.problems]
    head = (key, broken, _sections(sources), listing, buckets, spans, len(sources))
    span = parts.add(marshal.dumps(head))
    replace_own(path, b"".join([*parts.data, FOOTER.pack(MAGIC, *span)]))


class _Parts:
    """Collects the parts of the file."""

    def __init__(self) -> None:
        self.data: list[bytes] = []
        self._size = 0

    def add(self, part: bytes) -> Span:
        """Add a part and return where it will be."""
        span = (self._size, len(part), crc32(part))
        self.data.append(part)
        self._size += len(part)
        return span


def _buckets(sources: list[Source]) -> list[_Names]:
    """Return the records that declare each name, spread over the buckets."""
    buckets: list[_Names] = [{} for _ in range(BUCKETS)]
    for number, source in enumerate(sources):
        for section in SECTIONS:
            names = source.data.get(section)
            for name in names if isinstance(names, dict) else ():
                bucket = buckets[bucket_of(section, name)]
                bucket[section, name] = (*bucket.get((section, name), ()), number)
    return buckets


def _sections(sources: list[Source]) -> dict[str, list[int]]:
    """Return the records that have each section."""
    return {
        section: [number for number, source in enumerate(sources) if section in source.data]
        for section in SECTIONS
    }


def _to_record(source: Source) -> tuple[Any, ...]:
    """Return a source as plain data."""
    problems = [
        (
            problem.error.message,
            problem.error.code,
            problem.error.hint,
            _place(problem.error.at),
            [(detail.path, detail.message) for detail in problem.error.details],
            tuple(problem.tools),
        )
        for problem in source.problems
    ]
    return (source.path, source.data, source.places, problems)


def _place(at: Location | None) -> tuple[Any, ...] | None:
    return (at.path, at.line, at.col) if at else None
