"""Signing in by a link in an e-mail: one use, a quarter of an hour, and only by a deliberate POST."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256

import structlog
from msgspec import Struct
from psycopg import errors

from libs.runtime import ids
from services.api import requests
from services.api.accounts import mails, players
from services.api.accounts.closing import require_open
from services.api.accounts.emails import address
from services.api.accounts.joining import Joined, Overtaken, join
from services.api.accounts.proven import Proven
from services.api.accounts.sessions import MOST_ALIASES, Session
from services.api.accounts.store import Me, new_session, settle
from services.api.database import Connection
from services.api.doc import answers, post, problems
from services.api.limits import CONFIRMATIONS_OF_ADDRESS, MAILS_OF_ADDRESS, MAILS_TO_RECIPIENT
from services.api.moves import Nothing
from services.api.news import News
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request, Visit

log = structlog.get_logger()

LIFETIME = timedelta(minutes=15)
TRIES = 3

_PUT = "insert into sign_ins (token, email, made_at) values (%s, %s, %s)"
_TAKE = "select email, made_at, used_by, player, new from sign_ins where token = %s for update"
_USE = "update sign_ins set used_at = %s, used_by = %s, player = %s, new = %s where token = %s"
_ALIASES = "select id from players where merged_into = %s order by id desc limit %s"


class Email(Struct, forbid_unknown_fields=True):
    """Where to send the link."""

    email: str


class Token(Struct, forbid_unknown_fields=True):
    """What stands behind the # of the link."""

    token: str


class SignedIn(Me, kw_only=True):
    """Who has signed in, and whether the account is new."""

    new: bool


@post(
    "/sign-in/email",
    summary="Ask for a sign-in link",
    status_code=202,
    responses=answers(Nothing, 202) | problems("email", "reads_down", "key_reused", "csrf"),
)
async def ask(request: Request, data: Email) -> Reply:
    """Send a link to this address. The answer is the same whether an account has it or not."""
    parts, visit = request.parts, request.visit
    email = address(data.email)
    parts.limits.special(MAILS_OF_ADDRESS, visit.address)
    parts.limits.special(MAILS_TO_RECIPIENT, email)
    now, token = parts.now(), ids.token()
    whose = visit.session.player if visit.session else parts.signer.digest(visit.address.encode()).hex()
    scope = f"sign-in:{whose}"
    async with parts.database.transaction() as connection:
        digest = parts.signer.digest(email.encode())
        if await requests.answered(connection, scope, visit.key, digest, now) is None:
            await connection.execute(_PUT, (_hash(token), email, now))
            await mails.send(
                connection,
                now,
                recipient=email,
                subject="Sign in to Wordyard",
                body=mails.SIGN_IN.format(url=f"{parts.settings.address}/sign-in#{token}"),
            )
    return reply({}, 202)


@post(
    "/sign-in/confirm",
    summary="Sign in",
    status_code=200,
    responses=answers(SignedIn)
    | problems("sign_in_unknown", "sign_in_used", "sign_in_expired", "account_closed", "reads_down", "csrf"),
)
async def confirm(request: Request, data: Token) -> Reply:
    """Use a link up, from whichever browser. The guest of this browser becomes the account, or joins it."""
    parts, visit = request.parts, request.visit
    parts.limits.special(CONFIRMATIONS_OF_ADDRESS, visit.address)
    done = await retried(lambda: _use(parts, visit, data.token))
    return reply(await told(parts, visit, done))


class Done(Struct, frozen=True, kw_only=True):
    """What a sign-in has come to."""

    session: Session
    row: players.Row
    new: bool
    ended: list[str]


async def retried(attempt: Callable[[], Awaitable[Done]]) -> Done:
    """What a transaction with `joining.join` in it comes to, begun again where that is called for."""
    for _ in range(TRIES):
        with suppress(errors.UniqueViolation, Overtaken):
            return await attempt()
    raise Problem("try_again", retry_after=1)


async def begun(connection: Connection, visit: Visit, joined: Joined, now: datetime) -> Done:
    """A new session for an account that somebody has signed in to. Raises `Problem` (account_closed)."""
    await require_open(connection, joined.player)
    aliases = await (await connection.execute(_ALIASES, (joined.player, MOST_ALIASES))).fetchall()
    session = await new_session(connection, visit, joined.player, now, aliases=tuple(id_ for (id_,) in aliases))
    row = await players.require_here(connection, joined.player)
    return Done(session=session, row=row, new=joined.new, ended=joined.ended)


async def told(parts: Parts, visit: Visit, done: Done) -> SignedIn:
    """Let everybody know of a sign-in, and this browser first of all: its session begins with the answer."""
    await parts.ended.end(*done.ended, replaced=True)
    await parts.board.tell(News(renamed=done.session.seats))
    parts.joins.hurry()
    log.info("signed in", player=done.row.id, new=done.new)
    me = settle(parts, visit, done.session, done.row)
    return SignedIn(player=me.player, csrf=me.csrf, new=done.new)


async def _use(parts: Parts, visit: Visit, token: str) -> Done:
    """Use a link up; with the request key that has used it, once more. Raises `Problem`."""
    now, used_by = parts.now(), _hash(visit.key)
    async with parts.database.transaction() as connection:
        found = await (await connection.execute(_TAKE, (_hash(token),))).fetchone()
        if found is None:
            raise Problem("sign_in_unknown")
        email, made_at, before, player, new = found
        if before is not None and bytes(before) != used_by:
            raise Problem("sign_in_used")
        if now >= made_at + LIFETIME:
            raise Problem("sign_in_expired")
        if before is None:
            joined = await join(connection, visit, Proven(email=email), now)
            await connection.execute(_USE, (now, used_by, joined.player, joined.new, _hash(token)))
        else:
            joined = Joined(player=player, new=new, ended=[])
        return await begun(connection, visit, joined, now)


def _hash(token: str) -> bytes:
    return sha256(token.encode()).digest()
