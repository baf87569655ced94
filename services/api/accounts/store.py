"""Beginning a session, and what its player is told about themselves."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from libs.core.messages import PlayerId
from libs.runtime import ids
from services.api.accounts import players
from services.api.accounts.devices import device
from services.api.accounts.sessions import Session
from services.api.database import Connection
from services.api.parts import Parts
from services.api.visits import Visit

_BEGIN = "insert into sessions (id, player, made_at, browser, system, seen_on) values (%s, %s, %s, %s, %s, %s)"


class OwnPlayer(Struct, kw_only=True):
    """A player as they see themselves."""

    id: PlayerId
    name: str | None
    guest: bool


class Me(Struct, kw_only=True):
    """Who a session belongs to, and the value that unsafe requests with its cookie need."""

    player: OwnPlayer
    csrf: str


async def new_session(
    connection: Connection,
    visit: Visit,
    player: PlayerId,
    now: datetime,
    *,
    guest: bool = False,
    aliases: tuple[PlayerId, ...] = (),
) -> Session:
    """A session with an id that nobody knows yet, on the visitor's device."""
    issued = now.replace(microsecond=0)
    session = Session(id=ids.new_id(), player=player, guest=guest, issued=issued, aliases=aliases)
    on = device(visit.headers.get(b"user-agent", b""))
    await connection.execute(_BEGIN, (session.id, player, now, on.browser, on.system, now.date()))
    return session


def settle(
    parts: Parts, visit: Visit, session: Session, row: players.Row, use: Literal["cookie", "token"] = "cookie"
) -> Me:
    """Let the session begin with this answer: by a cookie, unless its token is going to be in the answer."""
    if use == "cookie":
        visit.cookie = parts.signer.cookie(session)
    parts.names.learn(row.id, row.name, guest=row.guest)
    own = OwnPlayer(id=row.id, name=row.name, guest=row.guest)
    return Me(player=own, csrf=parts.signer.csrf(session.id))
