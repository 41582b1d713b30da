"""The texts of PDFs, each of one tenant and one chat.

What lives here: keeping, finding and removing them, and their keys. What must not: reading PDFs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final, Self

from tm.records import record
from tm.store.encoding import plain
from tm.store.tables import Tables, open_tables
from tm.store.times import iso, utc_now

SHORTEST_KEY: Final = 4
"""Hex digits of the SHA-256 that a key has, where that is enough (SPEC 7)."""

_COLUMNS: Final = "chat_id, key, file, pages, chars, added_at"
_OF_CHAT: Final = "tenant = ? AND chat_id = ?"


@record
class PdfEntry:
    """A PDF whose text is kept.

    Attributes:
        file: its name, without folders.
        chars: length of the text.
        added_at: UTC, ISO.
    """

    chat_id: str
    key: str
    file: str
    pages: int
    chars: int
    added_at: str

    def to_json(self) -> dict[str, str | int]:
        """Return what `tm pdf add --json` prints (SPEC 7)."""
        return {"key": self.key, "file": self.file, "pages": self.pages, "chars": self.chars}


class StoredPdfs:
    """The texts of a workspace. Nothing here crosses from one tenant or chat to another.

    Args:
        open_database: gives the tables; called at the first look, since most runs need none.
        clock: the time.
    """

    def __init__(
        self, open_database: Callable[[], Tables], *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._open_database = open_database
        self._clock = clock
        self._tables: Tables | None = None
        self._lock = Lock()

    @classmethod
    def of_workspace(
        cls, root: Path, environ: Mapping[str, str], *, clock: Callable[[], datetime] = utc_now
    ) -> Self:
        """Return the texts in a workspace's database, which is opened at the first look."""
        return cls(lambda: open_tables(root, environ, now=clock), clock=clock)

    def close(self) -> None:
        """Let go of the database; a later look opens it again."""
        with self._lock:
            tables, self._tables = self._tables, None
        if tables is not None:
            tables.close()

    def _open(self) -> Tables:
        with self._lock:
            self._tables = self._tables or self._open_database()
            return self._tables

    def add(
        self, data: bytes, *, tenant: str, chat_id: str, file: str, pages: int, text: str
    ) -> PdfEntry:
        """Keep a text and return its entry. A file that the chat has already becomes its latest.

        Args:
            data: of the PDF, for the key.
            tenant: whose it is.
            chat_id: of the chat, not empty.
            file: name without folders.
            pages: how many the PDF has.
            text: without NUL and lone surrogates.

        Raises:
            UsageError: TM500, the database can't be written.
        """
        digest = sha256(data).hexdigest()
        tables, chat = self._open(), plain(chat_id) or ""
        with tables.transaction():
            old = tables.execute(
                f"DELETE FROM pdf_texts WHERE {_OF_CHAT} AND sha256 = ? RETURNING key",  # noqa: S608  no value is in it
                (tenant, chat, digest),
            )
            key = old[0][0] if old else self._free_key(tables, tenant, chat, digest)
            entry = PdfEntry(chat, key, plain(file) or "", pages, len(text), iso(self._clock()))
            tables.execute(
                f"INSERT INTO pdf_texts (tenant, {_COLUMNS}, sha256, text, turn) "  # noqa: S608  as above
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(turn), 0) + 1 "
                f"FROM pdf_texts WHERE {_OF_CHAT}))",
                (tenant, *_values(entry), digest, text, tenant, chat),
            )
        return entry

    def text(self, tenant: str, chat_id: str | None, key: str) -> str | None:
        """Return a PDF's text; None for an unknown key, another chat's or another tenant's.

        Raises:
            UsageError: TM500, the database can't be read.
        """
        return self._one_text("AND key = ?", tenant, chat_id, plain(key))

    def latest(self, tenant: str, chat_id: str | None) -> str | None:
        """Return the text of the PDF added last; None where the chat has none.

        Raises:
            UsageError: TM500, the database can't be read.
        """
        return self._one_text("ORDER BY turn DESC LIMIT 1", tenant, chat_id)

    def entries(self, tenant: str, chat_id: str | None = None) -> list[PdfEntry]:
        """Return what a chat has, or all chats of the tenant, in the order of adding.

        Args:
            tenant: whose.
            chat_id: None: every chat of the tenant.

        Raises:
            UsageError: TM500, the database can't be read.
        """
        only = "" if chat_id is None else "AND chat_id = ?"
        values = [tenant] if chat_id is None else [tenant, plain(chat_id)]
        rows = self._open().execute(
            f"SELECT {_COLUMNS} FROM pdf_texts WHERE tenant = ? {only} "  # noqa: S608  as above
            "ORDER BY added_at, chat_id, turn",
            values,
        )
        return [PdfEntry(*row) for row in rows]

    def remove(self, tenant: str, chat_id: str, key: str) -> bool:
        """Forget a text; return False where the chat has none of this key.

        Raises:
            UsageError: TM500, the database can't be written.
        """
        gone = self._open().execute(
            f"DELETE FROM pdf_texts WHERE {_OF_CHAT} AND key = ? RETURNING key",  # noqa: S608  as above
            (tenant, plain(chat_id), plain(key)),
        )
        return bool(gone)

    def _one_text(self, rest: str, tenant: str, chat_id: str | None, *values: object) -> str | None:
        if not chat_id:
            return None
        rows = self._open().execute(
            f"SELECT text FROM pdf_texts WHERE {_OF_CHAT} {rest}",  # noqa: S608  as above
            (tenant, plain(chat_id), *values),
        )
        return rows[0][0] if rows else None

    @staticmethod
    def _free_key(tables: Tables, tenant: str, chat_id: str, digest: str) -> str:
        """Return the shortest key of this file that no other PDF of the chat has."""
        rows = tables.execute(f"SELECT key FROM pdf_texts WHERE {_OF_CHAT}", (tenant, chat_id))  # noqa: S608  as above
        taken = {key for (key,) in rows}
        lengths = range(SHORTEST_KEY, len(digest) + 1)
        return next(key for n in lengths if (key := f"pdf-{digest[:n]}") not in taken)


def _values(entry: PdfEntry) -> tuple[object, ...]:
    return (
        entry.chat_id, entry.key, entry.file, entry.pages, entry.chars, entry.added_at,
    )  # fmt: skip
