"""Whether one of two players has blocked the other, is gone or closed: then neither invites nor writes to the other."""

from collections.abc import Iterable

from libs.core.messages import PlayerId
from services.api.database import Database
from services.api.problems import Problem, ReadsDown

PATIENCE = 0.3  # seconds that a request waits for the answer
MOST = 50_000  # pairs remembered

_BETWEEN = """
with both_of_them as (select coalesce(merged_into, id) as id from players where id = any(%s))
select exists (select 1 from blocks where player in (table both_of_them) and blocked in (table both_of_them))
    or exists (select 1 from players where id in (table both_of_them) and gone_at is not null)
    or exists (select 1 from moderation.players where player in (table both_of_them) and closed)
"""


class Blocks:
    """Asks each time. While PostgreSQL is away it knows the pairs that this copy has met, and takes others for free."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._met: dict[frozenset[PlayerId], bool] = {}

    async def require_none(self, one: PlayerId, players: Iterable[PlayerId]) -> None:
        """Go on if nothing is between one and these. Raises `Problem` (player_unavailable), which does not say who."""
        for other in players:
            if await self.is_between(one, other):
                raise Problem("player_unavailable")

    async def is_between(self, one: PlayerId, other: PlayerId) -> bool:
        """Is anything between these two?"""
        if one == other:
            return False
        pair = frozenset((one, other))
        try:
            [[blocked]] = await self._database.rows(_BETWEEN, (list(pair),), PATIENCE)
        except ReadsDown:
            return self._met.get(pair, False)
        if len(self._met) >= MOST:
            self._met.pop(next(iter(self._met)))
        self._met[pair] = bool(blocked)
        return bool(blocked)
