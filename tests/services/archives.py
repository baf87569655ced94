"""Games that have moved to the archive, in tests: copies that read it, and both steps of moving at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import psycopg

from libs.runtime import bus, postgres
from libs.runtime.archive import PATIENCE, Archive
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.settings import Settings
from services.game.answer import Answerer
from services.game.archive import Moved, forget, keep
from tests.services.copies import MIDNIGHT, Clock, answering

AT_ONCE = timedelta()
LATER = MIDNIGHT + timedelta(days=8)
"""By then the games of these tests have been over for long."""


@asynccontextmanager
async def archived(connection: Connection, settings: Settings, patience: float = 10) -> AsyncIterator[ArchivedLog]:
    """The log with its archive, a month from now: ids that are drawn today are old by then."""
    async with postgres.pool(settings, most=4) as pool:
        yield ArchivedLog(connection, Archive(pool, clock(timedelta(days=30)), patience))


@asynccontextmanager
async def copy(settings: Settings, now: Clock) -> AsyncIterator[Answerer]:
    """One copy of the game service that reads the archive, without its projections."""
    connection = await bus.connect(settings, "game")
    async with archived(connection, settings, PATIENCE) as games:
        answerer = Answerer(connection, now, daily_key=settings.daily_key.encode(), games=games)
        async with answering(connection, answerer):
            yield answerer


@asynccontextmanager
async def database(settings: Settings) -> AsyncIterator[psycopg.AsyncConnection]:
    """A connection as a mover has it."""
    async with await psycopg.AsyncConnection.connect(settings.postgres_url, autocommit=True) as connection:
        yield connection


async def move(log: ArchivedLog, settings: Settings, *games: str, before: datetime = LATER) -> Moved:
    """Both steps for these games; answers with what came of the second."""
    async with database(settings) as connection:
        kept = await keep(log, connection, games, before)
        assert kept.stay == {}
        return await forget(log, connection, AT_ONCE, 100)
