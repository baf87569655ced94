"""Bearer tokens for programs, of accounts only. A token is shown once, lasts a year, and can be revoked at any time."""

from datetime import date, datetime
from typing import Annotated

import msgspec
from litestar import Response, delete, get
from msgspec import Meta, Struct

from libs.runtime import ids
from services.api import requests
from services.api.accounts import players
from services.api.accounts.scopes import SCOPES, Scope
from services.api.accounts.sessions import TOKEN_LIFETIME, Session
from services.api.doc import DONE, answers, post, problems
from services.api.problems import Problem
from services.api.replies import Reply, empty, reply
from services.api.visits import Request

MOST = 50  # tokens of one account

_LIST = """
select id, label, scopes, made_at, seen_on from api_tokens
where player = %s and ended_at is null and made_at > %s order by id
"""
_COUNT = "select count(*) from api_tokens where player = %s and ended_at is null and made_at > %s"
_MAKE = "insert into api_tokens (id, player, label, scopes, made_at) values (%s, %s, %s, %s, %s)"
_END = "update api_tokens set ended_at = %s where id = %s and player = %s and ended_at is null returning id"


class Wish(Struct, forbid_unknown_fields=True, kw_only=True):
    """What the token is for, in the player's words, and what it may be used for: everything, if nothing is said."""

    label: Annotated[str, Meta(min_length=1, max_length=40)]
    scopes: Annotated[list[Scope], Meta(min_length=1)] = msgspec.field(default_factory=lambda: list(SCOPES))


class ApiToken(Struct, kw_only=True):
    """A token, without itself. The day of its last use (UTC) is null before the first one."""

    id: str
    label: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime
    last_used: date | None = None


class NewToken(ApiToken, kw_only=True):
    """A token, this once."""

    token: str


class ApiTokens(Struct):
    """The tokens that are valid."""

    tokens: list[ApiToken]


@get("/me/tokens", summary="List tokens", responses=answers(ApiTokens) | problems("unauthorized", "reads_down"))
async def tokens(request: Request) -> Reply:
    """The account's tokens."""
    parts, account = request.parts, request.visit.account
    rows = await parts.database.rows(_LIST, (account.player, parts.now() - TOKEN_LIFETIME))
    return reply(
        ApiTokens(
            [
                ApiToken(
                    id=id_,
                    label=label,
                    scopes=scopes,
                    created_at=made,
                    expires_at=made + TOKEN_LIFETIME,
                    last_used=last_used,
                )
                for id_, label, scopes, made, last_used in rows
            ]
        )
    )


@post(
    "/me/tokens",
    summary="Make a token",
    responses=answers(NewToken, 201) | problems("unauthorized", "reads_down", "key_reused", "csrf"),
)
async def make(request: Request, data: Wish) -> Reply:
    """A token for these scopes; a token makes none that may do more than itself.

    Asked again with the same key, it is the same one.
    """
    parts, visit = request.parts, request.visit
    account, now, scope = visit.account, parts.now(), f"token:{visit.account.player}"
    issued, scopes = now.replace(microsecond=0), tuple(scope for scope in SCOPES if scope in data.scopes)
    for each in scopes:
        visit.require(each)
    session = Session(
        id=ids.new_id(), player=account.player, guest=False, issued=issued, aliases=account.aliases, scopes=scopes
    )
    async with parts.database.transaction() as connection:
        await players.require_here(connection, account.player)
        digest = parts.signer.digest(msgspec.json.encode([data.label, scopes]))
        if known := await requests.answered(connection, scope, visit.key, digest, now):
            session = msgspec.json.decode(known, type=Session)
        else:
            count = await (await connection.execute(_COUNT, (account.player, now - TOKEN_LIFETIME))).fetchone()
            if count is not None and count[0] >= MOST:
                raise Problem("rate_limited", retry_after=3600)
            await connection.execute(_MAKE, (session.id, account.player, data.label, list(scopes), issued))
            await requests.remember(connection, scope, visit.key, msgspec.json.encode(session))
    made = NewToken(
        id=session.id,
        label=data.label,
        scopes=list(session.scopes),
        created_at=session.issued,
        expires_at=session.issued + TOKEN_LIFETIME,
        token=parts.signer.token(session),
    )
    return reply(made, 201)


@delete(
    "/me/tokens/{token_id:str}",
    summary="Revoke a token",
    status_code=204,
    responses=DONE | problems("unauthorized", "not_found", "reads_down", "csrf"),
)
async def revoke(request: Request, token_id: str) -> Response[None]:
    """From now on the token is worth nothing."""
    parts = request.parts
    ended = await parts.database.rows(_END, (parts.now(), token_id, request.visit.account.player))
    if not ended:
        raise Problem("not_found")
    await parts.ended.end(token_id)
    return empty()
