"""GET and PUT /me/notices: of what an account wants to be told, and how. And the way to get no more mails."""

from typing import Annotated

import litestar
from litestar import get, put
from msgspec import Meta, Struct

from libs.core.messages import PlayerId
from libs.core.notices.occasions import OCCASIONS, Occasion
from libs.runtime import ids
from services.api.accounts import players
from services.api.accounts.push import Browser, browsers
from services.api.doc import answers, post, problems
from services.api.languages import language
from services.api.moves import Nothing
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request

_CHOSEN = """
select coalesce(mail, '{}'), coalesce(push, '{}'), email is not null
from players left join notice_choices on player = id where id = %s
"""
_CHOOSE = """
insert into notice_choices (player, mail, push, language, unsubscribe)
values (%(player)s, %(mail)s, %(push)s, %(language)s, %(token)s)
on conflict (player) do update set mail = excluded.mail, push = excluded.push, language = excluded.language
"""
_SPEAK = "update push_subscriptions set language = %(language)s where player = %(player)s"
_STOP = "update notice_choices set mail = '{}' where unsubscribe = %s returning player"
_TAKE_BACK = """
delete from mails where id in (
    select m.id from mails m join players p on p.email = m.recipient and p.id = %s
    where m.recipient <> '' and m.unsubscribe <> '' and m.state = 'new' for update of m skip locked
)
"""


class Choices(Struct, forbid_unknown_fields=True, kw_only=True):
    """The occasions to be told of by mail, and those by push messages."""

    mail: Annotated[list[Occasion], Meta(max_length=len(OCCASIONS))]
    push: Annotated[list[Occasion], Meta(max_length=len(OCCASIONS))]


class Notices(Struct, kw_only=True):
    """What is chosen; `address`: the account has one for mails; `key`: to subscribe a browser with, null if none."""

    mail: list[Occasion]
    push: list[Occasion]
    address: bool
    key: str | None
    browsers: list[Browser]


class Token(Struct, forbid_unknown_fields=True):
    """The last part of the link in a mail."""

    token: Annotated[str, Meta(max_length=100)]


@get(
    "/me/notices",
    summary="See what one is told of",
    responses=answers(Notices) | problems("unauthorized", "reads_down"),
)
async def notices(request: Request) -> Reply:
    """The account's choices, and the browsers that show push messages. Nothing is chosen until it is asked for."""
    return reply(await _notices(request.parts, request.visit.account.player))


@put(
    "/me/notices",
    summary="Choose what to be told of",
    responses=answers(Notices) | problems("unauthorized", "reads_down", "csrf"),
)
async def choose(request: Request, data: Choices) -> Reply:
    """From now on just this, in the language of this request."""
    parts, player = request.parts, request.visit.account.player
    chosen = {
        "player": player,
        "mail": _in_order(data.mail),
        "push": _in_order(data.push),
        "language": language(request.visit.headers),
        "token": ids.token(),
    }
    async with parts.database.transaction() as connection:
        await players.require_here(connection, player)
        await connection.execute(_CHOOSE, chosen)
        await connection.execute(_SPEAK, chosen)
    return reply(await _notices(parts, player))


@post(
    "/notices/unsubscribe",
    summary="No more mails",
    status_code=200,
    responses=answers(Nothing) | problems("unsubscribe_unknown", "reads_down", "csrf"),
)
async def unsubscribe(request: Request, data: Token) -> Reply:
    """Whoever has the link of a mail ends all notices by mail to its account; no session is needed."""
    await _stop(request.parts, data.token)
    return reply({})


@litestar.post("/unsubscribe/{token:str}", status_code=200, include_in_schema=False)
async def one_click(request: Request, token: str) -> Reply:
    """The same for programs that read mail (RFC 8058). A GET of this address is a page, and changes nothing."""
    await _stop(request.parts, token)
    return reply({})


async def _notices(parts: Parts, player: PlayerId) -> Notices:
    rows = await parts.database.rows(_CHOSEN, (player,))
    if not rows:
        raise Problem("unauthorized")
    [[mail, push, address]] = rows
    return Notices(
        mail=mail, push=push, address=address, key=parts.push_key, browsers=await browsers(parts.database, player)
    )


async def _stop(parts: Parts, token: str) -> None:
    """End the mails of whoever has this token, also those on their way. Raises `Problem`."""
    async with parts.database.transaction() as connection:
        account = await (await connection.execute(_STOP, (token,))).fetchone()
        if account is None:
            raise Problem("unsubscribe_unknown")
        await connection.execute(_TAKE_BACK, account)


def _in_order(occasions: list[Occasion]) -> list[Occasion]:
    return [each for each in OCCASIONS if each in occasions]
