"""Invites: a link to the first phase of a game. Looking at one changes nothing; taking it is a POST."""

from datetime import datetime
from typing import Any, Literal

import msgspec
from litestar import delete, get
from msgspec import Struct

from libs.core.calls import Answer, LookAtInvite
from libs.core.decider import Invitation
from libs.core.games import GAMES
from libs.core.messages import GameId
from libs.core.refusals import Reason, Refused
from libs.runtime.ids import new_id
from services.api.accounts import mails, players
from services.api.accounts.emails import address as email_address
from services.api.asking import ask, command, view_of
from services.api.doc import VIEW, answers, post, problems
from services.api.invite_tokens import game_of, token_of
from services.api.limits import INVITES_BY_MAIL, MAILS_OF_ADDRESS, MAILS_TO_RECIPIENT
from services.api.names import Player
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.seats import seats
from services.api.visits import Request, Visit

_invitation = msgspec.json.Decoder(Invitation)


class NewInvite(Struct, forbid_unknown_fields=True, kw_only=True):
    """A game to invite somebody to; with an address, the link is sent there."""

    kind: str
    secret: str | None = None
    email: str | None = None


class Acceptance(Struct, forbid_unknown_fields=True, kw_only=True):
    """The word that the maker shall find."""

    secret: str | None = None


class Invite(Struct, kw_only=True):
    """An invite as somebody with its link sees it; `game` only for those who sit there.

    One that is open for others is `unavailable` if the two cannot play with each other.
    """

    token: str
    url: str
    game: str | None
    kind: str
    state: Literal["open", "used", "withdrawn", "expired", "unavailable"]
    maker: Player
    expires_at: datetime
    yours: bool


GONE = ("invite_used", "invite_withdrawn", "invite_expired", "unknown_invite")


@post(
    "/invites",
    summary="Invite somebody",
    responses=answers(Invite, 201)
    | problems("letters", "not_a_secret", "secret_required", "email", "reads_down", "unauthorized", "try_again"),
)
async def invite(request: Request, data: NewInvite) -> Reply:
    """Make a game that waits for whoever takes the invite, for seven days."""
    parts, visit = request.parts, request.visit
    if data.kind not in GAMES:
        raise Problem("malformed", detail="No such kind of game.", where="$.kind")
    email = email_address(data.email) if data.email is not None else None
    if email:
        parts.limits.special(MAILS_OF_ADDRESS, visit.address)
        parts.limits.special(INVITES_BY_MAIL, visit.who.player)
        parts.limits.special(MAILS_TO_RECIPIENT, email)
    new = new_id()
    answer = await command(parts, visit, new, {"type": "open", "game": new, "secret": data.secret}, data.kind)
    made = await _shown(parts, visit, answer.game, answer)
    if email:
        await _mail(parts, made, answer.game, email)
    return reply(made, 201)


async def _mail(parts: Parts, made: Invite, game: GameId, email: str) -> None:
    """Send the link; once for a game, however often the request is repeated."""
    name = made.maker.name or "Somebody"
    async with parts.database.transaction() as connection:
        await players.require_here(connection, made.maker.id)
        sent = await mails.send(
            connection,
            parts.now(),
            recipient=email,
            subject=f"{name} challenges you to a duel of words",
            body=mails.INVITE.format(name=name, url=made.url, until=f"{made.expires_at:%d %B %Y, %H:%M} UTC"),
            dedupe=f"invite:{game}",
            names=[made.maker.id],
        )
        if not sent and not await mails.is_for(connection, f"invite:{game}", email):
            raise Refused(Reason.KEY_REUSED)


@get("/invites/{token:str}", summary="Look at an invite", responses=answers(Invite) | problems("unknown_invite"))
async def show(request: Request, token: str) -> Reply:
    """What anybody with the link may know. Looking never uses an invite up."""
    return reply(await _look(request.parts, request.visit, game_of(token, request.parts.settings.secret_key)))


@delete(
    "/invites/{token:str}",
    summary="Withdraw an invite",
    status_code=200,
    responses=answers(Invite) | problems(*GONE, "not_the_maker", "unauthorized", "csrf", "try_again"),
)
async def withdraw(request: Request, token: str) -> Reply:
    """Take an open invite back; only its maker can."""
    parts, visit = request.parts, request.visit
    game = game_of(token, parts.settings.secret_key)
    await command(parts, visit, game, {"type": "withdraw"})
    return reply(await _look(parts, visit, game))


@post(
    "/invites/{token:str}/accept",
    summary="Take an invite",
    status_code=200,
    responses=VIEW
    | problems(
        *GONE,
        "own_invite",
        "player_unavailable",
        "rival_game_exists",
        "letters",
        "not_a_secret",
        "secret_required",
        seat=True,
    ),
)
async def accept(request: Request, token: str, data: Acceptance) -> Reply:
    """Take the second seat with a secret of one's own; the game begins."""
    parts, visit = request.parts, request.visit
    game = game_of(token, parts.settings.secret_key)
    invitation = _invitation.decode((await ask(parts, LookAtInvite(game=game, received=visit.received))).body)
    if invitation.state == "open":
        await parts.blocks.require_none(visit.who.player, [invitation.maker])
    try:
        answer = await command(parts, visit, game, {"type": "accept", "secret": data.secret})
    except Problem as problem:
        if problem.code == Reason.UNKNOWN_GAME:
            raise Refused(Reason.UNKNOWN_INVITE) from None
        raise
    return await view_of(parts, answer)


async def _look(parts: Parts, visit: Visit, game: GameId) -> Invite:
    return await _shown(parts, visit, game, await ask(parts, LookAtInvite(game=game, received=visit.received)))


async def _shown(parts: Parts, visit: Visit, game: GameId, answer: Answer) -> Invite:
    """The invite that an answer tells of: by its body, or by the view of its maker."""
    token = token_of(game, parts.settings.secret_key)
    if answer.body:
        told = _invitation.decode(answer.body)
    else:
        view: dict[str, Any] = msgspec.json.decode(answer.seen[-1].view)
        until = datetime.fromisoformat(view["invite"]["expires_at"])
        told = Invitation(maker=answer.player, state=view["invite"]["state"], expires_at=until)
    mine = visit.session.seats if visit.session else ()
    if visit.session and not visit.session.guest and not set(mine) & set(answer.players):
        mine = await seats(parts, visit.session)
    maker = await parts.names.of([told.maker])
    viewer = visit.session.player if visit.session else told.maker
    barred = told.state == "open" and await parts.blocks.is_between(viewer, told.maker)
    return Invite(
        token=token,
        url=f"{parts.settings.address}/invite/{token}",
        game=game if set(mine) & set(answer.players) else None,
        kind=answer.kind,
        state="unavailable" if barred else told.state,  # type: ignore[arg-type]  # one of these
        maker=maker[told.maker],
        expires_at=told.expires_at,
        yours=told.maker in mine,
    )
