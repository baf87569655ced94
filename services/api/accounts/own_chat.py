"""What somebody has written in chats that are still kept: to be told, or to be forgotten."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

import nats.errors
from msgspec import Struct

from libs.core import subjects
from libs.core.calls import TRY_AGAIN
from libs.core.messages import GameId, PlayerId
from libs.runtime import following
from libs.runtime.bus import Unavailable
from libs.runtime.direct import Record
from services.api import said
from services.api.parts import Parts
from services.api.problems import Problem

AT_ONCE = 16  # chats read at the same time
PATIENCE, PAUSE = 2.0, 0.05  # seconds in all for the tables to catch up with the log, and between two looks

_OPEN = """
select distinct g.id::text from games.seats s join games.games g on g.id = s.game
where s.player = any(%s) and g.state <> 'void' and (g.closes_at is null or g.closes_at > %s)
"""
_FOLDED = "select seq from positions where name = 'games'"


class Written(Struct, frozen=True, kw_only=True):
    """A message of one's own."""

    game: GameId
    text: str
    at: datetime


async def written(parts: Parts, seats: Sequence[PlayerId]) -> list[Written]:
    """All messages of this player. Raises `Problem`, `Unread` or `Unavailable`."""
    found = await _own(parts, seats)
    messages = [(game, said.decode(record.data)) for game, record in found]
    return [Written(game=game, text=one.text, at=one.at) for game, one in messages]


async def forget(parts: Parts, seats: Sequence[PlayerId]) -> None:
    """Remove all messages of this player, and no others.

    Raises `Problem`, `Unread`, `Unknown`, `Down` or `Unavailable`; doing it again does no harm.
    """
    await _wait_for_games(parts)
    for _, record in await _own(parts, seats):
        await parts.link.chats.remove(record.sequence)


async def _wait_for_games(parts: Parts) -> None:
    """Wait until the tables hold every game that there is now. Raises `Problem` (try_again) if that takes too long."""
    try:
        end = await following.last_sequence(parts.link.connection, subjects.GAMES)
    except nats.errors.Error:
        raise Unavailable from None
    for _ in range(int(PATIENCE / PAUSE)):
        folded = await parts.database.rows(_FOLDED)
        if folded and folded[0][0] >= end:
            return
        await asyncio.sleep(PAUSE)
    raise Problem(TRY_AGAIN, retry_after=1)


async def _own(parts: Parts, seats: Sequence[PlayerId]) -> list[tuple[GameId, Record]]:
    games = [game for (game,) in await parts.database.rows(_OPEN, (list(seats), parts.now()))]
    found: list[tuple[GameId, Record]] = []
    for start in range(0, len(games), AT_ONCE):
        some = games[start : start + AT_ONCE]
        chats = await asyncio.gather(*(parts.link.chats.read(game) for game in some))
        for game, records in zip(some, chats, strict=True):
            found += [(game, record) for record in records if said.decode(record.data).by in seats]
    return found
