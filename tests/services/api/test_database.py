"""Who waits for PostgreSQL, and for how long."""

import time
from collections.abc import AsyncIterator

import pytest

from libs.runtime.settings import Settings
from services.api.database import PATIENCE, PAUSE, Database
from services.api.problems import ReadsDown


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
