"""The leader's work: for each record of the log, the timer of its game."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import TypeAlias

import msgspec
import structlog
from msgspec import Struct

from libs.core import subjects
from libs.core.decoding import reader
from libs.core.messages import GameId
from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.ids import between
from libs.runtime.log import Log, Record, Rewound, Unread
from libs.runtime.metrics import FOLLOW_LAG, TIMERS_SET
from libs.runtime.storing import Down, Unknown
from libs.runtime.timers import set_timer
from services.scheduler.lease import Lease

GRACE = timedelta(seconds=2.5)
"""A timer rings this long after its time: what was received before it and is still under way gets in first."""
REMEMBERED = 200_000
"""Games whose timer we remember, so that a guess, which moves no deadline, sets none."""
CROWD = 25
"""So many games of one deadline have a timer at that time; more at once would stop play, and are woken together."""
SECOND_LINE = timedelta(seconds=45)
"""After so long those that can be woken together are closed; then the timers of the others begin to ring,"""
CROWD_RATE = 100  # so many a second.
INSTANTS = 10_000  # deadlines for which we remember how many games have them
AT_ONCE = 64
PACE = 0.1  # seconds, well within the grace, for which timers may wait to be set many at once
MEASURED = 5.0  # seconds between two looks at how far behind we are

Rest: TypeAlias = Callable[[], Awaitable[None]]
"""Waits for a while, as long as there is something more urgent than timers."""

log = structlog.get_logger()


class Due(Struct, frozen=True):
    """All that the scheduler reads of a commit."""

    due: datetime | None = None


_due = reader(Due)


class Timers:
    """Sets timers, unless they are set already as far as this copy remembers."""

    def __init__(self, connection: Connection, offset: timedelta) -> None:
        self._connection = connection
        self._offset = offset
        self._room = asyncio.Semaphore(AT_ONCE)
        self._known: OrderedDict[GameId, datetime] = OrderedDict()
        self._crowds: OrderedDict[datetime, int] = OrderedDict()

    async def take(self, records: Sequence[Record]) -> None:
        """Set the timers that these records ask for; insists while the broker is away.

        A game without a deadline keeps the timer that it has: it rings once in vain, and clears the chat of a game that
        ended before its midnight.
        """
        wanted: dict[tuple[str, GameId], datetime] = {}
        for record in records:
            if record.kind != subjects.CLAIM and (due := _read(record)) is not None:
                wanted[record.kind, record.game] = due
        async with asyncio.TaskGroup() as group:
            for (kind, game), due in wanted.items():
                if self._known.get(game) != due:
                    group.create_task(self._insist(kind, game, due))

    def forget(self) -> None:
        """Take no timer for set: they may have been lost with the records that they were set for."""
        self._known.clear()

    async def _insist(self, kind: str, game: GameId, due: datetime) -> None:
        async with self._room:
            while True:
                try:
                    await self.set(kind, game, due)
                except (Unknown, Down):
                    await asyncio.sleep(between(0.2, 0.6))
                else:
                    return

    async def set(self, kind: str, game: GameId, due: datetime) -> None:
        """Let this game be woken once this instant of the service's clock is well past. Raises `Unknown` or `Down`."""
        await set_timer(self._connection, kind, game, due + GRACE + self._behind(due), self._offset)
        TIMERS_SET.inc()
        self._known[game] = due
        self._known.move_to_end(game)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def _behind(self, due: datetime) -> timedelta:
        """How long one more timer for this instant waits for the others, since all at once would stop play."""
        crowd = self._crowds.get(due, 0) + 1
        self._crowds[due] = crowd
        self._crowds.move_to_end(due)
        if len(self._crowds) > INSTANTS:
            self._crowds.popitem(last=False)
        return SECOND_LINE + timedelta(seconds=(crowd - CROWD) / CROWD_RATE) if crowd > CROWD else timedelta()


def _read(record: Record) -> datetime | None:
    try:
        due: Due = _due(record.data)
        return due.due
    except msgspec.DecodeError:
        log.error("a record without a readable deadline", sequence=record.sequence, game=record.game)
        return None


async def follow(games: Log, timers: Timers, lease: Lease, rest: Rest | None = None) -> None:
    """Set the timers of all records after the lease's position, for ever, and move the position on."""
    async with _measuring(games, lease):
        while True:
            try:
                async for records in games.follow(lease.position + 1, pace=PACE):
                    if rest is not None:
                        await rest()
                    await timers.take(records)
                    lease.position = records[-1].sequence
            except Rewound:
                log.warning("the log is an older copy: all timers are set anew", position=lease.position)
                timers.forget()
                lease.position = 0


@asynccontextmanager
async def _measuring(games: Log, lease: Lease) -> AsyncIterator[None]:
    async def measure() -> None:
        while True:
            with suppress(Unread):
                FOLLOW_LAG.set(max(0, await games.last_sequence() - lease.position))
            await asyncio.sleep(MEASURED)

    measuring = asyncio.create_task(measure())
    try:
        yield
    finally:
        await end(measuring)
