"""One hour to midnight: whoever has begun something today and not finished it is told, once a day."""

import asyncio
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import structlog
from psycopg import AsyncConnection
from psycopg.rows import class_row

from libs.core.calendar import close_of
from libs.core.messages import PlayerId
from libs.core.notices.occasions import nearing, oldest_game
from libs.runtime.clock import Clock
from services.solver.notices.queue import Message, Wish, put

LOOKS = 10.0  # seconds between two looks at the clock
PAGE = 500

log = structlog.get_logger()

_TOLD = "select last_hour from notice_progress where last_hour >= %s"
_UNFINISHED = """
select me.id as player, me.email, c.language, c.unsubscribe,
    me.email is not null and 'last_hour' = any(c.mail) as by_mail, 'last_hour' = any(c.push) as by_push
from notice_choices c join players me on me.id = c.player and not me.guest and me.gone_at is null
where c.player > %(after)s and 'last_hour' = any(c.mail || c.push)
and not exists (select 1 from moderation.players where player = c.player and closed)
and exists (
    select 1 from players seat join games.seats s on s.player = seat.id
    join games.games g on g.id = s.game and g.state in ('waiting', 'playing') and g.day = %(day)s
    where (seat.id = me.id or seat.merged_into = me.id) and s.game >= %(oldest)s and not s.finished
)
order by c.player limit %(page)s
"""
_DONE = "update notice_progress set last_hour = %s where last_hour is null or last_hour < %s"


async def keep_watch(url: str, address: str, now: Clock) -> None:
    """Look at the clock again and again, for ever. What downtime has missed is made up within the hour."""
    while True:
        if (day := nearing(now())) is not None:
            async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=2) as connection:
                if told := await tell(connection, day, address, now()):
                    log.info("told of the last hour", day=str(day), players=told)
        await asyncio.sleep(LOOKS)


async def tell(connection: AsyncConnection[Any], day: date, address: str, now: datetime) -> int:
    """Queue it for all who want to be told on this day, unless that was done; answers with how many they are.

    Raises `psycopg.Error`; those who are queued by then are not queued again.
    """
    if await (await connection.execute(_TOLD, (day,))).fetchone() is not None:
        return 0
    message = Message(occasion="last_hour", event=str(day), path="/", until=close_of(day))
    told, after = 0, ""
    while rows := await _page(connection, day, after):
        async with connection.transaction():
            for wish in rows:
                told += await put(connection, wish, message, address, now)
        after = rows[-1].player
    await connection.execute(_DONE, (day, day))
    return told


async def _page(connection: AsyncConnection[Any], day: date, after: PlayerId) -> Sequence[Wish]:
    asked = {"after": after, "day": day, "oldest": oldest_game(day), "page": PAGE}
    async with connection.cursor(row_factory=class_row(Wish)) as cursor:
        await cursor.execute(_UNFINISHED, asked)
        return await cursor.fetchall()
