"""The tables of the database, as numbered steps from an empty one.

What lives here: SQL that makes and changes tables. A step that was released is never edited: a
change is a new step at the end.

Rows get into the indexes some hundred at a time, when they are settled: to write ten pages for
each run would cost more than the row itself. The few that are not settled yet are found by that.
All indexes begin with the tenant and end with the time, so that the newest rows of any filter
are read from one end of one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tm.store.words import ADD_WORDS, MAKE_WORDS, WORDS_IN_POSTGRES

if TYPE_CHECKING:
    from sqlite3 import Connection

    from tm.store.postgres import PostgresConnection


class Step(NamedTuple):
    """One change of the tables; statements end with `;`, which stands nowhere else.

    Attributes:
        sqlite: its SQL.
        postgres: the same for PostgreSQL; None: the text is common to both.
    """

    name: str
    sqlite: str
    postgres: str | None = None


_LOG: Final = """
CREATE TABLE task_log_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at TEXT NOT NULL,
    tenant TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    entry_type TEXT NOT NULL,
    state TEXT NOT NULL,
    dry_run INTEGER NOT NULL,
    parent_id INTEGER,
    chat_id TEXT,
    user_id TEXT,
    assistant TEXT,
    owner TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0,
    duration_ms REAL,
    http_status INTEGER,
    response_bytes INTEGER,
    request_url TEXT,
    error_code TEXT,
    error_message TEXT,
    args TEXT NOT NULL,
    result TEXT,
    steps TEXT,
    log TEXT
);
CREATE INDEX log_unsettled ON task_log_entries (id) WHERE settled = 0;
CREATE INDEX log_parent ON task_log_entries (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX log_tenant ON task_log_entries (tenant, started_at, duration_ms)
    WHERE settled = 1;
CREATE INDEX log_tool ON task_log_entries (tenant, tool_name, started_at)
    WHERE settled = 1;
CREATE INDEX log_entry_type ON task_log_entries (tenant, entry_type, started_at)
    WHERE settled = 1;
CREATE INDEX log_duration ON task_log_entries (tenant, duration_ms, started_at)
    WHERE settled = 1;
CREATE INDEX log_assistant ON task_log_entries (tenant, assistant, started_at)
    WHERE settled = 1 AND assistant IS NOT NULL;
CREATE INDEX log_chat ON task_log_entries (tenant, chat_id, started_at)
    WHERE settled = 1 AND chat_id IS NOT NULL;
CREATE INDEX log_failed ON task_log_entries (tenant, started_at)
    WHERE settled = 1 AND state IN ('failed', 'killed');
CREATE INDEX log_dry_run ON task_log_entries (tenant, started_at)
    WHERE settled = 1 AND dry_run = 1;
"""

_PDF_TEXTS: Final = """
CREATE TABLE pdf_texts (
    tenant TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    key TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    turn INTEGER NOT NULL,
    file TEXT NOT NULL,
    pages INTEGER NOT NULL,
    chars INTEGER NOT NULL,
    added_at TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (tenant, chat_id, key),
    UNIQUE (tenant, chat_id, sha256)
);
"""

_CLAIMS: Final = """
CREATE TABLE scheduled_tasks (
    tenant TEXT NOT NULL,
    task TEXT NOT NULL,
    done_until TEXT NOT NULL,
    last_run_at TEXT,
    PRIMARY KEY (tenant, task)
);
"""

_CHATS: Final = """
CREATE TABLE chats (
    tenant TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    assistant TEXT NOT NULL,
    started_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    questions INTEGER NOT NULL,
    session TEXT NOT NULL,
    PRIMARY KEY (tenant, chat_id)
);
CREATE TABLE chat_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    question INTEGER NOT NULL,
    role TEXT NOT NULL,
    message TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX chat_messages_of_chat ON chat_messages (tenant, chat_id, id);
"""

_CHATS_IN_POSTGRES: Final = _CHATS.replace(
    "INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
)

# Times and codes are compared byte by byte, as SQLite does.
_LOG_IN_POSTGRES: Final = (
    _LOG.replace(
        "INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    )
    .replace("started_at TEXT", 'started_at TEXT COLLATE "C"')
    .replace("tenant TEXT", 'tenant TEXT COLLATE "C"')
    .replace("parent_id INTEGER", "parent_id BIGINT")
    .replace("response_bytes INTEGER", "response_bytes BIGINT")
    .replace("REAL", "DOUBLE PRECISION")
)

MIGRATIONS: Final[tuple[Step, ...]] = (
    Step("execution log", _LOG, _LOG_IN_POSTGRES),
    Step("log search", MAKE_WORDS, WORDS_IN_POSTGRES),
    Step("messages and sessions", _CHATS, _CHATS_IN_POSTGRES),
    Step("pdf texts", _PDF_TEXTS),
    Step("scheduled claims", _CLAIMS),
)
"""The steps in their order; the first has number 1."""

_SETTLE: Final = """
UPDATE task_log_entries SET settled = 1
WHERE settled = 0 AND state <> 'running'
"""

SETTLE_EVERY: Final = 256
"""Rows after which that is done, by the process whose run gets the number."""

NEWEST: Final = len(MIGRATIONS)


def is_server(connection: Any) -> bool:
    """Say whether this is a connection to PostgreSQL, where indexes hold the words themselves."""
    return hasattr(connection, "is_lost")


def settle(connection: Connection | PostgresConnection) -> None:
    """Put the rows that have ended into the indexes.

    Args:
        connection: in autocommit mode.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not is_server(connection):
            connection.execute(ADD_WORDS)
        connection.execute(_SETTLE)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def applied(connection: Connection) -> int:
    """Return the number of the last step that the database has; 0 for an empty one."""
    known = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'"
    if connection.execute(known).fetchone() is None:
        return 0
    number: int | None = connection.execute("SELECT max(number) FROM migrations").fetchone()[0]
    return number or 0


def migrate(connection: Connection, *, now: str) -> None:
    """Apply the steps that are missing, all or none, however many processes try at once.

    Args:
        connection: in autocommit mode.
        now: ISO time to note beside each step.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        apply_missing(connection, applied(connection), now=now)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def apply_missing(
    connection: Connection | PostgresConnection, done: int, *, now: str, is_postgres: bool = False
) -> None:
    """Apply the steps behind number `done`, in a transaction of the caller's."""
    for number in range(done + 1, NEWEST + 1):
        step = MIGRATIONS[number - 1]
        sql = step.postgres if is_postgres and step.postgres is not None else step.sqlite
        _apply(connection, number, Step(step.name, sql), now)


def _apply(connection: Connection | PostgresConnection, number: int, step: Step, now: str) -> None:
    if number == 1:
        connection.execute(
            "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT, applied_at TEXT)"
        )
    # Not executescript(): it commits first, and the steps would no longer be all or none.
    for statement in filter(str.strip, step.sqlite.split(";")):
        connection.execute(statement)
    connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (number, step.name, now))
