"""Deletes old runs, some at a time, so that tools which write meanwhile never wait long."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

from tm.store.database import database_failures
from tm.store.migrations import is_server
from tm.store.place import Connection
from tm.store.times import iso
from tm.store.words import FORGET_WORDS

_BATCH: Final = 1000
_OLDEST: Final = """
SELECT id FROM task_log_entries WHERE tenant = ? AND started_at < ? ORDER BY id LIMIT ?
"""
_DELETE: Final = "DELETE FROM task_log_entries WHERE id IN"


def delete_before(
    connection: Connection, tenant: str, before: datetime, told: Callable[[int], None]
) -> int:
    """Delete a tenant's runs that began before a time; return how many.

    Args:
        connection: in autocommit mode.
        told: called with the number so far after each batch.
    """
    is_file = not is_server(connection)
    if is_file:
        connection.execute("PRAGMA secure_delete = ON")  # what was deleted is not to be found
    deleted = 0
    while ids := _oldest(connection, tenant, before):
        _delete(connection, ids)
        deleted += len(ids)
        told(deleted)
    if deleted and is_file:
        with suppress(*database_failures()):  # others are writing: the next one tidies up
            connection.execute("INSERT INTO log_words (log_words) VALUES ('optimize')")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return deleted


def _oldest(connection: Connection, tenant: str, before: datetime) -> list[int]:
    found = connection.execute(_OLDEST, (tenant, iso(before), _BATCH)).fetchall()
    return [row_id for (row_id,) in found]


def _delete(connection: Connection, ids: list[int]) -> None:
    these = f" ({','.join(map(str, ids))})"
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not is_server(connection):
            connection.execute(FORGET_WORDS + these)
        connection.execute(_DELETE + these)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
