"""The index of a tenant's documents: a cache in SQLite, with full-text search (FTS5).

What lives here: keeping the index in step with the files, and asking it. What must not: reading
files, and what a word is. The file may be deleted at any time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from tm.builtin.passages import Passage
from tm.builtin.ranking import Candidate, scores
from tm.builtin.words import QueryWord, folded_words, match_expression
from tm.confine.tree import FoundFile
from tm.errors import TmError, ToolError
from tm.store.database import database_failures, why

if TYPE_CHECKING:
    from sqlite3 import Connection

VERSION: Final = 1
"""Of the tables and of what is in them; another one is built anew."""

_BUSY_TIMEOUT_S: Final = 10.0
_CANDIDATES: Final = 200
"""Best passages by FTS5's own rank, which are put into their order by `ranking`."""

_TABLES: Final = """
CREATE TABLE files (
    path TEXT PRIMARY KEY, modified_ns INTEGER NOT NULL, size INTEGER NOT NULL, fault TEXT
);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_path ON passages (path);
CREATE VIRTUAL TABLE words USING fts5 (place, heading, text, tokenize = "unicode61");
"""
# A word in the heading says more than one in the text or in the file's path.
_SEARCH: Final = """
SELECT passages.path, passages.heading, passages.text, words.place, words.heading, words.text
FROM words JOIN passages ON passages.id = words.rowid
WHERE words MATCH ? ORDER BY bm25(words, 0.5, 3.0, 1.0), passages.path, passages.id LIMIT ?
"""

T = TypeVar("T")
ReadPassages: TypeAlias = Callable[[FoundFile], list[Passage]]


class KnowledgeIndex:
    """An open index. Several processes may keep the same one in step."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def refresh(self, documents: Iterable[FoundFile], read: ReadPassages) -> int:
        """Read what is new or changed, forget what is gone; return how many files were read.

        Each file is one transaction: it is in the index with all its passages, or as before.

        Args:
            documents: every file that there is now.
            read: gives the passages of one; a TmError becomes the file's fault.
        """
        # What could not be read is tried again: permissions change without a file's time.
        known = {
            path: (modified_ns, size) if fault is None else None
            for path, modified_ns, size, fault in self._connection.execute(
                "SELECT path, modified_ns, size, fault FROM files"
            )
        }
        count = 0
        for found in documents:
            if known.pop(found.path, None) != (found.modified_ns, found.size):
                self._replace(found, read)
                count += 1
        for path in known:
            with self._transaction():
                self._forget(path)
        return count

    def faults(self) -> list[tuple[str, str]]:
        """Return path and reason of the files that could not be read."""
        return self._connection.execute(
            "SELECT path, fault FROM files WHERE fault IS NOT NULL ORDER BY path"
        ).fetchall()

    def search(self, words: Sequence[QueryWord], limit: int) -> list[dict[str, Any]]:
        """Return the best passages as `{"file", "heading", "text", "score"}`, best first.

        Args:
            words: at least one.
            limit: hits at most.
        """
        rows = self._connection.execute(_SEARCH, (match_expression(words), _CANDIDATES)).fetchall()
        (total,) = self._connection.execute("SELECT count(*) FROM passages").fetchone()
        found = scores(words, [Candidate(*row[3:]) for row in rows], total)
        hits = [
            {"file": path, "heading": heading, "text": text, "score": score}
            for (path, heading, text, *_), score in zip(rows, found, strict=True)
        ]
        return sorted(hits, key=lambda hit: -hit["score"])[:limit]

    def _replace(self, found: FoundFile, read: ReadPassages) -> None:
        passages, fault = list[Passage](), None
        try:
            passages = read(found)
        except TmError as error:
            name = found.path.rpartition("/")[2]
            fault = error.message.removeprefix(f"{name!a} ")  # the line begins with the path
        with self._transaction():
            self._forget(found.path)
            self._connection.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?)",
                (found.path, found.modified_ns, found.size, fault),
            )
            for passage in passages:
                self._add(found.path, passage)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Keep all of the block, or nothing of it."""
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    def _add(self, path: str, passage: Passage) -> None:
        row = self._connection.execute(
            "INSERT INTO passages (path, heading, text) VALUES (?, ?, ?)",
            (path, passage.heading, passage.text),
        )
        columns = (f"{path} {' '.join(passage.trail)}", passage.heading, passage.text)
        self._connection.execute(
            "INSERT INTO words (rowid, place, heading, text) VALUES (?, ?, ?, ?)",
            (row.lastrowid, *(" ".join(folded_words(column)) for column in columns)),
        )

    def _forget(self, path: str) -> None:
        for sql in (
            "DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE path = ?)",
            "DELETE FROM passages WHERE path = ?",
            "DELETE FROM files WHERE path = ?",
        ):
            self._connection.execute(sql, (path,))


def with_index(path: Path, work: Callable[[KnowledgeIndex], T], warn: Callable[[str], None]) -> T:
    """Do some work with the index at this place, and return what it gives.

    A damaged file is made anew. Where the place can't be used at all, or others keep it locked,
    the index is made in memory for this once, and that is told.

    Args:
        path: of the index's file.
        work: what is to be done; it is begun again where the index breaks under it.
        warn: told in one line what costs time.

    Raises:
        ToolError: TM509, this Python's SQLite has no full-text search.
    """
    try:
        return _try_file(path, work)
    except database_failures() as error:
        warn(f"the index of documents is made for this search alone: {why(error)}")
    try:
        with closing(_connected(":memory:")) as connection:
            _make_tables(connection)
            return work(KnowledgeIndex(connection))
    except database_failures() as error:
        message = f"the documents can't be searched: {why(error)}"
        raise ToolError(message, code="TM509") from error


def _try_file(path: Path, work: Callable[[KnowledgeIndex], T]) -> T:
    """Do the work with the index in its file; a damaged file is removed first."""
    from sqlite3 import DatabaseError, OperationalError  # noqa: PLC0415  as below

    try:
        with closing(_opened(path)) as connection:
            return work(KnowledgeIndex(connection))
    except OperationalError:
        raise  # locked, full, read-only: nothing is wrong with the file
    except DatabaseError:
        _remove(path)
    with closing(_opened(path)) as connection:
        return work(KnowledgeIndex(connection))


def _opened(path: Path) -> Connection:
    """Open the index so that only its owner reads it; an outdated one is emptied."""
    _make_folder(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    connection = _connected(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _make_tables(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(path: Path | str) -> Connection:
    from sqlite3 import connect  # noqa: PLC0415  only this tool needs it

    return connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)


def _make_tables(connection: Connection) -> None:
    """Make the tables of this version, in one transaction, unless they are there."""
    if _version(connection) == VERSION:
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if _version(connection) == VERSION:
            return  # another process was first
        for name in ("words", "passages", "files"):
            connection.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in filter(str.strip, _TABLES.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: Connection) -> int:
    number: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return number


def _make_folder(folder: Path) -> None:
    """Make `.tm/knowledge`, kept out of git, for its owner alone."""
    above = folder.parent
    if not above.exists():
        above.mkdir(mode=0o700, exist_ok=True)
        (above / ".gitignore").write_text("*\n", encoding="ascii")
    folder.mkdir(mode=0o700, exist_ok=True)


def _remove(path: Path) -> None:
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
