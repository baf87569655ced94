"""Who waits for PostgreSQL, and for how long."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from libs.runtime.settings import Settings
from services.api.database import PATIENCE, PAUSE, Database
from services.api.problems import Problem, ReadsDown


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    database = Database(Settings(postgres_url=postgres_url))
    await database.open()
    yield database
    await database.close()


async def test_who_gives_up_early_does_not_keep_the_others_away(database: Database) -> None:
    with pytest.raises(ReadsDown):
        await database.rows("select pg_sleep(5)", patience=0.1)
    assert await database.rows("select 1") == [(1,)]


async def test_after_a_whole_time_in_vain_nobody_else_waits_for_a_while(database: Database) -> None:
    with pytest.raises(ReadsDown):
        await database.rows("select pg_sleep(5)")
    began = time.monotonic()
    with pytest.raises(ReadsDown):
        await database.rows("select 1")
    assert time.monotonic() - began < PAUSE < PATIENCE


async def test_what_the_server_itself_has_undone_does_not_count_as_a_server_that_is_away(database: Database) -> None:
    for code in ("deadlock_detected", "serialization_failure", "lock_not_available", "query_canceled"):
        with pytest.raises(Problem) as refused:
            await database.rows(f"do $$ begin raise exception using errcode = '{code}'; end $$")
        assert refused.value.code == "try_again"
        assert await database.rows("select 1") == [(1,)]


async def test_two_transactions_that_block_each_other_are_told_to_try_again(database: Database) -> None:
    await _run(database, "create table pair (id int primary key)", "insert into pair values (1), (2)")
    both = asyncio.Barrier(2)

    async def lock(first: int, second: int) -> str:
        try:
            async with database.transaction() as connection:
                await connection.execute("select 1 from pair where id = %s for update", (first,))
                await both.wait()
                await connection.execute("select 1 from pair where id = %s for update", (second,))
        except Problem as problem:
            return problem.code
        return "done"

    assert sorted(await asyncio.gather(lock(1, 2), lock(2, 1))) == ["done", "try_again"]
    assert await database.rows("select count(*) from pair") == [(2,)]


async def _run(database: Database, *statements: str) -> None:
    async with database.connection() as connection:
        for statement in statements:
            await connection.execute(statement.encode())
