"""Games that PostgreSQL knows to be overdue are woken many at a time: at midnight at once, else as the second line.

Whatever became of their timers, a game is woken by this; while PostgreSQL is away, its timer wakes it.
"""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from datetime import datetime, timedelta
from typing import TypeAlias

import psycopg
import structlog
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from libs.core import subjects
from libs.core.calendar import begin_of, close_of, eastern_day
from libs.core.messages import GameId
from libs.runtime.clock import Clock
from libs.runtime.metrics import OVERDUE
from services.scheduler.follow import GRACE

PAUSE = 60.0  # seconds between two sweeps
AGAIN = 1.0  # seconds before the next one after games were woken
LATER = 15.0  # seconds before it if none of those that were found could be
SLACK = timedelta(seconds=10)
"""A game is overdue this long after its time: before that its timer is still at work."""
PAGE = 15_000  # games that are read at a time
TOGETHER = 130
"""So many games at most are woken by one question: those of two are stored together."""
AT_ONCE = 12
YIELDS = 30.0  # seconds without an answer after which others no longer wait for the end of a sweep

Wake: TypeAlias = Callable[[Sequence[GameId], str], Awaitable[Sequence[GameId]]]
"""Let these games of one kind and partition decide whether it is time; answers with those that could not be asked."""

log = structlog.get_logger()

_OVERDUE = "select id::text, kind from games.games where due <= %s and state in ('invited', 'waiting', 'playing')"


def overdue_since(now: datetime) -> datetime:
    """Games whose time was then, or before, are to be woken now: those of a midnight as soon as its grace is over."""
    midnight = begin_of(eastern_day(now))
    return max(midnight, now - SLACK) if now >= midnight + GRACE else now - SLACK


def next_look(now: datetime) -> float:
    """Seconds until the next sweep: at the end of the next midnight's grace at the latest."""
    ready = begin_of(eastern_day(now)) + GRACE
    if now >= ready:
        ready = close_of(eastern_day(now)) + GRACE
    return min(PAUSE, (ready - now).total_seconds())


class Sweeper:
    """Sweeps over and over. What was woken is not woken again before the tables have had time to know it."""

    def __init__(self, pool: AsyncConnectionPool[psycopg.AsyncConnection], wake: Wake, now: Clock) -> None:
        self._pool = pool
        self._wake = wake
        self._now = now
        self._woken: set[GameId] = set()
        self._still = asyncio.Event()  # no sweep is in work
        self._still.set()
        self._moved = 0.0  # when the last sweep began, or was last answered

    async def rest(self) -> None:
        """Wait until no sweep is in work, as long as it gets on: for work that can wait."""
        while not self._still.is_set() and (left := self._moved + YIELDS - time.monotonic()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._still.wait()

    async def keep(self) -> None:
        """Sweep at once and then again and again; while PostgreSQL is away, not at all."""
        while True:
            found, before, now = 0, len(self._woken), self._now()
            self._moved = time.monotonic()
            self._still.clear()
            try:
                found = await self.sweep(now)
            except (psycopg.Error, PoolTimeout) as error:
                log.warning("no sweep", error=type(error).__name__)
            else:
                OVERDUE.set(found)
                if found:
                    log.info("swept", games=found)
            finally:
                self._still.set()
            if not found:
                self._woken.clear()
                # by the same clock reading as the sweep: one that came a moment too early must come again
                after = now + timedelta(seconds=next_look(now))
                await asyncio.sleep((after - self._now()).total_seconds())
            else:
                await asyncio.sleep(AGAIN if len(self._woken) > before else LATER)

    async def sweep(self, now: datetime) -> int:
        """Wake every game that is overdue, many at once; answers with how many were found.

        Raises `psycopg.Error`, once those that were found before it have been asked.
        """
        found, room = 0, asyncio.Semaphore(AT_ONCE)
        unread: psycopg.Error | None = None

        async def ask(games: Sequence[GameId], kind: str) -> None:
            try:
                left = await self._wake(games, kind)
            finally:
                room.release()
            if woken := set(games).difference(left):
                self._woken |= woken
                self._moved = time.monotonic()

        async with asyncio.TaskGroup() as group, aclosing(self._overdue(overdue_since(now))) as pages:
            try:
                async for rows in pages:
                    new = [(game, kind) for game, kind in rows if game not in self._woken]
                    for kind, games in together(new):
                        await room.acquire()
                        group.create_task(ask(games, kind))
                    found += len(new)
            except psycopg.Error as error:
                unread = error  # the group would cancel the questions in work, and raise it wrapped
        if unread is not None:
            raise unread
        return found

    async def _overdue(self, since: datetime) -> AsyncGenerator[list[tuple[GameId, str]], None]:
        """All games whose time was then or before, a page at a time: the database looks for them once.

        Raises `psycopg.Error`.
        """
        async with (
            self._pool.connection() as connection,
            connection.transaction(),
            connection.cursor("overdue") as cursor,
        ):
            await cursor.execute(_OVERDUE, (since,))
            while rows := await cursor.fetchmany(PAGE):
                yield rows


def together(rows: Sequence[tuple[GameId, str]]) -> Iterator[tuple[str, Sequence[GameId]]]:
    """Games by kind and partition, no more at a time than one question may name."""
    parts: defaultdict[tuple[str, int], list[GameId]] = defaultdict(list)
    for game, kind in rows:
        parts[kind, subjects.partition(game)].append(game)
    for (kind, _), games in parts.items():
        questions = math.ceil(len(games) / TOGETHER)  # of about as many games each: storing few costs as much as many
        for number in range(questions):
            yield kind, games[number::questions]
