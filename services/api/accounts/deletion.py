"""DELETE /me: an account goes, and everything personal with it."""

from contextlib import suppress
from typing import Annotated

from litestar import Response, delete
from msgspec import Meta, Struct

from libs.core.messages import PlayerId
from libs.core.refusals import Refused
from libs.runtime.bus import Unavailable
from libs.runtime.direct import Unread
from libs.runtime.storing import Down, Unknown
from services.api.accounts import own_chat
from services.api.accounts.erasing import erase, seats_of
from services.api.asking import command
from services.api.doc import DONE, problems
from services.api.news import News
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import empty
from services.api.visits import Request, Visit

MOST_WAITING = 200

_WAITING = """
select g.id::text, g.state from games.seats s join games.games g on g.id = s.game and g.state in ('invited', 'waiting')
where s.player = any(%s) order by g.id limit %s
"""
_END = {"invited": "withdraw", "waiting": "cancel"}
_AWAY = (Problem, Refused, Unavailable, Unread, Unknown, Down)


class Farewell(Struct, forbid_unknown_fields=True):
    """The account's own display name, typed in to confirm."""

    name: Annotated[str, Meta(max_length=100)]


@delete(
    "/me",
    summary="Delete the account",
    status_code=204,
    responses=DONE | problems("unauthorized", "not_confirmed", "reads_down", "try_again", "csrf"),
)
async def delete_account(request: Request, data: Farewell) -> Response[None]:
    """Name, address, sessions, tokens, mails, links and chat messages go at once; games stay under "deleted player"."""
    parts, visit = request.parts, request.visit
    account = visit.account.player
    async with parts.database.connection() as connection:
        seats = await seats_of(connection, account)
    await _require_name(parts, account, data.name)
    await own_chat.forget(parts, seats)
    await _end_waiting(parts, visit, seats)
    async with parts.database.transaction() as connection:
        gone, ended = await erase(connection, account, data.name, parts.now())
    await parts.ended.end(*ended)
    await parts.board.tell(News(renamed=tuple(gone)))
    with suppress(*_AWAY):  # what was said in the meantime; all chats are forgotten at midnight anyway
        await own_chat.forget(parts, seats)
    visit.cookie = parts.signer.no_cookie()
    return empty()


async def _require_name(parts: Parts, account: PlayerId, name: str) -> None:
    rows = await parts.database.rows("select name from players where id = %s", (account,))
    if rows != [(name,)]:
        raise Problem("not_confirmed")


async def _end_waiting(parts: Parts, visit: Visit, seats: list[PlayerId]) -> None:
    """Take open invites back, and end games that wait for a secret.

    One that stays for some reason is of no use: nobody begins to play with who is gone.
    """
    for game, state in await parts.database.rows(_WAITING, (seats, MOST_WAITING)):
        with suppress(*_AWAY):
            await command(parts, visit, game, {"type": _END[state]})
