"""POST and DELETE /session: playing as a guest, and signing out."""

import msgspec
from litestar import Response, delete
from msgspec import UNSET, Struct, UnsetType

from services.api import requests
from services.api.accounts import players
from services.api.accounts.sessions import Session
from services.api.accounts.store import Me, OwnPlayer, new_session, settle
from services.api.doc import DONE, answers, post, problems
from services.api.limits import GUESTS_OF_ADDRESS
from services.api.parts import Parts
from services.api.replies import Reply, empty, reply
from services.api.visits import Request, Visit

_END = "update sessions set ended_at = %(now)s where id = %(id)s and ended_at is null"
_REVOKE = "update api_tokens set ended_at = %(now)s where id = %(id)s and ended_at is null"


class Guest(Struct, forbid_unknown_fields=True, kw_only=True):
    """How to play: in a browser, or with a token for a program, which lasts 180 days."""

    token: bool = False


class NewGuest(Me, kw_only=True):
    """A guest; the token is there if one was asked for."""

    token: str | UnsetType = UNSET


@post(
    "/session/guest",
    summary="Play as a guest",
    responses=answers(NewGuest, 201, "A new guest")
    | answers(NewGuest, 200, "The player who is here already")
    | problems("reads_down", "key_reused", "csrf"),
)
async def guest(request: Request, data: Guest | None = None) -> Reply:
    """Make a guest: a cookie, or with `token` a bearer token and no cookie. Who has a session keeps it."""
    parts, visit = request.parts, request.visit
    by_token = data is not None and data.token
    if visit.session is not None:
        return reply(await _present(parts, visit, visit.session, by_token=by_token))
    parts.limits.special(GUESTS_OF_ADDRESS, visit.address)
    agent = visit.headers.get(b"user-agent", b"")
    scope = f"guest:{parts.signer.digest(visit.address.encode() + agent).hex()}"
    now = parts.now()
    async with parts.database.transaction() as connection:
        digest = parts.signer.digest(b"token" if by_token else b"cookie")
        known = await requests.answered(connection, scope, visit.key, digest, now)
        if known is None:
            row = await players.make_guest(connection, now)
            session = await new_session(connection, visit, row.id, now, guest=True)
            await requests.remember(connection, scope, visit.key, msgspec.json.encode(session))
        else:
            session = msgspec.json.decode(known, type=Session)
            row = await players.require_here(connection, session.player)
    me = settle(parts, visit, session, row, "token" if by_token else "cookie")
    token = parts.signer.token(session) if by_token else UNSET
    return reply(NewGuest(player=me.player, csrf=me.csrf, token=token), 201)


async def _present(parts: Parts, visit: Visit, session: Session, *, by_token: bool) -> NewGuest:
    names = await parts.names.of([session.player])
    own = OwnPlayer(id=session.player, name=names[session.player].name, guest=session.guest)
    token: str | UnsetType = UNSET
    if by_token and session.guest:
        token = parts.signer.token(session)
    return NewGuest(player=own, csrf=parts.signer.csrf(session.id), token=token)


@delete("/session", summary="Sign out", status_code=204, responses=DONE | problems("csrf", "reads_down"))
async def sign_out(request: Request) -> Response[None]:
    """End the session for good, wherever its cookie or token is."""
    parts, visit = request.parts, request.visit
    if visit.session is not None:
        asked = {"now": parts.now(), "id": visit.session.id}
        async with parts.database.transaction() as connection:
            await connection.execute(_END, asked)
            await connection.execute(_REVOKE, asked)
        await parts.ended.end(visit.session.id)
    visit.cookie = parts.signer.no_cookie()
    return empty()
