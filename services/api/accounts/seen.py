"""On which day each session and token was last used: noted in memory by every request, written now and then."""

import asyncio
from datetime import date, datetime

import structlog

from services.api.database import Database
from services.api.problems import Problem

log = structlog.get_logger()

EVERY = 5.0  # seconds between two writings
MOST = 200_000  # sessions remembered as noted today; who is forgotten is only written once more

_WRITE = """
update {table} set seen_on = %(day)s where id in (
    select id from {table} where id = any(%(ids)s) and (seen_on is null or seen_on < %(day)s) for update skip locked
)
"""  # another copy may be writing the same rows in another order; it writes the same day
_SESSIONS, _TOKENS = _WRITE.format(table="sessions"), _WRITE.format(table="api_tokens")


class Seen:
    """Costs a request no more than a look into a set."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._day: date | None = None  # UTC
        self._noted: set[str] = set()
        self._waiting: dict[date, set[str]] = {}

    def note(self, session: str, at: datetime) -> None:
        """This session or token is used now (UTC)."""
        if session in self._noted and at.date() == self._day:
            return
        if at.date() != self._day or len(self._noted) >= MOST:
            self._day = at.date()
            self._noted.clear()
        self._noted.add(session)
        self._waiting.setdefault(self._day, set()).add(session)

    async def write(self) -> None:
        """Write what was noted; while PostgreSQL does not answer it is kept."""
        waiting, self._waiting = self._waiting, {}
        for day, sessions in waiting.items():
            asked = {"day": day, "ids": list(sessions)}
            try:
                async with self._database.connection() as connection:
                    await connection.execute(_SESSIONS, asked)
                    await connection.execute(_TOKENS, asked)
            except Problem:
                self._waiting.setdefault(day, set()).update(sessions)
                log.debug("use of sessions not written")

    async def keep(self) -> None:
        """Write again and again, for ever."""
        while True:
            await asyncio.sleep(EVERY)
            await self.write()
