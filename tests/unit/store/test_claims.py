from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tm.store.claims import Claims, TaskState
from tm.store.tables import open_tables

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def claims(tmp_path: Path) -> Iterator[Claims]:
    tables = open_tables(tmp_path, {})
    yield Claims(tables)
    tables.close()


def test_a_task_nobody_looked_at_has_no_state(claims: Claims) -> None:
    assert claims.state("shop", "bill") is None


def test_a_minute_is_taken_once(claims: Claims) -> None:
    assert claims.claim("shop", "bill", NOON, NOON)
    assert not claims.claim("shop", "bill", NOON, NOON)
    assert not claims.claim("shop", "bill", NOON - MINUTE, NOON)
    assert claims.claim("shop", "bill", NOON + MINUTE, NOON)
    assert claims.state("shop", "bill") == TaskState(NOON + MINUTE, NOON)


def test_tasks_and_tenants_are_apart(claims: Claims) -> None:
    assert claims.claim("shop", "bill", NOON, NOON)
    assert claims.claim("shop", "sync", NOON, NOON)
    assert claims.claim("zoo", "bill", NOON, NOON)


def test_a_noted_task_never_ran(claims: Claims) -> None:
    claims.note("shop", "bill", NOON)
    claims.note("shop", "bill", NOON + MINUTE)
    assert claims.state("shop", "bill") == TaskState(NOON, None)
    assert claims.claim("shop", "bill", NOON + MINUTE, NOON)


def test_a_person_takes_a_minute_that_is_taken(claims: Claims) -> None:
    claims.claim("shop", "bill", NOON, NOON)
    claims.take("shop", "bill", NOON, NOON + MINUTE / 2)
    assert claims.state("shop", "bill") == TaskState(NOON, NOON + MINUTE / 2)
    assert not claims.claim("shop", "bill", NOON, NOON)


def test_of_many_that_ask_at_once_one_gets_it(tmp_path: Path) -> None:
    def ask(_: int) -> bool:
        tables = open_tables(tmp_path, {})
        try:
            return Claims(tables).claim("shop", "bill", NOON, NOON)
        finally:
            tables.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(24))) == 1
