"""Whether operators let a player write in chats: one player, with all guests that they have been."""

from datetime import datetime

from libs.core.messages import PlayerId
from services.api.database import Database
from services.api.problems import Problem, ReadsDown

PATIENCE = 0.3  # seconds that a request waits for the answer
MOST = 50_000  # players remembered

MUTED = """
with own as (select coalesce(merged_into, id) as id from players where id = %s)
select m.muted_until from moderation.players m
where m.muted and (m.muted_until is null or m.muted_until > %s)
    and m.player in (select p.id from players p, own where p.id = own.id or p.merged_into = own.id)
order by m.muted_until desc nulls first limit 1
"""
"""The end of the mute that is in force for a player, whichever of their guests it was about, at an instant."""


class Muting:
    """Asks each time. While PostgreSQL is away it knows who was muted when last asked about."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._met: dict[PlayerId, datetime | None] = {}

    async def require_voice(self, player: PlayerId, now: datetime) -> None:
        """Go on if this player may write. Raises `Problem` (muted)."""
        try:
            rows = await self._database.rows(MUTED, (player, now), PATIENCE)
        except ReadsDown:
            rows = [(self._met[player],)] if player in self._met else []
        else:
            self._note(player, rows)
        for (until,) in rows:
            if until is None or until > now:
                raise Problem("muted", until=until)

    def _note(self, player: PlayerId, rows: list[tuple[datetime | None]]) -> None:
        self._met.pop(player, None)
        if rows:
            if len(self._met) >= MOST:
                self._met.pop(next(iter(self._met)))
            self._met[player] = rows[0][0]
