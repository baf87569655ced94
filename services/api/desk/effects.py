"""What follows for sessions and names from what operators have done, as far as the tables of the log tell it.

It can be done again at any time and by any copy, so that nothing is left undone by one that dies, and what is done from
the command line takes effect too.
"""

import asyncio
from contextlib import suppress
from datetime import datetime

from psycopg import errors

from libs.core.messages import PlayerId
from libs.core.names import skeleton
from services.api.accounts import players
from services.api.accounts.erasing import seats_of
from services.api.news import News
from services.api.parts import Parts
from services.api.problems import Problem

EVERY = 3.0  # seconds between two looks

_CLOSED = """
(select player from moderation.players where closed
union all select p.id from moderation.players m join players p on p.merged_into = m.player where m.closed)
"""
_END = tuple(
    f"update {table} set ended_at = %s where ended_at is null and player in {_CLOSED} returning id"  # noqa: S608 - ours
    for table in ("sessions", "api_tokens")
)
_RENAMED = """
select p.id, m.renamed_at from moderation.players m join players p on p.id = m.player
where m.renamed_at is not null and p.gone_at is null and (p.renamed_at is null or p.renamed_at < m.renamed_at)
"""
_RENAME = """
update players set name = %(name)s, skeleton = %(skeleton)s, renamed_at = %(at)s
where id = %(id)s and gone_at is null and (renamed_at is null or renamed_at < %(at)s) returning id
"""


async def apply(parts: Parts) -> None:
    """End the sessions and tokens of closed accounts, and give other names to whom they were taken from.

    Raises `Problem`.
    """
    now, ended = parts.now(), []
    for query in _END:
        ended += [id_ for (id_,) in await parts.database.rows(query, (now,))]
    if ended:
        await parts.ended.end(*ended)
    for player, at in await parts.database.rows(_RENAMED):
        with suppress(errors.UniqueViolation):  # somebody has just taken the generated name; another one next time
            await _rename(parts, player, at)


async def keep(parts: Parts) -> None:
    """Do so again and again, for ever."""
    while True:
        await asyncio.sleep(EVERY)
        with suppress(Problem):
            await apply(parts)


async def _rename(parts: Parts, player: PlayerId, at: datetime) -> None:
    async with parts.database.transaction() as connection:
        name = await players.free_name(connection, player)
        asked = {"id": player, "name": name, "skeleton": skeleton(name), "at": at}
        if await (await connection.execute(_RENAME.encode(), asked)).fetchone() is None:
            return
        seats = await seats_of(connection, player)
    await parts.board.tell(News(renamed=tuple(seats)))
