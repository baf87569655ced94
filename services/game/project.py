"""Keeps one projection up to date with the log: one copy folds, the others stand by."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import ExitStack, aclosing, suppress
from typing import Any, TypeAlias

import psycopg
import structlog
from psycopg import AsyncConnection

from libs.core.history import Newer
from libs.runtime import telemetry
from libs.runtime.clock import clock
from libs.runtime.ending import end
from libs.runtime.ids import between
from libs.runtime.log import Log, Record, Rewound, Unread
from libs.runtime.metrics import FOLD_LAG, FOLD_LAG_SECONDS, FOLDED, PARKED
from libs.runtime.telemetry import TRACEPARENT
from services.game.folding import Overtaken, fold, position_of, readable
from services.game.projections.shape import Projection

log = structlog.get_logger()

BATCH = 500
PACE = 0.25  # seconds from one fold to the next: many small ones would tire the database
BUSY = 0.5  # the same where there is more to do at once than this many records
MANY = 200
STAND_BY = 1.0  # seconds between two looks whether the one that folds is gone
MEASURED = 5.0  # seconds between two looks at how far behind we are
FAILED = 1.0  # seconds before a fold that failed for a reason nobody foresaw is tried again
YIELDS = 30.0  # seconds at most that a batch waits for what must not wait
REWOUND = 30.0  # seconds before a log that is older than the tables is looked at again

_now = clock()


Rest: TypeAlias = Callable[[float], Awaitable[None]]
"""Waits so many seconds at most while there is something more urgent than folding."""


class Ahead(Exception):
    """The log goes on with a record that a newer release must fold; says where."""

    def __init__(self, sequence: int) -> None:
        super().__init__(str(sequence))
        self.sequence = sequence


class Projector:
    """Folds the log into one projection."""

    def __init__(self, projection: type[Projection], games: Log, postgres_url: str, rest: Rest | None = None) -> None:
        self.name = projection.name
        self._projection = projection
        self._games = games
        self._url = postgres_url
        self._rest = rest
        self._position = 0
        self._pending: Record | None = None  # the oldest record that has reached us and is not folded

    async def keep(self) -> None:
        """Fold whatever is stored, for ever; waits while PostgreSQL or the broker is away."""
        while True:
            try:
                connection = await AsyncConnection.connect(self._url, autocommit=True, connect_timeout=2)
                async with connection:
                    if await self._leads(connection):
                        await self._follow(connection)
            except Overtaken:
                log.warning("projection.overtaken", projection=self.name, position=self._position)
            except Rewound as error:
                log.error("projection.ahead_of_log", projection=self.name, detail=str(error))
                await asyncio.sleep(REWOUND)
            except (psycopg.Error, OSError) as error:
                log.warning("projection.waits", projection=self.name, error=type(error).__name__, detail=str(error))
            except Exception:  # whatever is wrong with a fold, commands must go on; the lag and this line are the alarm
                log.exception("projection.failed", projection=self.name, position=self._position)
                await asyncio.sleep(FAILED)
            await asyncio.sleep(between(0.2, 0.6))

    async def _leads(self, connection: AsyncConnection[Any]) -> bool:
        """Wait until no other copy folds; for efficiency alone, the position keeps us right."""
        while True:
            cursor = await connection.execute(
                "select pg_try_advisory_lock(hashtextextended(%s, 0))", (f"projection {self.name}",)
            )
            if await cursor.fetchone() == (True,):
                return True
            await asyncio.sleep(STAND_BY)

    async def _follow(self, connection: AsyncConnection[Any]) -> None:
        await connection.execute("insert into positions values (%s, 0) on conflict do nothing", (self.name,))
        self._position = await position_of(connection, self.name)
        await self._count_parked(connection)
        log.info("projection.folds", projection=self.name, position=self._position)
        measuring = asyncio.create_task(self._measure())
        try:
            async with aclosing(self._arriving()) as arriving:
                async for records in arriving:
                    began = time.monotonic()
                    if self._rest is not None:
                        await self._rest(YIELDS)
                    await self._fold(connection, records)
                    if len(records) < BATCH:
                        pace = PACE if len(records) < MANY else BUSY
                        await asyncio.sleep(max(0.0, began + pace - time.monotonic()))
        except Ahead as ahead:
            await self._stand_back(connection, ahead.sequence)
        finally:
            await end(measuring)

    async def _stand_back(self, connection: AsyncConnection[Any], sequence: int) -> None:
        """Let a newer copy fold, until it has folded this record; without one the tables stand still."""
        log.error("projection.stands_back", projection=self.name, sequence=sequence, reason="of a newer release")
        await connection.execute("select pg_advisory_unlock(hashtextextended(%s, 0))", (f"projection {self.name}",))
        while self._position < sequence:
            await asyncio.sleep(STAND_BY)
            self._position = await position_of(connection, self.name)
        self._pending = None

    async def _arriving(self) -> AsyncGenerator[list[Record], None]:
        """What is not folded yet: of games in the archive too, if it has any that this projection does not know."""
        end = await self._games.newest_archived()
        if end > self._position:  # only a projection that is begun anew is so far behind
            async with aclosing(self._games.whole(self._position + 1, end, BATCH)) as before:
                async for records in before:
                    yield records
        async with aclosing(self._games.follow_together(self._position + 1, BATCH)) as arriving:
            async for records in arriving:
                yield records

    async def _fold(self, connection: AsyncConnection[Any], records: Sequence[Record]) -> None:
        self._pending = records[0]
        with ExitStack() as spans:
            for record in records:
                if record.trace:
                    spans.enter_context(telemetry.part("fold", {TRACEPARENT: record.trace}, projection=self.name))
            try:
                parked = await fold(connection, self._projection, records, self._position)
            except Newer:
                if before := readable(records):
                    await self._fold(connection, before)
                raise Ahead(records[len(before)].sequence) from None
        self._pending, self._position = None, records[-1].sequence
        FOLDED.labels(self.name).inc(len(records))
        if parked:
            await self._count_parked(connection)

    async def _count_parked(self, connection: AsyncConnection[Any]) -> None:
        cursor = await connection.execute("select count(*) from parked where projection = %s", (self.name,))
        row = await cursor.fetchone()
        PARKED.labels(self.name).set(row[0] if row else 0)

    async def _measure(self) -> None:
        try:
            while True:
                with suppress(Unread):
                    FOLD_LAG.labels(self.name).set(max(0, await self._games.last_sequence() - self._position))
                age = (_now() - self._pending.at).total_seconds() if self._pending else 0
                FOLD_LAG_SECONDS.labels(self.name).set(max(0, age))
                await asyncio.sleep(MEASURED)
        finally:
            for gauge in (FOLD_LAG, FOLD_LAG_SECONDS):  # the copy that folds now tells them
                gauge.labels(self.name).set(0)
