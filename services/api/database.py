"""PostgreSQL for the api: lists and people, never anything that a guess needs."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import psycopg
import structlog
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from libs.core.calls import TRY_AGAIN
from libs.runtime import postgres
from libs.runtime.settings import Settings
from services.api.problems import Problem, ReadsDown

log = structlog.get_logger()

PATIENCE = 3.0  # seconds for a whole transaction
PAUSE = 1.0  # seconds in which nobody else waits for a server that has just not answered

UNDONE = (errors.DeadlockDetected, errors.SerializationFailure, errors.LockNotAvailable, errors.QueryCanceled)
"""The server answers, and has undone what was asked; the same asked again may well succeed."""

Connection: TypeAlias = psycopg.AsyncConnection[Any]


class Database:
    """A pool that says at once that the server is down when it has just found out."""

    def __init__(self, settings: Settings) -> None:
        self._pool = postgres.pool(settings)
        self._down_until = 0.0

    async def open(self) -> None:
        """Begin to connect; the server may be down."""
        await self._pool.open()

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.close()

    async def is_up(self) -> bool:
        """Does it answer?"""
        return await postgres.is_up(self._pool)

    @asynccontextmanager
    async def connection(self, patience: float = PATIENCE) -> AsyncIterator[Connection]:
        """A connection, in autocommit, for at most this many seconds. Raises `ReadsDown`, or `Problem` (try_again)."""
        now = asyncio.get_running_loop().time
        if now() < self._down_until:
            raise ReadsDown
        try:
            async with asyncio.timeout(patience), self._pool.connection(timeout=patience) as connection:
                yield connection
        except UNDONE as error:
            log.warning("transaction given up", error=type(error).__name__)
            raise Problem(TRY_AGAIN, retry_after=1) from error
        except (
            psycopg.OperationalError,
            psycopg.InterfaceError,
            PoolTimeout,
            PoolClosed,
            TooManyRequests,
            TimeoutError,
            OSError,
        ) as error:
            if patience >= PATIENCE:  # who waits for less does not speak for the others
                self._down_until = now() + PAUSE
            log.warning("database does not answer", error=type(error).__name__)
            raise ReadsDown from error

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """A connection in a transaction: all or nothing. Raises `ReadsDown`, or `Problem` (try_again)."""
        async with self.connection() as connection, connection.transaction():
            yield connection

    async def rows(self, query: str, values: Sequence[Any] | dict[str, Any] = (), patience: float = PATIENCE) -> Any:
        """All rows of one query, as tuples. Raises `ReadsDown`, or `Problem` (try_again)."""
        async with self.connection(patience) as connection:
            return await (await connection.execute(query.encode(), values)).fetchall()
