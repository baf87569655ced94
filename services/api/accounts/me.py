"""GET and PATCH /me: who am I, and what do I want to be called."""

from litestar import get, patch
from msgspec import UNSET, Struct, UnsetType

from libs.core.names import BadName, clean_name, skeleton
from services.api.accounts import players
from services.api.accounts.sessions import Session
from services.api.accounts.store import OwnPlayer
from services.api.doc import answers, problems
from services.api.news import News
from services.api.parts import Parts
from services.api.problems import Problem, ReadsDown
from services.api.replies import Reply, reply
from services.api.visits import Request

_ME = "select id, name, email, guest, filter from players where id = %s"
_FILTER = "update players set filter = %s where id = %s"
_RESERVED = skeleton("guest ")


class Settings(Struct, kw_only=True):
    """A player's choices. `filter`: crude words in chat are starred."""

    filter: bool = True


class WhoAmI(Struct, kw_only=True):
    """Nobody, a guest, or an account with its own address."""

    player: OwnPlayer | None
    csrf: str | None
    email: str | UnsetType = UNSET
    settings: Settings


class Change(Struct, forbid_unknown_fields=True, kw_only=True):
    """What is to be changed. A name is for accounts alone."""

    name: str | UnsetType = UNSET
    filter: bool | UnsetType = UNSET


@get("/me", summary="Who am I?", responses=answers(WhoAmI) | problems())
async def me(request: Request) -> Reply:
    """The player of this session. While PostgreSQL is down it is told without address and choices."""
    return reply(await _who(request.parts, request.visit.session))


@patch(
    "/me",
    summary="Change name or choices",
    responses=answers(WhoAmI)
    | problems("unauthorized", "name_length", "name_letters", "name_taken", "name_crude", "reads_down", "csrf"),
)
async def change(request: Request, data: Change) -> Reply:
    """Change the display name, or whether chat is filtered."""
    parts, visit = request.parts, request.visit
    player = visit.who.player if data.name is UNSET else visit.account.player
    name = _name(data.name) if isinstance(data.name, str) else None
    async with parts.database.transaction() as connection:
        own = await players.require_here(connection, player)
        if name is not None:
            if skeleton(name).startswith(_RESERVED) and name != own.name:
                raise Problem("name_taken")
            await players.rename(connection, player, name)
        if isinstance(data.filter, bool):
            await connection.execute(_FILTER, (data.filter, player))
    if name is not None:
        await parts.board.tell(News(renamed=visit.who.seats))
    return reply(await _who(parts, visit.session))


def _name(text: str) -> str:
    try:
        return clean_name(text)
    except BadName as bad:
        raise Problem(bad.code) from None


async def _who(parts: Parts, session: Session | None) -> WhoAmI:
    if session is None:
        return WhoAmI(player=None, csrf=None, settings=Settings())
    csrf = parts.signer.csrf(session.id)
    try:
        rows = await parts.database.rows(_ME, (session.player,))
    except ReadsDown:
        name = (await parts.names.of([session.player]))[session.player].name
        own = OwnPlayer(id=session.player, name=name, guest=session.guest)
        return WhoAmI(player=own, csrf=csrf, settings=Settings())
    if not rows:
        return WhoAmI(player=None, csrf=None, settings=Settings())
    [[id_, name, email, guest, filtered]] = rows
    own = OwnPlayer(id=id_, name=name, guest=guest)
    return WhoAmI(player=own, csrf=csrf, email=email or UNSET, settings=Settings(filter=filtered))
