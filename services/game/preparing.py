"""Getting to know the games whose time comes soon, one by one and at leisure: then all of them can be woken at once."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import psycopg
import structlog
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from libs.core.history import Newer
from libs.core.messages import GameId
from libs.runtime.clock import Clock
from libs.runtime.log import Unread
from libs.runtime.metrics import PREPARED
from services.game.store import Store, Unreadable

AHEAD = timedelta(minutes=30)
"""How long before its time a game should be known."""
PAUSE = 20.0  # seconds between two looks for such games
PAGE = 1000
PACE = 0.002  # seconds from one game to the next

log = structlog.get_logger()

_SOON = """
select id::text, kind, seq from games.games
where due between %s and %s and state in ('invited', 'waiting', 'playing') and id > %s::uuid
order by id limit %s
"""
_FIRST = "00000000-0000-0000-0000-000000000000"


class Preparer:
    """Reads what this copy will be asked to wake and does not know yet; without it, only more slowly."""

    def __init__(
        self,
        pool: AsyncConnectionPool[psycopg.AsyncConnection],
        store: Store,
        mine: Callable[[GameId], bool],
        rest: Callable[[float], Awaitable[None]],
        now: Clock,
    ) -> None:
        """`mine`: is it this copy that is asked about the game? `rest` waits while there is something more urgent."""
        self._pool = pool
        self._store = store
        self._mine = mine
        self._rest = rest
        self._now = now

    async def keep(self) -> None:
        """Prepare again and again; while PostgreSQL or the broker is away, not at all."""
        while True:
            try:
                read = await self.prepare()
            except (psycopg.Error, PoolTimeout, Unread) as error:
                log.warning("nothing is prepared", error=type(error).__name__)
            else:
                if read:
                    log.info("prepared", games=read)
            await asyncio.sleep(PAUSE)

    async def prepare(self) -> int:
        """Read every game of this copy whose time comes soon and that has moved on since we knew it; answers how many.

        Raises `psycopg.Error` or `Unread`.
        """
        now, last, read = self._now(), _FIRST, 0
        while rows := await self._page(now, last):
            last = rows[-1][0]
            for game, kind, sequence in rows:
                if self._mine(game) and self._store.known(game) < sequence:
                    await self._rest(PAUSE)
                    await self._read(game, kind)
                    read += 1
                    PREPARED.inc()
                    await asyncio.sleep(PACE)
        return read

    async def _page(self, now: datetime, last: GameId) -> list[Any]:
        async with self._pool.connection() as connection:
            return await (await connection.execute(_SOON, (now, now + AHEAD, last, PAGE))).fetchall()

    async def _read(self, game: GameId, kind: str) -> None:
        try:
            await self._store.prepare(game, kind)
        except (Unreadable, Newer) as error:
            log.error("a game cannot be read", game=game, detail=str(error))
