"""The second line: games that PostgreSQL knows to be overdue are woken, whatever became of their timers."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeAlias

import psycopg
import structlog
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from libs.core.messages import GameId
from libs.runtime.clock import Clock
from libs.runtime.metrics import OVERDUE

PAUSE = 60.0  # seconds between two sweeps
SLACK = timedelta(seconds=10)
"""A game is overdue this long after its time: before that its timer is still at work."""
PAGE = 1000
AT_ONCE = 64

Wake: TypeAlias = Callable[[GameId, str], Awaitable[bool]]
"""Let this game of this kind decide whether it is time; answers whether it could be asked."""

log = structlog.get_logger()

_OVERDUE = """
select id::text, kind from games.games
where due < %s and state in ('invited', 'waiting', 'playing') and id > %s::uuid
order by id limit %s
"""
_FIRST = "00000000-0000-0000-0000-000000000000"


async def sweep(pool: AsyncConnectionPool[psycopg.AsyncConnection], wake: Wake, now: datetime) -> int:
    """Wake every game that is overdue, some at once; answers with how many were found. Raises `psycopg.Error`."""
    room, found, last = asyncio.Semaphore(AT_ONCE), 0, _FIRST

    async def one(game: GameId, kind: str) -> None:
        async with room:
            await wake(game, kind)

    while True:
        async with pool.connection() as connection:
            rows = await (await connection.execute(_OVERDUE, (now - SLACK, last, PAGE))).fetchall()
        async with asyncio.TaskGroup() as group:
            for game, kind in rows:
                group.create_task(one(game, kind))
        found += len(rows)
        if len(rows) < PAGE:
            return found
        last = rows[-1][0]


async def keep_sweeping(pool: AsyncConnectionPool[psycopg.AsyncConnection], wake: Wake, now: Clock) -> None:
    """Sweep at once and then again and again; while PostgreSQL is away, not at all."""
    while True:
        try:
            found = await sweep(pool, wake, now())
        except (psycopg.Error, PoolTimeout) as error:
            log.warning("no sweep", error=type(error).__name__)
        else:
            OVERDUE.set(found)
            if found:
                log.info("swept", games=found)
        await asyncio.sleep(PAUSE)
