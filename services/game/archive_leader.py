"""Keeps the stream small: games that have been closed for long move to the archive, slowly and one copy at a time."""

import asyncio
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import structlog
from msgspec import Struct
from psycopg import AsyncConnection

from libs.core.messages import GameId
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.clock import Clock
from libs.runtime.ids import between
from libs.runtime.log import Down, Unknown, Unread
from libs.runtime.metrics import ARCHIVE_FAILURES, ARCHIVE_LAG, ARCHIVED
from services.game.archive import CHANGED, LATE, TOO_NEW, Busy, Closed, closed, folded, forget, keep

BATCH = 64  # games
SHARE = 4
"""One part of the time for moving, so many parts for playing."""
SETTLED = timedelta(hours=1)
"""So long a game is in both: time for a database to hand its row on to its copies, and for readers to pass it by."""
LOOK = 60.0  # seconds between two looks while there is nothing to move
STAND_BY = 5.0  # seconds between two looks whether the one that moves is gone
FAILED = 60.0  # seconds before it is tried again
ANEW = 3600.0  # seconds after which games that stayed behind are looked at once more

BEGIN = Closed(datetime.min.replace(tzinfo=UTC), UUID(int=0))

log = structlog.get_logger()


class Pace(Struct, frozen=True, kw_only=True):
    """How patient a mover is."""

    settled: timedelta = SETTLED
    share: float = SHARE


PACE = Pace()


class Mover:
    """Moves games that have been closed for longer than `after`."""

    def __init__(self, games: ArchivedLog, postgres_url: str, now: Clock, after: timedelta, pace: Pace = PACE) -> None:
        self._games = games
        self._url = postgres_url
        self._now = now
        self._after = after
        self._pace = pace
        self._begin()

    def _begin(self) -> None:
        """Look at all games once more."""
        self._since = BEGIN
        self._left: set[GameId] = set()
        self._anew = time.monotonic() + ANEW

    async def move(self) -> None:
        """Move games, for ever; waits while PostgreSQL or the broker is away."""
        while True:
            try:
                async with await AsyncConnection.connect(self._url, autocommit=True, connect_timeout=2) as connection:
                    await self._lead(connection)
                    if not await self._games.forgets():
                        raise Down("the stream was made to keep everything: a backup and a restore make it anew")
                    self._begin()
                    log.info("archive.moves", days=self._after.days)
                    while True:
                        await self._round(connection)
            except (psycopg.Error, OSError, Unread, Unknown, Down) as error:
                self._failed(type(error).__name__, str(error))
            except Exception:  # whatever is wrong here, commands must go on; the failures and this line are the alarm
                ARCHIVE_FAILURES.inc()
                log.exception("archive.failed")
            finally:
                ARCHIVE_LAG.set(0)  # the copy that moves now tells it
            await asyncio.sleep(between(FAILED / 2, FAILED))

    async def _lead(self, connection: AsyncConnection[Any]) -> None:
        """Wait until no other copy moves; for efficiency alone."""
        while True:
            cursor = await connection.execute("select pg_try_advisory_lock(hashtextextended('archive', 0))")
            if await cursor.fetchone() == (True,):
                return
            await asyncio.sleep(STAND_BY)

    async def _round(self, connection: AsyncConnection[Any]) -> None:
        """One batch of each step, and the pause after it."""
        if time.monotonic() > self._anew:
            self._begin()
        began = time.monotonic()
        moved = await self.step(connection)
        await asyncio.sleep((time.monotonic() - began) * self._pace.share if moved else LOOK)

    async def step(self, connection: AsyncConnection[Any]) -> int:
        """Take a batch out of the stream, then write a batch into the archive; answers with how many were looked at.

        What is refused at the first is not added to by the second. Raises what either raises.
        """
        return await self._forget(connection) + await self._keep(connection)

    async def _forget(self, connection: AsyncConnection[Any]) -> int:
        try:
            moved = await forget(self._games, connection, self._pace.settled, BATCH, self._left)
        except Busy:
            return 0
        if changed := [game for game, why in moved.stay.items() if why == CHANGED]:
            self._note((await keep(self._games, connection, changed, self._before())).stay)
        self._note({game: why for game, why in moved.stay.items() if why not in (CHANGED, TOO_NEW)})
        self._left |= moved.stay.keys()
        ARCHIVED.inc(len(moved.games))
        return len(moved.games)

    async def _keep(self, connection: AsyncConnection[Any]) -> int:
        before = self._before()
        found = await closed(connection, before, self._since, BATCH, await folded(connection))
        oldest = found[0].ended_at if found else before
        ARCHIVE_LAG.set((before - oldest).total_seconds())
        stay = (await keep(self._games, connection, [str(one.game) for one in found], before)).stay
        self._note({game: why for game, why in stay.items() if why != LATE})
        if found:
            self._since = found[-1]
        return len(found)

    def _before(self) -> datetime:
        return self._now() - self._after

    def _note(self, stay: Mapping[GameId, str]) -> None:
        for game, why in stay.items():
            self._failed(why, game=game)

    def _failed(self, why: str, detail: str = "", game: GameId = "") -> None:
        ARCHIVE_FAILURES.inc()
        log.warning("archive.waits", why=why, detail=detail, game=game)
