"""Who is an operator, and how one acts: by a command to the log, whose effects the tables then have."""

import asyncio
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from libs.core.calls import Do
from libs.core.games.person.state import KIND
from libs.core.messages import PlayerId
from services.api.accounts.sessions import Session
from services.api.asking import ask
from services.api.desk import effects
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.visits import Request, Visit

LOOKS, PAUSE = 50, 0.05  # how often we look whether the tables have followed the log, with so many seconds between

_EMAIL = """
select email from players p where id = %s and not guest and gone_at is null
    and not exists (select 1 from moderation.players m where m.player = p.id and m.closed)
"""
ACCOUNT_OF = "select coalesce(merged_into, id) from players where id = %s"
_FOLDED = "select 1 from positions where name = 'moderation' and seq >= %s"


async def operator(request: Request) -> Session:
    """The session of an operator. Raises `Problem` (unauthorized, not_an_operator, reads_down)."""
    parts, session = request.parts, request.visit.account
    named = {one.strip().lower() for one in parts.settings.operators}
    rows = await parts.database.rows(_EMAIL, (session.player,))
    if not rows or not named & {session.player, (rows[0][0] or "").lower()} - {""}:
        raise Problem("not_an_operator")
    return session


async def account_of(parts: Parts, player: PlayerId) -> PlayerId:
    """The account that this player is a part of, or the player. Raises `Problem` (unknown_player)."""
    rows = await parts.database.rows(ACCOUNT_OF, (player,))
    if not rows:
        raise Problem("unknown_player")
    account: PlayerId = rows[0][0]
    return account


async def act(parts: Parts, visit: Visit, player: PlayerId, what: dict[str, Any]) -> None:
    """Do something about a player, and wait until it has its effect.

    Raises `Problem` or `Unavailable`; the same with the same key then settles it.
    """
    command = Raw(msgspec.json.encode({**what, "player": player}))
    person = replace(visit.person, operator=True)
    do = Do(game=player, by=person, key=visit.key, received=visit.received, command=command, kind=KIND)
    answer = await ask(parts, do)
    await _folded(parts, answer.sequence)
    await effects.apply(parts)


async def _folded(parts: Parts, sequence: int) -> None:
    for _ in range(LOOKS):
        if not sequence or await parts.database.rows(_FOLDED, (sequence,)):
            return
        await asyncio.sleep(PAUSE)
    raise Problem("try_again", retry_after=1)
