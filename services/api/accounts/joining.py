"""Whose account it is that somebody has proven to own, and what becomes of the guest of this browser.

A sign-in by mail proves an address. One at a provider proves an identity (issuer and subject), and an address too if
the provider says that it has verified it. The account is, in this order:

1. the one of this identity;
2. the one of this address, unless it has another identity at the same provider: then the provider has given the address
   to somebody else, who gets no part of that account;
3. a new one, with the address if nobody has it.

Whoever has an address here has read a mail that was sent to it, so that nobody can lie in wait with an address of
somebody who comes later. Accounts are never joined with each other.
"""

from datetime import datetime

from msgspec import Struct

from libs.core.messages import PlayerId
from services.api.accounts import joins, players
from services.api.accounts.ended import end_all
from services.api.accounts.proven import Proven
from services.api.database import Connection
from services.api.visits import Visit

_LOCK = "select pg_advisory_xact_lock(hashtextextended(%s, 0))"
_BY_IDENTITY = "select player from identities where issuer = %s and subject = %s"
_BY_EMAIL = """
select p.id, exists (select 1 from identities i where i.player = p.id and i.issuer = %s)
from players p where p.email = %s
"""
_LINK = "insert into identities (issuer, subject, player, made_at) values (%s, %s, %s, %s) on conflict do nothing"
_END = "update sessions set ended_at = %s where id = %s"


class Overtaken(Exception):
    """Somebody has changed what was looked up before it was locked: begin again."""


class Joined(Struct, frozen=True, kw_only=True):
    """The account, whether it is new, and the sessions that have ended by the sign-in."""

    player: PlayerId
    new: bool
    ended: list[str]


class _Found(Struct, frozen=True):
    player: PlayerId | None
    email: str | None  # the address that a new account may have


async def join(connection: Connection, visit: Visit, proven: Proven, now: datetime) -> Joined:
    """The account of who has proven this; the guest of this browser becomes it, or becomes a part of it.

    Within a transaction, which locks the identity, then the address, then players in the order of their ids, as
    everybody does. Raises `Overtaken`, or `psycopg.errors.UniqueViolation` when a generated name has just been taken:
    both mean that the transaction must be begun again.
    """
    for what in _names(proven):
        await connection.execute(_LOCK, (what,))
    found = await _find(connection, proven)
    here = visit.session.player if visit.session else None
    rows = await players.locked(connection, filter(None, (found.player, here)))
    if await _find(connection, proven) != found:
        raise Overtaken
    guest = rows.get(here) if here else None
    if guest is not None and (not guest.guest or guest.merged_into):
        guest = None  # an account that signs in to another one stays what it is
    if found.player is None:
        new = guest or await players.make_guest(connection, now)
        await players.promote(connection, new, found.email)
        player = new.id
    else:
        player = found.player
        if guest is not None:
            await players.merge(connection, guest.id, player)
    if guest is not None:
        await joins.note(connection, guest.id, player)
    if proven.identity is not None:
        await connection.execute(_LINK, (proven.identity.issuer, proven.identity.subject, player, now))
    return Joined(player=player, new=found.player is None, ended=await _end(connection, visit, guest, now))


def _names(proven: Proven) -> list[str]:
    """What two who sign in must not both make an account for."""
    names = [f"identity {proven.identity.issuer} {proven.identity.subject}"] if proven.identity else []
    return [*names, f"email {proven.email}"] if proven.email else names


async def _find(connection: Connection, proven: Proven) -> _Found:
    identity = proven.identity
    if identity is not None:
        known = await (await connection.execute(_BY_IDENTITY, (identity.issuer, identity.subject))).fetchone()
        if known is not None:
            return _Found(known[0], None)
    if proven.email is None:
        return _Found(None, None)
    issuer = identity.issuer if identity else None
    owner = await (await connection.execute(_BY_EMAIL, (issuer, proven.email))).fetchone()
    if owner is None:
        return _Found(None, proven.email)
    player, has_another_identity = owner
    return _Found(None, None) if has_another_identity else _Found(player, None)


async def _end(connection: Connection, visit: Visit, guest: players.Row | None, now: datetime) -> list[str]:
    """A guest that is one no more has no sessions; another player's session in this browser ends too."""
    if guest is not None:
        return await end_all(connection, guest.id, now)
    if visit.session is not None and visit.by_cookie:
        await connection.execute(_END, (now, visit.session.id))
        return [visit.session.id]
    return []
