"""How things stand with a player, and what operators have done about them."""

from datetime import datetime
from typing import Any

from msgspec import Struct

from libs.core.facts import Action
from libs.core.messages import GameId, PlayerId
from services.api.accounts.erasing import SEATS
from services.api.accounts.muting import MUTED
from services.api.names import Player
from services.api.parts import Parts

MOST = 200  # actions, the newest ones

_PLAYER = """
select guest, gone_at is not null,
    exists (select 1 from moderation.players m where m.closed and m.player = p.id)
from players p where id = %s
"""
_ACTIONS = f"""
select at, by, what, why, until, in_game::text, message, upheld, version from moderation.actions
where person = any(array({SEATS})::uuid[]) order by seq desc limit {MOST}
"""  # noqa: S608 - our own query


class Done(Struct, kw_only=True):
    """Something that an operator has done. Only a few of the last five are set, as `what` it was calls for."""

    at: datetime
    by: Player
    what: Action
    why: str
    until: datetime | None
    game: GameId | None
    message: str | None
    upheld: bool | None
    version: int | None


class Standing(Struct, kw_only=True):
    """A player as operators see them. `muted_until` is null for good, and where nobody is muted."""

    player: Player
    guest: bool
    deleted: bool
    closed: bool
    muted: bool
    muted_until: datetime | None
    actions: list[Done]


async def standing(parts: Parts, account: PlayerId) -> Standing:
    """How things stand with this account or guest, with what was done, the newest first. Raises `Problem`."""
    [[guest, deleted, closed]] = await parts.database.rows(_PLAYER, (account,))
    muted = await parts.database.rows(MUTED, (account, parts.now()))
    actions = await parts.database.rows(_ACTIONS, {"me": account})
    people = await parts.names.of({account, *(row[1] for row in actions)})
    return Standing(
        player=people[account],
        guest=guest,
        deleted=deleted,
        closed=closed,
        muted=bool(muted),
        muted_until=muted[0][0] if muted else None,
        actions=[_done(row, people) for row in actions],
    )


def _done(row: tuple[Any, ...], people: dict[PlayerId, Player]) -> Done:
    at, by, what, why, until, game, message, upheld, version = row
    return Done(
        at=at,
        by=people[by],
        what=what,
        why=why,
        until=until,
        game=game,
        message=message,
        upheld=upheld,
        version=version,
    )
