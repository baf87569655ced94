"""POST and DELETE /me/push: browsers that show an account's notices."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Annotated

from cryptography.hazmat.primitives.asymmetric import ec
from litestar import Response, delete
from msgspec import Meta, Struct

from libs.core.messages import PlayerId
from libs.runtime import endpoints
from libs.runtime.push_keys import from_base64url
from services.api.accounts import players
from services.api.database import Connection, Database
from services.api.doc import DONE, answers, post, problems
from services.api.languages import language
from services.api.problems import Problem
from services.api.replies import Reply, empty, reply
from services.api.visits import Request

MOST = 20  # browsers of one account; the oldest makes room
_AUTH = 16  # bytes

_PUT = """
insert into push_subscriptions (id, player, session, endpoint, p256dh, auth, language, made_at)
values (%(id)s, %(player)s, %(session)s, %(endpoint)s, %(p256dh)s, %(auth)s, %(language)s, %(now)s)
on conflict (id) do update set player = excluded.player, session = excluded.session, p256dh = excluded.p256dh,
    auth = excluded.auth, language = excluded.language, made_at = excluded.made_at
"""
_MOVED = """
delete from pushes using push_subscriptions s where subscription = s.id and s.id = %(id)s and s.player <> %(player)s
"""
_ROOM = """
delete from push_subscriptions where id in (
    select id from push_subscriptions where player = %s order by made_at desc, id offset %s
)
"""
_LIST = """
select id, made_at from push_subscriptions s where player = %s and (
    session is null or exists (select 1 from sessions where id = s.session and ended_at is null)
) order by made_at desc, id
"""
_END = "delete from push_subscriptions where id = %s and player = %s returning id"


class Keys(Struct):
    """The browser's public key and its secret for this subscription, in base64url."""

    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]


class Subscription(Struct):
    """What a browser gives for `PushSubscription.toJSON()`; what else is in it does not matter."""

    endpoint: Annotated[str, Meta(max_length=endpoints.LONGEST)]
    keys: Keys


class Browser(Struct, kw_only=True):
    """A browser that shows notices; its id is the SHA-256 of its endpoint, as the first 32 hexadecimal digits."""

    id: str
    since: datetime


@post(
    "/me/push",
    summary="Show notices in this browser",
    responses=answers(Browser, 201) | problems("unauthorized", "push_unusable", "reads_down", "csrf"),
)
async def subscribe(request: Request, data: Subscription) -> Reply:
    """Until its session ends, or the browser itself ends it. A browser shows the notices of one account."""
    parts, visit = request.parts, request.visit
    account = visit.account
    _require_usable(data, parts.settings.push_inside, parts.push_key)
    browser = Browser(id=sha256(data.endpoint.encode()).hexdigest()[:32], since=parts.now())
    row = {
        "id": browser.id,
        "player": account.player,
        "session": account.id if visit.by_cookie else None,
        "endpoint": data.endpoint,
        "p256dh": data.keys.p256dh,
        "auth": data.keys.auth,
        "language": language(visit.headers),
        "now": browser.since,
    }
    async with parts.database.transaction() as connection:
        await players.require_here(connection, account.player)
        await _put(connection, row)
    return reply(browser, 201)


@delete(
    "/me/push/{browser_id:str}",
    summary="Show no more notices there",
    status_code=204,
    responses=DONE | problems("unauthorized", "not_found", "reads_down", "csrf"),
)
async def end(request: Request, browser_id: str) -> Response[None]:
    """The browser is forgotten, with what is on its way there."""
    if not await request.parts.database.rows(_END, (browser_id, request.visit.account.player)):
        raise Problem("not_found")
    return empty()


async def browsers(database: Database, player: PlayerId) -> list[Browser]:
    """The browsers that show this account's notices. Raises `Problem`."""
    return [Browser(id=id_, since=since) for id_, since in await database.rows(_LIST, (player,))]


async def _put(connection: Connection, row: Mapping[str, object]) -> None:
    await connection.execute(_MOVED, row)  # what is on its way was for somebody else who had this browser before
    await connection.execute(_PUT, row)
    await connection.execute(_ROOM, (row["player"], MOST))


def _require_usable(subscription: Subscription, inside: tuple[str, ...], key: str | None) -> None:
    """Go on if we can send there. Raises `Problem` (push_unusable)."""
    try:
        if key is None:
            raise ValueError
        endpoints.parsed(subscription.endpoint, inside)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(subscription.keys.p256dh))
        if len(from_base64url(subscription.keys.auth)) != _AUTH:
            raise ValueError
    except ValueError:
        raise Problem("push_unusable") from None
