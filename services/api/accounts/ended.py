"""Sessions and tokens that have ended before their time: known in memory, so that no request has to ask."""

import asyncio
from datetime import datetime, timedelta

import structlog

from libs.runtime.clock import Clock
from services.api.accounts.sessions import LIFETIME
from services.api.database import Connection, Database
from services.api.news import Board, News
from services.api.problems import ReadsDown

log = structlog.get_logger()

EVERY = 3.0  # seconds between two looks into the table
OVERLAP = timedelta(minutes=1)  # a transaction may end later than its time says

_NEW = """
select id, ended_at from sessions where ended_at > %(since)s
union all select id, ended_at from api_tokens where ended_at > %(since)s
"""
_ALL_TOKENS = "select id from api_tokens where ended_at is not null"


class Ended:
    """The ids of sessions and tokens that are worth nothing any more."""

    def __init__(self, database: Database, board: Board, now: Clock) -> None:
        self._ids: set[str] = set()
        self._database = database
        self._board = board
        self._now = now
        self._since: datetime | None = None  # what had ended before is known
        board.read_by(self._hear)

    def __contains__(self, session: str) -> bool:
        return session in self._ids

    def _hear(self, news: News) -> None:
        self._ids.update(news.ended)

    async def end(self, *sessions: str, replaced: bool = False) -> None:
        """Let everybody know of sessions whose end is in the tables."""
        if sessions:
            await self._board.tell(News(ended=sessions, replaced=replaced))

    async def learn(self) -> None:
        """Learn of what has ended since the last time; nothing while PostgreSQL does not answer."""
        try:
            self._since = await self._look(self._since)
        except ReadsDown:
            log.debug("ended sessions not read")

    async def keep(self) -> None:
        """Learn of what other copies have ended, for ever."""
        while True:
            await asyncio.sleep(EVERY)
            await self.learn()

    async def _look(self, since: datetime | None) -> datetime:
        now = self._now()
        if since is None:
            self._ids.update(id_ for (id_,) in await self._database.rows(_ALL_TOKENS))
        found = await self._database.rows(_NEW, {"since": since or now - LIFETIME})
        fresh = tuple(id_ for id_, _ in found if id_ not in self._ids)
        if fresh and since is not None:
            self._board.here(News(ended=fresh))
        self._ids.update(fresh)
        return now - OVERLAP


async def end_all(connection: Connection, player: str, now: datetime) -> list[str]:
    """End every session of a player in the tables; answers with their ids."""
    found = await (
        await connection.execute(
            "update sessions set ended_at = %s where player = %s and ended_at is null returning id", (now, player)
        )
    ).fetchall()
    return [id_ for (id_,) in found]
