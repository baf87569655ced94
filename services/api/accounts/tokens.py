"""Bearer tokens for programs, of accounts only. A token is shown once; it can be revoked at any time."""

from datetime import datetime
from typing import Annotated

import msgspec
from litestar import Response, delete, get
from msgspec import Meta, Struct

from libs.runtime import ids
from services.api import requests
from services.api.accounts.sessions import Session
from services.api.doc import answers, post, problems
from services.api.problems import Problem
from services.api.replies import Reply, empty, reply
from services.api.visits import Request

MOST = 50  # tokens of one account

_LIST = "select id, label, made_at from api_tokens where player = %s and ended_at is null order by id"
_COUNT = "select count(*) from api_tokens where player = %s and ended_at is null"
_MAKE = "insert into api_tokens (id, player, label, made_at) values (%s, %s, %s, %s)"
_END = "update api_tokens set ended_at = %s where id = %s and player = %s and ended_at is null returning id"


class Label(Struct, forbid_unknown_fields=True):
    """What the token is for."""

    label: Annotated[str, Meta(min_length=1, max_length=40)]


class ApiToken(Struct, kw_only=True):
    """A token, without itself."""

    id: str
    label: str
    created_at: datetime


class NewToken(ApiToken, kw_only=True):
    """A token, this once."""

    token: str


class ApiTokens(Struct):
    """The tokens that are valid."""

    tokens: list[ApiToken]


@get("/me/tokens", summary="List tokens", responses=answers(ApiTokens) | problems("unauthorized", "reads_down"))
async def tokens(request: Request) -> Reply:
    """The account's tokens."""
    rows = await request.parts.database.rows(_LIST, (request.visit.account.player,))
    return reply(ApiTokens([ApiToken(id=id_, label=label, created_at=made) for id_, label, made in rows]))


@post(
    "/me/tokens",
    summary="Make a token",
    responses=answers(NewToken, 201) | problems("unauthorized", "reads_down", "key_reused", "csrf"),
)
async def make(request: Request, data: Label) -> Reply:
    """A token that does what the account can do. Asked again with the same key, it is the same one."""
    parts, visit = request.parts, request.visit
    account, now, scope = visit.account, parts.now(), f"token:{visit.account.player}"
    issued = now.replace(microsecond=0)
    session = Session(id=ids.new_id(), player=account.player, guest=False, issued=issued, aliases=account.aliases)
    async with parts.database.transaction() as connection:
        digest = parts.signer.digest(data.label.encode())
        if known := await requests.answered(connection, scope, visit.key, digest, now):
            session = msgspec.json.decode(known, type=Session)
        else:
            count = await (await connection.execute(_COUNT, (account.player,))).fetchone()
            if count is not None and count[0] >= MOST:
                raise Problem("rate_limited", retry_after=3600)
            await connection.execute(_MAKE, (session.id, account.player, data.label, issued))
            await requests.remember(connection, scope, visit.key, msgspec.json.encode(session))
    made = NewToken(id=session.id, label=data.label, created_at=session.issued, token=parts.signer.token(session))
    return reply(made, 201)


@delete(
    "/me/tokens/{token_id:str}",
    summary="Revoke a token",
    status_code=204,
    responses=problems("unauthorized", "not_found", "reads_down", "csrf"),
)
async def revoke(request: Request, token_id: str) -> Response[None]:
    """From now on the token is worth nothing."""
    parts = request.parts
    ended = await parts.database.rows(_END, (parts.now(), token_id, request.visit.account.player))
    if not ended:
        raise Problem("not_found")
    await parts.ended.end(token_id)
    return empty()
