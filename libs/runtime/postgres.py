"""PostgreSQL: a pool, and whether it answers. (How its tables come about: `migrating`.)"""

import asyncio

import psycopg
from psycopg_pool import AsyncConnectionPool

from libs.runtime.migrating import migrate
from libs.runtime.settings import Settings
from libs.runtime.steps import TABLES

__all__ = ["TABLES", "is_up", "migrate", "pool"]


def pool(settings: Settings, most: int = 8) -> AsyncConnectionPool[psycopg.AsyncConnection]:
    """A pool that is not yet open and does not insist: opened while PostgreSQL is down, it keeps trying."""
    return AsyncConnectionPool(
        settings.postgres_url,
        min_size=1,
        max_size=most,
        timeout=2,
        reconnect_timeout=0,
        open=False,
        check=AsyncConnectionPool.check_connection,
        kwargs={"autocommit": True, "connect_timeout": 2},
    )


async def is_up(connections: AsyncConnectionPool[psycopg.AsyncConnection]) -> bool:
    """Does PostgreSQL answer within a second?"""
    try:
        async with asyncio.timeout(1), connections.connection(timeout=1) as connection:
            await connection.execute("select 1")
    except (psycopg.Error, TimeoutError, OSError):
        return False
    return True
