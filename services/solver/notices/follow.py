"""Looks at every record of the log once, for what it is worth telling: one copy leads, the others stand by."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import aclosing, suppress
from datetime import datetime
from typing import Any

import msgspec
import nats.errors
import psycopg
import structlog
from msgspec import Struct
from psycopg import AsyncConnection

from libs.core import subjects
from libs.core.facts import Fact
from libs.core.games import GAMES
from libs.core.history import Newer, UnknownKind, read
from libs.core.messages import Commit, GameId, PlayerId
from libs.core.notices.occasions import OLDEST, Notice, concerns, notices
from libs.runtime import bus
from libs.runtime.clock import Clock
from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.ids import between
from libs.runtime.log import Log, Record, Rewound, Unread
from libs.runtime.metrics import NOTICES, NOTICES_LAG, NOTICES_LEADER
from libs.runtime.settings import Settings
from services.solver.notices import hour
from services.solver.notices.queue import Message, put, wish

BATCH = 500
PACE = 0.25  # seconds from one look to the next while there is little to do
STAND_BY = 1.0  # seconds between two looks whether the leader is gone
MEASURED = 5.0  # seconds between two looks at how far behind we are
TURNED_AWAY = 30.0  # seconds before a broker that will not have us is asked again

log = structlog.get_logger()

_LEAD = "select pg_try_advisory_lock(hashtextextended('notices', 0))"
_BEGIN = "insert into notice_progress (seq) values (%s) on conflict do nothing"
_LEAVE = "select pg_advisory_unlock(hashtextextended('notices', 0))"
_POSITION = "select seq from notice_progress"
_LOCKED = "select seq from notice_progress for update"
_MOVE = "update notice_progress set seq = %s"
_IDLE = """
select g.id::text from games.games g where g.id = any(%s::uuid[]) and g.began_at is not null and not exists (
    select 1 from games.seats s join players p on p.id = s.player
    join notice_choices c on c.player = coalesce(p.merged_into, p.id) where s.game = g.id
)
"""


class _Told(Struct, frozen=True):
    """What a record says: by whose command, when, and each fact with the instant of its event."""

    by: PlayerId
    at: datetime
    facts: Sequence[tuple[datetime, Fact]]


class Overtaken(Exception):
    """The position is not where we left it: another copy leads."""


class Notifier:
    """Follows the log and the clock as long as it leads; nothing that it does is done twice, whoever else does it."""

    def __init__(self, settings: Settings, now: Clock) -> None:
        self._settings = settings
        self._now = now
        self._position = 0

    async def keep(self) -> None:
        """Lead whenever nobody else does, for ever; waits while PostgreSQL or the broker is away."""
        while True:
            broker = await bus.connect(self._settings, "worker")
            try:
                while not broker.is_closed:
                    await self._lead(broker)
                    await asyncio.sleep(between(0.2, 0.6))
            finally:
                await broker.close()
            log.error("no notices: the broker turns us away")
            await asyncio.sleep(TURNED_AWAY)

    async def _lead(self, broker: Connection) -> None:
        try:
            url = self._settings.postgres_url
            async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=2) as connection:
                await self._wait_for_lead(connection)
                NOTICES_LEADER.set(1)
                await self._work(connection, Log(broker))
        except (psycopg.Error, OSError, nats.errors.Error, Unread, Overtaken) as error:
            log.warning("notices wait", error=type(error).__name__)
        except Exception:  # mail and other tasks must go on; the lag and this line are the alarm
            log.exception("notices failed", position=self._position)
        finally:
            NOTICES_LEADER.set(0)
            NOTICES_LAG.set(0)

    async def _wait_for_lead(self, connection: AsyncConnection[Any]) -> None:
        """Wait until no other copy leads; for efficiency alone, the position keeps us right."""
        while True:
            if await (await connection.execute(_LEAD)).fetchone() == (True,):
                return
            await asyncio.sleep(STAND_BY)

    async def _work(self, connection: AsyncConnection[Any], games: Log) -> None:
        """Follow and watch until one of the two fails. Raises what it has failed with."""
        works = [
            asyncio.create_task(self.follow(connection, games)),
            asyncio.create_task(hour.keep_watch(self._settings.postgres_url, self._settings.address, self._now)),
            asyncio.create_task(self._measure(games)),
        ]
        try:
            await next(asyncio.as_completed(works))
        finally:
            await end(*works)

    async def follow(self, connection: AsyncConnection[Any], games: Log) -> None:
        """Queue what the records after the position are worth telling, for ever, and move the position on.

        The first time it begins at the log's end. If the log is an older copy, it goes on from the end of that.
        """
        newest = await games.last_sequence()
        await connection.execute(_BEGIN, (newest,))
        row = await (await connection.execute(_POSITION)).fetchone()
        self._position = int(row[0]) if row else newest
        log.info("looks for notices", position=self._position)
        try:
            async with aclosing(games.follow(self._position + 1, BATCH)) as arriving:
                async for records in arriving:
                    began = time.monotonic()
                    try:
                        await self.take(connection, games, records)
                    except Newer:
                        break
                    if len(records) < BATCH:
                        await asyncio.sleep(max(0.0, began + PACE - time.monotonic()))
        except Rewound:
            log.warning("the log is an older copy: what is new in it begins now", position=self._position)
            await connection.execute(_MOVE, (await games.last_sequence(),))
        else:
            await self._stand_back(connection, games, records)

    async def _stand_back(self, connection: AsyncConnection[Any], games: Log, records: Sequence[Record]) -> None:
        """Take what is before the first of these that a newer release must read, and let a newer copy lead on."""
        for record in records:
            try:
                await self.take(connection, games, [record])
            except Newer:
                break
        log.error("notices stand back", sequence=record.sequence, reason="of a newer release")
        await connection.execute(_LEAVE)
        NOTICES_LEADER.set(0)
        while self._position < record.sequence:
            await asyncio.sleep(STAND_BY)
            row = await (await connection.execute(_POSITION)).fetchone()
            self._position = int(row[0]) if row else self._position

    async def take(self, connection: AsyncConnection[Any], games: Log, records: Sequence[Record]) -> None:
        """Queue what these records are worth telling, and move the position to the last: all or nothing.

        Raises `Overtaken`, `Unread` or `psycopg.Error`, and `Newer` if a newer copy must read one of them.
        """
        concerned = {record: told for record in records if (told := self._concern(record))}
        idle = await self._idle(connection, concerned)
        found = [
            (record, notice)
            for record, told in concerned.items()
            if record.game not in idle
            for notice in await self._notices(games, record, told)
        ]
        async with connection.transaction():
            if await (await connection.execute(_LOCKED)).fetchone() != (self._position,):
                raise Overtaken
            for record, notice in found:
                await self._queue(connection, record, notice)
            await connection.execute(_MOVE, (records[-1].sequence,))
        self._position = records[-1].sequence

    async def _queue(self, connection: AsyncConnection[Any], record: Record, notice: Notice) -> None:
        now = self._now()
        if notice.is_late(now):
            NOTICES.labels(notice.occasion, "late").inc()
            return
        wanted = await wish(connection, notice)
        if wanted is None:
            NOTICES.labels(notice.occasion, "unwanted").inc()
            return
        event, path = f"{record.game}:{record.sequence}", f"/game/{record.game}"
        message = Message(occasion=notice.occasion, event=event, path=path, until=notice.until)
        await put(connection, wanted, message, self._settings.address, now)

    async def _idle(self, connection: AsyncConnection[Any], records: Iterable[Record]) -> set[GameId]:
        """Which of these games nobody wants to hear of: those that the tables know with both players."""
        ids = [record.game for record in records]
        return {game for (game,) in await (await connection.execute(_IDLE, (ids,))).fetchall()} if ids else set()

    def _concern(self, record: Record) -> _Told | None:
        """What a record says, if that may be worth telling. What cannot be read tells nothing."""
        if record.kind == subjects.CLAIM or (told := _told(record)) is None:
            return None
        late = self._now() - told.at > OLDEST
        return told if not late and concerns(fact for _, fact in told.facts) else None

    async def _notices(self, games: Log, record: Record, told: _Told) -> list[Notice]:
        """What a record is worth telling, for which its whole game is read."""
        history = [
            _told(each) for each in await games.load(record.game, record.kind) if each.sequence < record.sequence
        ]
        if not all(history):
            return []
        before = [fact for each in history if each for _, fact in each.facts]
        return list(notices(before, told.facts, told.by))

    async def _measure(self, games: Log) -> None:
        while True:
            with suppress(Unread):
                NOTICES_LAG.set(max(0, await games.last_sequence() - self._position))
            await asyncio.sleep(MEASURED)


def _told(record: Record) -> _Told | None:
    """What a record says; none if nobody can read it. Raises `Newer`."""
    try:
        commit: Commit[Any] = read(record.kind, record.data)
    except (UnknownKind, msgspec.DecodeError) as error:
        log.error("a record tells nothing", sequence=record.sequence, error=type(error).__name__)
        return None
    facts = [(event.at, fact) for event in commit.events for fact in GAMES[record.kind].facts(event)]
    return _Told(commit.by, commit.at, facts)
