"""Sessions and tokens that have ended before their time: known in memory, so that no request has to ask.

A copy that has not read the table yet, since it started while PostgreSQL was away, does not know which they are. Until
it does, the gate lets nobody with a session through; copies that were there before go on.
"""

import asyncio
from datetime import UTC, datetime, timedelta

import structlog

from libs.runtime.clock import Clock
from services.api.accounts.sessions import LIFETIME, TOKEN_LIFETIME
from services.api.database import Connection, Database
from services.api.news import Board, News
from services.api.problems import Problem

log = structlog.get_logger()

EVERY = 3.0  # seconds between two looks into the table
OVERLAP = timedelta(minutes=1)  # a transaction may end later than its time says

AT_ONCE = 1000  # ids in one message between the copies
FORGET_EVERY = timedelta(hours=1)

_NEW = """
select id, ended_at + %(session)s from sessions where ended_at > %(since)s and ended_at > %(now)s - %(session)s
union all
select id, made_at + %(token)s from api_tokens where ended_at > %(since)s and made_at > %(now)s - %(token)s
"""  # and when each would have been worth nothing anyway
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class Ended:
    """The ids of sessions and tokens that are worth nothing any more."""

    def __init__(self, database: Database, board: Board, now: Clock) -> None:
        self._ids: dict[str, datetime] = {}  # and until when they must be remembered
        self._forget_at = now() + FORGET_EVERY
        self._database = database
        self._board = board
        self._now = now
        self._since: datetime | None = None  # what had ended before is known
        board.read_by(self._hear)

    def __contains__(self, session: str) -> bool:
        return session in self._ids

    @property
    def known(self) -> bool:
        """Do we know what has ended?"""
        return self._since is not None

    def _hear(self, news: News) -> None:
        self._ids |= dict.fromkeys(news.ended, self._now() + TOKEN_LIFETIME)

    async def end(self, *sessions: str, replaced: bool = False) -> None:
        """Let everybody know of sessions whose end is in the tables."""
        for start in range(0, len(sessions), AT_ONCE):
            await self._board.tell(News(ended=sessions[start : start + AT_ONCE], replaced=replaced))

    async def learn(self) -> None:
        """Learn of what has ended since the last time; nothing while PostgreSQL does not answer."""
        try:
            self._since = await self._look(self._since)
        except Problem:
            log.debug("ended sessions not read")

    async def keep(self) -> None:
        """Learn of what other copies have ended, for ever."""
        while True:
            await asyncio.sleep(EVERY)
            await self.learn()

    async def _look(self, since: datetime | None) -> datetime:
        now = self._now()
        asked = {"since": since or _LONG_AGO, "now": now, "session": LIFETIME, "token": TOKEN_LIFETIME}
        found = dict(await self._database.rows(_NEW, asked))
        if since is not None and (fresh := tuple(found.keys() - self._ids.keys())):
            self._board.here(News(ended=fresh))
        self._ids |= found
        if now >= self._forget_at:
            self._ids = {id_: until for id_, until in self._ids.items() if until > now}
            self._forget_at = now + FORGET_EVERY
        return now - OVERLAP


async def end_all(connection: Connection, player: str, now: datetime) -> list[str]:
    """End every session of a player in the tables; answers with their ids."""
    found = await (
        await connection.execute(
            "update sessions set ended_at = %s where player = %s and ended_at is null returning id", (now, player)
        )
    ).fetchall()
    return [id_ for (id_,) in found]
