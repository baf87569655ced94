"""GET, POST and DELETE /blocks: players of whom one does not want to hear."""

from contextlib import suppress
from datetime import date

from litestar import Response, delete, get
from msgspec import Struct

from libs.core.messages import PlayerId
from libs.runtime.bus import Unavailable
from services.api.accounts import players
from services.api.asking import command
from services.api.database import Connection
from services.api.doc import DONE, answers, post, problems
from services.api.names import Player
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, empty, reply
from services.api.visits import Request, Visit

MOST = 1000  # blocked by one player

_WHO = """
select id, name from players
where id = (select coalesce(merged_into, id) from players where id = %s) and gone_at is null
"""
_COUNT = "select count(*) from blocks where player = %s"
_BLOCK = "insert into blocks (player, blocked, made_at) values (%s, %s, %s) on conflict do nothing"
_SINCE = "select made_at from blocks where player = %s and blocked = %s"
_LIST = """
select blocked, name, b.made_at from blocks b left join players on id = blocked
where player = %s order by b.made_at desc, blocked
"""
_WAITING = """
select g.id::text from games.seats me join games.games g on g.id = me.game and g.state = 'waiting'
join games.seats them on them.game = me.game and them.seat <> me.seat
where me.player = %(me)s and them.player = %(them)s
"""
_UNBLOCK = """
delete from blocks where player = %s and blocked in (%s, (select merged_into from players where id = %s))
returning blocked
"""


class Whom(Struct, forbid_unknown_fields=True):
    """Whom to block, by any id under which they sit at a game."""

    player_id: PlayerId


class Block(Struct, kw_only=True):
    """Somebody who is blocked, and since which day (UTC)."""

    player: Player
    since: date


class AllBlocks(Struct):
    """Everybody whom one has blocked, the newest first."""

    blocks: list[Block]


@get("/blocks", summary="List blocked players", responses=answers(AllBlocks) | problems("unauthorized", "reads_down"))
async def blocks(request: Request) -> Reply:
    """Whom one has blocked; nobody else learns of it."""
    rows = await request.parts.database.rows(_LIST, (request.visit.who.player,))
    return reply(AllBlocks([Block(player=Player(id_, name), since=made.date()) for id_, name, made in rows]))


@post(
    "/blocks",
    summary="Block a player",
    responses=answers(Block, 201) | problems("unauthorized", "unknown_player", "reads_down", "csrf"),
)
async def block(request: Request, data: Whom) -> Reply:
    """From now on neither invites nor writes to the other; open invites between the two, and games that wait, close."""
    parts, own = request.parts, request.visit.who
    async with parts.database.transaction() as connection:
        found = await (await connection.execute(_WHO, (data.player_id,))).fetchone()
        if found is None or found[0] in own.seats:
            raise Problem("unknown_player")
        row = await players.require_here(connection, own.player)
        me = row.merged_into or row.id  # a guest may have joined an account just now
        await _require_room(connection, me)
        await connection.execute(_BLOCK, (me, found[0], parts.now()))
        since = await (await connection.execute(_SINCE, (me, found[0]))).fetchone()
    assert since is not None  # noqa: S101 - it was written above
    await _cancel(parts, request.visit, found[0])
    return reply(Block(player=Player(*found), since=since[0].date()), 201)


async def _cancel(parts: Parts, visit: Visit, other: PlayerId) -> None:
    """End the games that wait for a secret of one of the two.

    One that is left waits in vain until its midnight: nobody can set the secret now. Raises `Problem` (reads_down).
    """
    for (game,) in await parts.database.rows(_WAITING, {"me": visit.who.player, "them": other}):
        with suppress(Problem, Unavailable):
            await command(parts, visit, game, {"type": "cancel"})


async def _require_room(connection: Connection, player: PlayerId) -> None:
    count = await (await connection.execute(_COUNT, (player,))).fetchone()
    if count is not None and count[0] >= MOST:
        raise Problem("rate_limited", retry_after=3600)


@delete(
    "/blocks/{player_id:str}",
    summary="Unblock a player",
    status_code=204,
    responses=DONE | problems("unauthorized", "not_found", "reads_down", "csrf"),
)
async def unblock(request: Request, player_id: str) -> Response[None]:
    """Both can invite and write again; games that were closed stay so."""
    asked = (request.visit.who.player, player_id, player_id)
    if not await request.parts.database.rows(_UNBLOCK, asked):
        raise Problem("not_found")
    return empty()
