"""The archive: games that are over for long, each in a row of PostgreSQL. It is a part of the log and read with it.

Who reads all of it holds `LOCK` together with others; who takes games out of the stream holds it alone. So a game does
not vanish from the one place while somebody has passed it by in the other.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import class_row
from psycopg.sql import SQL, Composed
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from libs.core.messages import GameId
from libs.runtime.archive_row import Row, is_claim, unpack
from libs.runtime.clock import Clock, clock
from libs.runtime.direct import Record, Unread

LOCK = 0x61726368
"""The advisory lock: "arch"."""

YOUNGEST = timedelta(days=1)
"""A game is not archived sooner than this after its making."""

COLUMNS = SQL("game::text, kind, first_seq, last_seq, records, data, checksum")
"""What of a row of `archive.games` makes a `Row`."""

_OF_GAME = SQL("select {} from archive.games where game = %s and last_seq > %s").format(COLUMNS)
_OF_CLAIM = SQL("select {} from archive.games where game = (select game from archive.claims where digest = %s)").format(
    COLUMNS
)
_HOLDS = (
    "select exists (select from archive.claims where digest = any(%s)) "
    "or exists (select from archive.games where game = %s)"
)

PATIENCE = 1.0  # seconds for a connection

_machine = clock()


class Archive:
    """The archive in this database. Every question raises `Unread` while PostgreSQL is away."""

    def __init__(
        self, pool: AsyncConnectionPool[AsyncConnection], now: Clock = _machine, patience: float = PATIENCE
    ) -> None:
        """`patience` is how many seconds a connection is waited for: longer where no player waits."""
        self._pool = pool
        self._now = now
        self._patience = patience

    async def load(self, game: GameId, after: int = 0) -> list[Record]:
        """The records of a game after this sequence, in order; none if it is not archived. Raises `Damaged`."""
        if (id_ := _uuid(game)) is None or self._is_young(id_):
            return []
        found = await self._rows(_OF_GAME, id_, after)
        return [one for row in found for one in unpack(row) if not is_claim(one) and one.sequence > after]

    async def claim(self, subject: str) -> bytes | None:
        """The record of a claim, by its subject; none if no archived game has it. Raises `Damaged`."""
        for row in await self._rows(_OF_CLAIM, digest_of(subject)):
            return next((one.data for one in unpack(row) if one.subject == subject), None)
        return None

    async def holds(self, game: GameId, claims: Sequence[str]) -> bool:
        """Is this game archived, or has an archived game one of these claims?"""
        async with self._connected() as connection:
            cursor = await connection.execute(_HOLDS, ([digest_of(claim) for claim in claims], _uuid(game)))
            return await cursor.fetchone() == (True,)

    async def newest(self) -> int:
        """The highest sequence in the archive; 0 if it is empty."""
        async with self._connected() as connection:
            cursor = await connection.execute("select coalesce(max(last_seq), 0) from archive.games")
            row = await cursor.fetchone()
            return int(row[0]) if row else 0

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[AsyncConnection]:
        """A transaction in which nothing leaves the stream for the archive; what has left before is there to read."""
        async with self._connected() as connection, connection.transaction():
            await connection.execute("select pg_advisory_xact_lock_shared(%s)", (LOCK,))
            yield connection

    def _is_young(self, game: UUID) -> bool:
        """Was the game made so lately that it cannot be archived? Ids are drawn by the machine's clock or by ours."""
        made = game.int >> 80 if game.version == 7 else 0  # milliseconds since 1970
        return made > max(_machine(), self._now()).timestamp() * 1000 - YOUNGEST / timedelta(milliseconds=1)

    async def _rows(self, query: Composed, *values: Any) -> list[Row]:
        async with self._connected() as connection, connection.cursor(row_factory=class_row(Row)) as cursor:
            await cursor.execute(query, values)
            return await cursor.fetchall()

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._pool.connection(timeout=self._patience) as connection:
                yield connection
        except (psycopg.Error, PoolTimeout) as error:
            raise Unread(f"the archive: {type(error).__name__}") from error


def digest_of(claim: str) -> UUID:
    """What of the subject of a claim tells it from others."""
    return UUID(claim.rpartition(".")[2])


def _uuid(game: GameId) -> UUID | None:
    try:
        return UUID(game)
    except ValueError:
        return None
