"""Signing in by a link in an e-mail: one use, a quarter of an hour, and only by a deliberate POST."""

from datetime import datetime, timedelta
from hashlib import sha256

import structlog
from msgspec import Struct
from psycopg import errors

from libs.core.messages import PlayerId
from libs.runtime import ids
from services.api import requests
from services.api.accounts import mails, players
from services.api.accounts.emails import address
from services.api.accounts.ended import end_all
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
    scope = f"sign-in:{visit.session.player if visit.session else visit.address}"
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
    responses=answers(SignedIn) | problems("sign_in_unknown", "sign_in_used", "sign_in_expired", "reads_down", "csrf"),
)
async def confirm(request: Request, data: Token) -> Reply:
    """Use a link up, from whichever browser. The guest of this browser becomes the account, or joins it."""
    parts, visit = request.parts, request.visit
    parts.limits.special(CONFIRMATIONS_OF_ADDRESS, visit.address)
    for attempt in range(TRIES):
        try:
            done = await _use(parts, visit, data.token)
        except errors.UniqueViolation:  # somebody has just taken the same generated name
            if attempt == TRIES - 1:
                raise
        else:
            break
    await parts.ended.end(*done.ended, replaced=True)
    await parts.board.tell(News(renamed=done.session.seats))
    log.info("signed in", player=done.row.id, new=done.new)
    me = settle(parts, visit, done.session, done.row)
    return reply(SignedIn(player=me.player, csrf=me.csrf, new=done.new))


class Done(Struct, frozen=True, kw_only=True):
    """What has become of a link that was used."""

    session: Session
    row: players.Row
    new: bool
    ended: list[str]


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
        ended: list[str] = []
        if before is None:
            player, new, ended = await _join(connection, visit, email, now)
            await connection.execute(_USE, (now, used_by, player, new, _hash(token)))
        aliases = await (await connection.execute(_ALIASES, (player, MOST_ALIASES))).fetchall()
        session = await new_session(connection, player, now, aliases=tuple(id_ for (id_,) in aliases))
        row = await players.find(connection, "id", player)
    assert row is not None  # noqa: S101 - it was made or found above
    return Done(session=session, row=row, new=new, ended=ended)


async def _join(connection: Connection, visit: Visit, email: str, now: datetime) -> tuple[PlayerId, bool, list[str]]:
    """The account of an address, made if there is none; and the sessions that have ended by it."""
    await connection.execute("select pg_advisory_xact_lock(hashtext(%s))", (email,))  # two links for one new account
    account = await players.find(connection, "email", email)
    guest = await players.find(connection, "id", visit.session.player) if visit.session else None
    if guest is not None and (not guest.guest or guest.merged_into):
        guest = None  # an account that signs in to another one stays what it is
    if account is None:
        new = guest or await players.make_guest(connection, now)
        await players.promote(connection, new, email)
        return new.id, True, await _end(connection, visit, guest, now)
    if guest is not None:
        await players.merge(connection, guest.id, account.id)
    return account.id, False, await _end(connection, visit, guest, now)


async def _end(connection: Connection, visit: Visit, guest: players.Row | None, now: datetime) -> list[str]:
    """A guest that is one no more has no sessions; another player's session in this browser ends too."""
    if guest is not None:
        return await end_all(connection, guest.id, now)
    if visit.session is not None and visit.by_cookie:
        await connection.execute("update sessions set ended_at = %s where id = %s", (now, visit.session.id))
        return [visit.session.id]
    return []


def _hash(token: str) -> bytes:
    return sha256(token.encode()).digest()
